import { closeSync, fstatSync, readSync } from 'node:fs';
import { openToRead } from '../base/files/open-file.ts';
import { NEWLINE } from '../base/json/ascii.ts';
import { MAX_LINE_BYTES } from './limits.ts';
import { textOfLine } from './line-text.ts';

const BLOCK = 64 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Yields the texts of the lines of a file from last to first, without white space around them, reading on demand.
 * `before`: starts before this byte instead of at the end; yields nothing if the file ends before it. Yields an empty
 * text for a line of more than MAX_LINE_BYTES, and for one that is not UTF-8. The first has no byte order mark.
 */
export function* linesBackwards(path: string, before?: number): Generator<string, void, void> {
  const file = openToRead(path);
  try {
    const { size } = fstatSync(file);
    if (before !== undefined && before > size) return;
    // Parts of a line whose beginning is not read yet.
    let tail: Buffer[] = [];
    let length = 0;
    const take = (head: Buffer, isFirst = false): string => {
      const isLong = length + head.length > MAX_LINE_BYTES;
      // Most lines are in one block and need no copy.
      const whole = tail.length === 0 ? head : Buffer.concat([head, ...tail.reverse()]);
      const line = isLong ? NOTHING : whole;
      tail = [];
      length = 0;
      return textOfLine(line, isFirst) ?? '';
    };
    for (let end = before ?? size; end > 0; ) {
      const start = Math.max(0, end - BLOCK);
      const block = Buffer.alloc(end - start);
      readSync(file, block, 0, block.length, start);
      end = start;
      let to = block.length;
      for (
        let at = block.lastIndexOf(NEWLINE);
        at >= 0;
        at = at === 0 ? -1 : block.lastIndexOf(NEWLINE, at - 1)
      ) {
        yield take(block.subarray(at + 1, to));
        to = at;
      }
      length += to;
      if (length > MAX_LINE_BYTES) tail = [];
      else tail.push(block.subarray(0, to));
    }
    yield take(NOTHING, true);
  } finally {
    closeSync(file);
  }
}
