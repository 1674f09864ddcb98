import { createHash, type Hash as Digest } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { openToRead } from '../../base/files/open-file.ts';
import { NEWLINE } from '../../base/json/ascii.ts';
import { Yielder } from '../../base/time/yielder.ts';
import { type Hash, leafHash } from './merkle.ts';

/** In bytes. Small enough to hash within one turn, even if every byte is a line. */
const CHUNK = 64 * 1024;

/** The maximum number of lines between two calls of `between`. */
export const MOST_LINES = CHUNK;

const LEAF = Buffer.from([0x00]);

/** What comes after the last newline of a log: its length, and the hash that it would have as a line. */
interface Unfinished {
  readonly bytes: number;
  readonly hash?: Hash;
}

/** Starts the hash of a line that continues in the next chunk, so no line is held whole. */
function begun(piece: Buffer): Digest {
  return createHash('sha256').update(LEAF).update(piece);
}

/**
 * Passes on the leaf hash of each whole line: its stored bytes without the newline. Resolves to what comes after the last
 * newline, which is no line yet. `between` is awaited after each part of the file, so the hashes need not be kept.
 */
export async function eachLineHash(
  path: string,
  take: (hash: Hash) => void,
  between?: () => Promise<void>,
): Promise<Unfinished> {
  const file = openToRead(path);
  try {
    const buffer = Buffer.allocUnsafe(CHUNK);
    let open: Digest | undefined;
    let openBytes = 0;
    for (const yielder = new Yielder(); ; ) {
      const count = readSync(file, buffer, 0, CHUNK, null);
      if (count === 0) return { bytes: openBytes, ...(open && { hash: open.digest() }) };
      const chunk = buffer.subarray(0, count);
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        const piece = chunk.subarray(start, end);
        take(open ? open.update(piece).digest() : leafHash(piece));
        open = undefined;
        openBytes = 0;
        start = end + 1;
      }
      if (start < count) {
        const piece = chunk.subarray(start);
        open = open ? open.update(piece) : begun(piece);
        openBytes += piece.length;
      }
      await between?.();
      if (yielder.isDue) await yielder.yield();
    }
  } finally {
    closeSync(file);
  }
}
