import { type StatsFs, statfsSync } from 'node:fs';
import { ArchiveFault } from './problem.ts';

type Space = Pick<StatsFs, 'bavail' | 'bsize'>;

/** Limits for unpacked data. */
export interface UnpackLimits {
  /** In bytes, for the whole archive. */
  readonly maxUnpacked: number;
  /** The budget of the archive that contains the file. */
  readonly within?: Budget;
}

/** The limit for data that is read and not stored. */
export const DEFAULT_MAX_UNPACKED = 64 * 1024 ** 3;

/**
 * The limit for data that is stored in a folder for temporary files, unless the user gives another: half of the free space
 * of its disk, and at most 64 GiB. A folder whose free space is not known has no smaller limit: writing reports a full disk.
 */
export function usualMaxUnpacked(tmpDir: string, spaceOf: (dir: string) => Space = statfsSync): number {
  try {
    const { bavail, bsize } = spaceOf(tmpDir);
    return Math.min(DEFAULT_MAX_UNPACKED, Math.floor((bavail * bsize) / 2));
  } catch {
    return DEFAULT_MAX_UNPACKED;
  }
}

/** The best compressed logs stay below this ratio; a decompression bomb exceeds it. */
const MAX_RATIO = 1000;
/** The ratio is not checked below this size: empty files and files of zeros compress extremely well. */
const FREE = 64 * 1024 * 1024;
/**
 * The disk space of an entry, even an empty one. Without it, an archive of names alone could fill the disk.
 */
const ENTRY_COST = 512;

/** Counts what comes out of an archive. Every method throws `too-large` when a limit is exceeded. */
export class Budget {
  readonly #max: number;
  /** Bytes of packed data read so far. */
  packed = 0;
  readonly #within: Budget | undefined;
  #unpacked = 0;

  constructor({ maxUnpacked, within }: UnpackLimits) {
    this.#max = maxUnpacked;
    this.#within = within;
  }

  entry(): void {
    this.add(ENTRY_COST);
  }

  add(bytes: number): void {
    this.#take(bytes);
    if (this.#unpacked > FREE && this.#unpacked > this.packed * MAX_RATIO) {
      const message = `it unpacks to more than ${MAX_RATIO} times its size: no log compresses that well`;
      throw new ArchiveFault('too-large', message);
    }
  }
  #take(bytes: number): void {
    this.#unpacked += bytes;
    if (this.#unpacked > this.#max) {
      throw new ArchiveFault('too-large', `it unpacks to more than ${this.#max} bytes (--max-unpacked)`);
    }
    if (this.#within) this.#within.#take(bytes);
  }
}
