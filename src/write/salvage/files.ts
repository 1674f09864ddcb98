import { createHash, type Hash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { LogError } from '../../errors.ts';

const CHUNK = 1024 * 1024;

/** The damaged log, open to be read from. */
export class Source {
  readonly #file: number;
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, 'r');
  }

  /** The bytes of a range, a piece at a time. */
  *read(from: number, to: number): Generator<Buffer, void, void> {
    const chunk = Buffer.alloc(Math.min(CHUNK, Math.max(1, to - from)));
    for (let at = from; at < to; ) {
      const count = readSync(this.#file, chunk, 0, Math.min(chunk.length, to - at), at);
      if (count === 0)
        throw new LogError('log-changed', `${this.#path} was cut while it was salvaged`, {
          hint: 'salvage it when nobody writes to it',
        });
      yield chunk.subarray(0, count);
      at += count;
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** A file that is written, or only hashed. */
export class Output {
  readonly #file: number | undefined;
  readonly #hash: Hash = createHash('sha256');
  /** How many bytes were written. */
  size = 0;

  constructor(path: string | undefined) {
    this.#file = path === undefined ? undefined : openSync(path, 'wx');
  }

  /** Adds bytes at the end. */
  write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.size += bytes.length;
    for (let at = 0; this.#file !== undefined && at < bytes.length; )
      at += writeSync(this.#file, bytes, at, bytes.length - at);
  }

  /** The hash of what was written so far. */
  get sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Brings it to the disk. */
  close(): void {
    if (this.#file === undefined) return;
    fsyncSync(this.#file);
    closeSync(this.#file);
  }
}
