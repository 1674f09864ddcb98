import { createHash, hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const CHUNK = 1024 * 1024;

/** The size of a file and its sha256 in lower-case hex. */
export interface FileDigest {
  readonly sha256: string;
  readonly size: number;
}

/** The digest of a file whose bytes are at hand. */
export function digestOf(bytes: Uint8Array): FileDigest {
  return { sha256: hash('sha256', bytes, 'hex'), size: bytes.length };
}

/** The digest of a file's first bytes, all of them by default. */
export function hashFile(path: string, end = Infinity): FileDigest {
  const digest = createHash('sha256');
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, fstatSync(file).size + 1));
    let size = 0;
    while (size < end) {
      const count = readSync(file, buffer, 0, Math.min(buffer.length, end - size), null);
      if (count === 0) break;
      digest.update(buffer.subarray(0, count));
      size += count;
    }
    return { sha256: digest.digest('hex'), size };
  } finally {
    closeSync(file);
  }
}
