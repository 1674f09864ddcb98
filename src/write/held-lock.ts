import { LogError } from '../errors.ts';
import type { PortFile } from '../files/port.ts';
import { type Intent, intentBytes, readLock } from './lock-file.ts';
import { retried, writeAll } from './system-calls.ts';
import type { WriterWorld } from './world.ts';

/** A writer on another machine is given up when its lock has shown no sign of life for so long. */
export const SILENCE_MS = 10_000;
/** How often a holder at long work shows a sign of life. */
const BEAT_MS = 1000;

/** A lock that is held: nobody else writes until it is released. */
export class HeldLock {
  /** How many bytes of a dead writer were taken back. */
  readonly undone: number;
  readonly #world: WriterWorld;
  readonly #path: string;
  readonly #token: string;
  readonly #file: PortFile;
  #beatAt: number;
  #released = false;

  constructor(world: WriterWorld, path: string, token: string, file: PortFile, undone: number) {
    this.#world = world;
    this.#path = path;
    this.#token = token;
    this.#file = file;
    this.undone = undone;
    this.#beatAt = world.now();
  }

  /** Says what is about to be written: whoever finds this writer dead takes it back. */
  async intend(intent: Intent): Promise<void> {
    await this.#requireOwn();
    await writeAll(this.#file, intentBytes(intent));
  }

  /** A sign of life, while the work takes long. */
  async beat(): Promise<void> {
    if (this.#world.now() - this.#beatAt < BEAT_MS) return;
    this.#beatAt = this.#world.now();
    await this.#file.touch();
  }

  /** Whether the lock is this one still: a writer that slept may have been taken for dead from another machine. */
  async isOwn(): Promise<boolean> {
    return (await readLock(this.#world.files, this.#path))?.token === this.#token;
  }

  /** From here on what was written counts. Throws where the lock is still there. */
  async release(): Promise<void> {
    if (this.#released) return;
    try {
      await retried(() => this.#world.files.remove(this.#path));
    } catch (error) {
      if (await this.isOwn()) throw error;
    }
    this.#released = true;
    await this.close();
  }

  /** Lets go of the file, and leaves the lock where it is. */
  async close(): Promise<void> {
    await this.#file.close().catch(() => {});
  }

  async #requireOwn(): Promise<void> {
    if (this.#world.now() - this.#beatAt < SILENCE_MS / 2 || (await this.isOwn())) return;
    const message = 'this writer was silent for so long that another took its lock: nothing was written';
    throw new LogError('log-locked', message, { place: { file: this.#path }, hint: 'try again' });
  }
}
