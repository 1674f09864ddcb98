import { LogError } from '../base/errors.ts';
import type { PortFile } from '../base/files/port.ts';
import { type Intent, intentBytes, readLock } from './lock-file.ts';
import type { WriterSystem } from './system.ts';
import { retried, writeAll } from './system-calls.ts';

/** In milliseconds. The lock of a writer on another machine expires after this time without a sign of life. */
export const SILENCE_MS = 10_000;
/** In milliseconds. How often the holder shows a sign of life during long work. */
const BEAT_MS = 1000;

/** A held lock. Nobody else writes until it is released. */
export class HeldLock {
  /** The number of bytes of a dead writer that were removed. */
  readonly undone: number;
  readonly #system: WriterSystem;
  readonly #path: string;
  readonly #token: string;
  readonly #file: PortFile;
  #beatAt: number;
  #released = false;

  constructor(system: WriterSystem, path: string, token: string, file: PortFile, undone: number) {
    this.#system = system;
    this.#path = path;
    this.#token = token;
    this.#file = file;
    this.undone = undone;
    this.#beatAt = system.now();
  }

  /** Records what is about to be written, so that the next writer can undo it if this one dies. */
  async intend(intent: Intent): Promise<void> {
    await this.#requireOwn();
    await writeAll(this.#file, intentBytes(intent));
  }

  /** Shows a sign of life. */
  async beat(): Promise<void> {
    if (this.#system.now() - this.#beatAt < BEAT_MS) return;
    this.#beatAt = this.#system.now();
    await this.#file.touch();
  }

  /** Whether this writer still has the lock. After a long pause, another machine may have taken it over. */
  async isOwn(): Promise<boolean> {
    return (await readLock(this.#system.files, this.#path))?.token === this.#token;
  }

  /** Releases the lock, which makes the written events final. Throws if the lock could not be removed. */
  async release(): Promise<void> {
    if (this.#released) return;
    try {
      await retried(() => this.#system.files.remove(this.#path));
    } catch (error) {
      if (await this.isOwn()) throw error;
    }
    this.#released = true;
    await this.close();
  }

  /** Closes the file but keeps the lock. */
  async close(): Promise<void> {
    await this.#file.close().catch(() => {});
  }

  async #requireOwn(): Promise<void> {
    if (this.#system.now() - this.#beatAt < SILENCE_MS / 2 || (await this.isOwn())) return;
    const message =
      'another writer took the lock, because this one did not renew it in time: nothing was written';
    throw new LogError('log-locked', message, { place: { file: this.#path }, hint: 'try again' });
  }
}
