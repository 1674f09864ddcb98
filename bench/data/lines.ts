import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';

const batchLength = 1 << 22;

/** The size and hash of a written or only counted file. */
export interface Extent {
  readonly lines: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Writes a file line by line, because these logs are too large for memory. Without a path, only counts. */
export class LineFile {
  readonly #file: number | undefined;
  readonly #hash = createHash('sha256');
  #batch: string[] = [];
  #length = 0;
  #written = 0;
  #lines = 0;

  constructor(path: string | undefined) {
    this.#file = path === undefined ? undefined : openSync(path, 'w');
  }

  get lines(): number {
    return this.#lines;
  }

  /** The approximate size so far: exact except for characters of more than one byte. */
  get bytes(): number {
    return this.#written + this.#length;
  }

  add(line: string): void {
    this.#batch.push(line, '\n');
    this.#lines += 1;
    this.#length += line.length + 1;
    if (this.#length >= batchLength) this.#flush();
  }

  /** The extent so far. */
  extent(): Extent {
    this.#flush();
    const sha256 = `sha256:${this.#hash.copy().digest('hex')}`;
    return { lines: this.#lines, bytes: this.#written, sha256 };
  }

  close(): Extent {
    const extent = this.extent();
    if (this.#file !== undefined) closeSync(this.#file);
    return extent;
  }

  #flush(): void {
    const block = Buffer.from(this.#batch.join(''));
    this.#hash.update(block);
    this.#written += block.length;
    // A write may be partial.
    for (let at = 0; this.#file !== undefined && at < block.length; ) {
      at += writeSync(this.#file, block, at);
    }
    this.#batch = [];
    this.#length = 0;
  }
}
