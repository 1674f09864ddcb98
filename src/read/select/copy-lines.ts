import { closeSync, fstatSync, readSync } from 'node:fs';
import { openToRead } from '../../base/files/open-file.ts';
import { NEWLINE } from '../../base/json/ascii.ts';
import { Yielder } from '../../base/time/yielder.ts';
import { isSameFile, logChanged } from '../../log/read.ts';
import type { LineRanges } from './line-ranges.ts';
import type { TakenLines } from './taken-lines.ts';

const BATCH = 1024 * 1024;

function readExactly(file: number, length: number, position: number, path: string): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const count = readSync(file, buffer, done, length - done, position + done);
    if (count === 0) throw logChanged(path, 'it was truncated');
    done += count;
  }
  return buffer;
}

/** Neighbouring lines and their bytes. */
interface LineBatch {
  readonly bytes: Buffer;
  readonly byteStart: number;
  /** Indexes into the selection, the end exclusive. */
  readonly from: number;
  readonly to: number;
}

/** Reads selected lines again, about a mebibyte at a time. Throws `log-changed` if they are gone. */
export async function* readLines(path: string, lines: LineRanges): AsyncGenerator<LineBatch, void, void> {
  // Synchronous reads: a trip through the thread pool takes longer than reading a mebibyte.
  const file = openToRead(path);
  try {
    if (lines.file !== undefined && !isSameFile(lines.file, fstatSync(file)))
      throw logChanged(path, 'another file replaced it');
    const yielder = new Yielder();
    for (let from = 0; from < lines.length; ) {
      if (yielder.isDue) await yielder.yield();
      const byteStart = lines.byteStart(from);
      let to = from + 1;
      // Distant lines are read separately; a chain may even go backwards.
      while (
        to < lines.length &&
        lines.byteStart(to) >= lines.byteEnd(to - 1) &&
        lines.byteStart(to) - lines.byteEnd(to - 1) < BATCH / 16 &&
        lines.byteEnd(to) - byteStart < BATCH
      ) {
        to += 1;
      }
      const bytes = readExactly(file, lines.byteEnd(to - 1) - byteStart, byteStart, path);
      yield { bytes, byteStart, from, to };
      from = to;
    }
  } finally {
    closeSync(file);
  }
}

/** Yields the stored bytes of lines in batches, each line with its newline. */
export async function* copyLines(path: string, lines: LineRanges): AsyncGenerator<TakenLines, void, void> {
  for await (const { bytes, byteStart, from, to } of readLines(path, lines)) {
    let length = 0;
    for (let index = from; index < to; index += 1)
      length += lines.byteEnd(index) - lines.byteStart(index) + 1;
    const out = Buffer.allocUnsafe(length);
    let at = 0;
    for (let index = from; index < to; index += 1) {
      const start = lines.byteStart(index) - byteStart;
      // Consecutive lines are copied together, including the newlines between them.
      while (index + 1 < to && lines.byteStart(index + 1) === lines.byteEnd(index) + 1) index += 1;
      at += bytes.copy(out, at, start, lines.byteEnd(index) - byteStart);
      out[at] = NEWLINE;
      at += 1;
    }
    yield { bytes: out, count: to - from, line: (index) => lines.line(from + index) };
  }
}
