import { ArchiveFault } from './problem.ts';

/** How much may come out of what is packed. */
export interface UnpackLimits {
  /** Bytes in all. */
  readonly maxUnpacked: number;
}

export const DEFAULT_MAX_UNPACKED = 64 * 1024 ** 3;

/** The best compressed logs have less; a bomb has more than a thousand bytes in one. */
const MAX_RATIO = 1000;
/** So many bytes may come out of however little: an empty file takes few bytes, and one of zeros not many. */
const FREE = 64 * 1024 * 1024;
/** What an entry takes on a disk, however short: archives of nothing but names fill one as well. */
const ENTRY_COST = 512;

/** Counts what comes out of an archive. Everything throws `too-large` where it is more than it may be. */
export class Budget {
  readonly #max: number;
  /** Bytes read of what is packed. */
  packed = 0;
  #unpacked = 0;

  constructor({ maxUnpacked }: UnpackLimits) {
    this.#max = maxUnpacked;
  }

  entry(): void {
    this.add(ENTRY_COST);
  }

  add(bytes: number): void {
    this.#unpacked += bytes;
    if (this.#unpacked > this.#max) {
      throw new ArchiveFault('too-large', `it unpacks to more than ${this.#max} bytes (--max-unpacked)`);
    }
    if (this.#unpacked > FREE && this.#unpacked > this.packed * MAX_RATIO) {
      const message = `it unpacks to more than ${MAX_RATIO} times its size: no trace is compressed so well`;
      throw new ArchiveFault('too-large', message);
    }
  }
}
