import { createHash, type Hash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { LogError } from '../../errors.ts';
import type { KeptRecord, ReadCopy } from './read-copy.ts';

const CHUNK = 1024 * 1024;

/** The damaged copies, open to be read from. */
export class Sources {
  readonly #files: number[];
  readonly #paths: readonly string[];

  constructor(copies: readonly ReadCopy[]) {
    this.#paths = copies.map(({ path }) => path);
    this.#files = copies.map(({ path }) => openSync(path, 'r'));
  }

  /** The bytes of a range, a piece at a time. */
  *read(copy: number, from: number, to: number): Generator<Buffer, void, void> {
    const file = this.#files[copy];
    const chunk = Buffer.alloc(Math.min(CHUNK, Math.max(1, to - from)));
    for (let at = from; file !== undefined && at < to; ) {
      const count = readSync(file, chunk, 0, Math.min(chunk.length, to - at), at);
      if (count === 0)
        throw new LogError('log-changed', `${this.#paths[copy]} was cut while it was salvaged`, {
          hint: 'salvage it when nobody writes to it',
        });
      yield chunk.subarray(0, count);
      at += count;
    }
  }

  /** A record's line, mended where it had to be. */
  lineOf(copy: number, { byteStart, byteEnd, mended }: KeptRecord): Buffer {
    return (
      mended ?? Buffer.concat([...this.read(copy, byteStart, byteEnd)].map((piece) => Buffer.from(piece)))
    );
  }

  close(): void {
    for (const file of this.#files) closeSync(file);
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
