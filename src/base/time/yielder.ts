import { setImmediate } from 'node:timers/promises';

/** In milliseconds: other work, such as a signal handler, waits no longer than this. */
export const YIELD_MS = 50;

/** Lets other work run during a long task. */
export class Yielder {
  // Not `performance`, which takes a millisecond to load.
  #since = Date.now();

  get isDue(): boolean {
    return Date.now() - this.#since >= YIELD_MS;
  }

  async yield(): Promise<void> {
    await setImmediate();
    this.#since = Date.now();
  }
}
