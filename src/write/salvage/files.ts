import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { LogError } from '../../base/errors.ts';
import { openToRead } from '../../base/files/open-file.ts';

const CHUNK = 1024 * 1024;

/** The damaged log, open for reading. */
export class Source {
  readonly path: string;
  /** Its length when it was opened. */
  readonly size: number;
  readonly #file: number;

  constructor(path: string) {
    this.path = path;
    this.#file = openToRead(path);
    this.size = fstatSync(this.#file).size;
  }

  /** Yields the bytes of a range in pieces. */
  *read(from: number, to: number): Generator<Buffer, void, void> {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, to - from));
    for (let at = from; at < to; at += chunk.length) {
      const piece = chunk.subarray(0, to - at);
      this.fill(piece, at);
      yield piece;
    }
  }

  /** Fills a buffer from the file. Throws `log-changed` if the file is too short now. */
  fill(buffer: Buffer, from: number): void {
    for (let at = 0; at < buffer.length; ) {
      const count = readSync(this.#file, buffer, at, buffer.length - at, from + at);
      if (count === 0)
        throw new LogError('log-changed', `${this.path} was truncated while it was salvaged`, {
          hint: 'try again when no program writes to the log',
        });
      at += count;
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** A file that is written, or only hashed. */
export class Output {
  readonly #path: string | undefined;
  readonly #file: number | undefined;
  readonly #hash: Hash = createHash('sha256');
  /** The number of bytes written. */
  size = 0;

  constructor(path: string | undefined) {
    this.#path = path;
    this.#file = path === undefined ? undefined : openSync(path, 'wx');
  }

  write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.size += bytes.length;
    for (let at = 0; this.#file !== undefined && at < bytes.length; )
      at += writeSync(this.#file, bytes, at, bytes.length - at);
  }

  /** The hash of the bytes written so far. */
  get sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  sync(): void {
    if (this.#file !== undefined) fsyncSync(this.#file);
  }

  remove(): void {
    if (this.#path !== undefined) unlinkSync(this.#path);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}
