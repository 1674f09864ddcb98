import { setImmediate } from 'node:timers/promises';

/** Other work, such as a signal handler, gets a turn after this time. */
export const TURN_MS = 50;

/** Decides when a long task should yield. */
export class Turns {
  // Not `performance`, which takes a millisecond to load.
  #since = Date.now();

  get isDue(): boolean {
    return Date.now() - this.#since >= TURN_MS;
  }

  async give(): Promise<void> {
    await setImmediate();
    this.#since = Date.now();
  }
}
