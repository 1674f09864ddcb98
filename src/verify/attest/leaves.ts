import type { Hash } from './merkle.ts';

export const HASH_BYTES = 32;

/** The number of hashes read at a time. */
const AT_ONCE = 2048;

/** Reads bytes from an offset into a buffer, and returns their number. */
export type ReadAt = (into: Buffer, at: number) => number;

/**
 * The line hashes of a checkpoint. Reads them in parts and in order, because a log may have millions of
 * lines.
 */
export class Leaves {
  /** The number of hashes; a fraction if the last one is cut off. */
  readonly size: number;
  readonly #read: ReadAt;
  readonly #part = Buffer.alloc(AT_ONCE * HASH_BYTES);
  #first = 0;
  #end = 0;

  constructor(bytes: number, read: ReadAt) {
    this.size = bytes / HASH_BYTES;
    this.#read = read;
  }

  /** The hash of a line, counted from 0; shorter than a hash after the last one. Valid until the next call. */
  at(index: number): Hash {
    if (index < this.#first || index >= this.#end) {
      const count = this.#read(this.#part, index * HASH_BYTES);
      this.#first = index;
      this.#end = index + Math.floor(count / HASH_BYTES);
      if (index >= this.#end) return this.#part.subarray(0, 0);
    }
    const from = (index - this.#first) * HASH_BYTES;
    return this.#part.subarray(from, from + HASH_BYTES);
  }
}
