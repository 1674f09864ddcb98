import { closeSync, readSync } from 'node:fs';
import { openToRead } from '../base/files/open-file.ts';
import { NEWLINE } from '../base/json/ascii.ts';

function bytesAt(file: number, from: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  return bytes.subarray(0, readSync(file, bytes, 0, size, from));
}

/** The bytes of a file between two offsets; fewer if the file ends before. */
export function bytesBetween(path: string, from: number, to: number): Buffer {
  const file = openToRead(path);
  try {
    return bytesAt(file, from, to - from);
  } finally {
    closeSync(file);
  }
}

/** The first and the last bytes of a file of this size, at most `most` of each. */
export function bytesOfEnds(path: string, size: number, most: number): readonly [head: Buffer, tail: Buffer] {
  const file = openToRead(path);
  try {
    const head = bytesAt(file, 0, most);
    return [head, size <= most ? head : bytesAt(file, size - most, most)];
  } finally {
    closeSync(file);
  }
}

/** In bytes: most first lines are shorter. */
const FIRST_READ = 8 * 1024;

/** The first line of a file without its newline; undefined if it does not end within `most` bytes. */
export function firstLine(path: string, most: number): Buffer | undefined {
  for (let size = Math.min(FIRST_READ, most); ; size = Math.min(size * 4, most)) {
    const bytes = bytesBetween(path, 0, size);
    const end = bytes.indexOf(NEWLINE);
    if (end >= 0) return bytes.subarray(0, end);
    if (size === most || bytes.length < size) return undefined;
  }
}
