import { closeSync, readSync } from 'node:fs';
import { openToRead } from '../base/files/open-file.ts';
import { NEWLINE } from '../base/json/ascii.ts';
import { MAX_LINE_BYTES } from './limits.ts';

const BLOCK = 256 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Yields the lines of a file in order, as many at once as were read, with newlines between them but not after the last. The
 * bytes are valid until the next lines are requested. Instead of a line of more than MAX_LINE_BYTES, an empty one.
 */
export function* blocksForwards(path: string): Generator<Buffer, void, void> {
  const file = openToRead(path);
  try {
    const block = Buffer.alloc(BLOCK);
    // Parts of a line whose end is not read yet.
    let head: Buffer[] = [];
    let length = 0;
    const take = (rest: Buffer): Buffer => {
      const line = length + rest.length > MAX_LINE_BYTES ? NOTHING : Buffer.concat([...head, rest]);
      head = [];
      length = 0;
      return line;
    };
    for (let count = readSync(file, block); count > 0; count = readSync(file, block)) {
      const read = block.subarray(0, count);
      const first = length === 0 ? -1 : read.indexOf(NEWLINE);
      if (first >= 0) yield take(read.subarray(0, first));
      const last = read.lastIndexOf(NEWLINE);
      if (last > first) yield read.subarray(first + 1, last);
      const rest = read.subarray(last + 1);
      length += rest.length;
      if (length > MAX_LINE_BYTES) head = [];
      else if (rest.length > 0) head.push(Buffer.from(rest));
    }
    if (length > 0) yield take(NOTHING);
  } finally {
    closeSync(file);
  }
}

/** Yields the lines of a file one by one, like {@link blocksForwards}. */
export function* linesForwards(path: string): Generator<Buffer, void, void> {
  for (const block of blocksForwards(path)) {
    let from = 0;
    for (let to = block.indexOf(NEWLINE); to >= 0; to = block.indexOf(NEWLINE, from)) {
      yield block.subarray(from, to);
      from = to + 1;
    }
    yield block.subarray(from);
  }
}
