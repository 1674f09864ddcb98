import { closeSync, readSync } from 'node:fs';
import { openToRead } from '../base/files/open-file.ts';
import { NEWLINE } from '../base/json/ascii.ts';
import { MAX_LINE_BYTES } from './limits.ts';

const BLOCK = 256 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Yields the lines of a file in order, without newlines, reading on demand. The bytes are valid until the next
 * line is requested. Yields an empty line for one of more than MAX_LINE_BYTES.
 */
export function* linesForwards(path: string): Generator<Buffer, void, void> {
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
      let from = 0;
      for (let at = block.indexOf(NEWLINE); at >= 0 && at < count; at = block.indexOf(NEWLINE, from)) {
        const rest = block.subarray(from, at);
        yield length === 0 ? rest : take(rest);
        from = at + 1;
      }
      length += count - from;
      if (length > MAX_LINE_BYTES) head = [];
      else if (from < count) head.push(Buffer.from(block.subarray(from, count)));
    }
    if (length > 0) yield take(NOTHING);
  } finally {
    closeSync(file);
  }
}
