import { setImmediate } from 'node:timers/promises';

/** Other work, a signal above all, gets its turn after so long. */
export const TURN_MS = 50;

/** Tells long work when it is the turn of other work. */
export class Turns {
  #since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#since >= TURN_MS;
  }

  async give(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
