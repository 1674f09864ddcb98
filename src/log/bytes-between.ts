import { closeSync, openSync, readSync } from 'node:fs';

/** The bytes of a file between two offsets; fewer if the file ends before. */
export function bytesBetween(path: string, from: number, to: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(to - from);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
}
