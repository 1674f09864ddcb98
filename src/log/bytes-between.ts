import { closeSync, readSync } from 'node:fs';
import { openToRead } from '../base/files/open-file.ts';

/** The bytes of a file between two offsets; fewer if the file ends before. */
export function bytesBetween(path: string, from: number, to: number): Buffer {
  const file = openToRead(path);
  try {
    const bytes = Buffer.allocUnsafe(to - from);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
}
