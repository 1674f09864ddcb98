import { closeSync, openSync, readSync } from 'node:fs';
import { NEWLINE } from '../json/ascii.ts';

const BLOCK = 256 * 1024;

/**
 * Yields the lines of a file in order, without newlines, reading on demand. The bytes are valid until the
 * next line is requested.
 */
export function* linesForwards(path: string): Generator<Buffer, void, void> {
  const file = openSync(path, 'r');
  try {
    const block = Buffer.alloc(BLOCK);
    // Parts of a line whose end is not read yet.
    let head: Buffer[] = [];
    for (let count = readSync(file, block); count > 0; count = readSync(file, block)) {
      let from = 0;
      for (let at = block.indexOf(NEWLINE); at >= 0 && at < count; at = block.indexOf(NEWLINE, from)) {
        const rest = block.subarray(from, at);
        yield head.length === 0 ? rest : Buffer.concat([...head, rest]);
        head = [];
        from = at + 1;
      }
      if (from < count) head.push(Buffer.from(block.subarray(from, count)));
    }
    if (head.length > 0) yield Buffer.concat(head);
  } finally {
    closeSync(file);
  }
}
