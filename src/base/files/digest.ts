import { createHash, hash } from 'node:crypto';
import { closeSync, fstatSync, readSync } from 'node:fs';
import { Yielder } from '../time/yielder.ts';
import { openToRead } from './open-file.ts';

const CHUNK = 1024 * 1024;

/** The size of a file and its sha256 in lower-case hex. */
export interface FileDigest {
  readonly sha256: string;
  readonly size: number;
}

/** Hashes bytes in memory. */
export function digestOf(bytes: Uint8Array): FileDigest {
  return { sha256: hash('sha256', bytes, 'hex'), size: bytes.length };
}

/** Hashes a file up to `end`, in steps. */
function* hashing(path: string, end: number): Generator<undefined, FileDigest> {
  const digest = createHash('sha256');
  const file = openToRead(path);
  try {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, fstatSync(file).size + 1));
    let size = 0;
    while (size < end) {
      const count = readSync(file, buffer, 0, Math.min(buffer.length, end - size), null);
      if (count === 0) break;
      digest.update(buffer.subarray(0, count));
      size += count;
      yield;
    }
    return { sha256: digest.digest('hex'), size };
  } finally {
    closeSync(file);
  }
}

/** Hashes the first bytes of a file, by default all. */
export function hashFile(path: string, end = Infinity): FileDigest {
  const pieces = hashing(path, end);
  for (let piece = pieces.next(); ; piece = pieces.next()) if (piece.done === true) return piece.value;
}

/** Hashes a whole file and yields to other work in between. */
export async function hashFileInTurns(path: string): Promise<FileDigest> {
  const yielder = new Yielder();
  const pieces = hashing(path, Infinity);
  for (let piece = pieces.next(); ; piece = pieces.next()) {
    if (piece.done === true) return piece.value;
    if (yielder.isDue) await yielder.yield();
  }
}
