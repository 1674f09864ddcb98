import type { WriterSystem } from './system.ts';

/** In milliseconds. How long to wait for a lock. */
const WAIT_MS = 30_000;
/** In milliseconds. After this time the user sees who holds the lock. */
const REPORT_AFTER_MS = 1000;

export interface LockOptions {
  /** How long to wait for the lock, in milliseconds; by default 30 s. */
  readonly waitMs?: number | undefined;
  /**
   * Aborting ends the wait with `log-locked`. If it is already aborted, throws its reason and does nothing.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called once, after a second of waiting, with the holder: `process 4711 on host`. */
  readonly onWaiting?: ((holder: string) => Promise<void> | void) | undefined;
}

export class LockWait {
  readonly #system: WriterSystem;
  readonly #options: LockOptions;
  readonly #since: number;
  #isReported = false;

  constructor(system: WriterSystem, options: LockOptions) {
    this.#system = system;
    this.#options = options;
    this.#since = system.now();
  }

  /** Waits a little longer; false if the time is up or the signal was aborted. */
  async longer(pauseMs: number, holder: string): Promise<boolean> {
    const { waitMs = WAIT_MS, signal, onWaiting } = this.#options;
    const waitedMs = this.#system.now() - this.#since;
    if (signal?.aborted === true || waitedMs >= waitMs) return false;
    if (!this.#isReported && waitedMs >= REPORT_AFTER_MS) {
      this.#isReported = true;
      await onWaiting?.(holder);
    }
    await this.#system.sleep(pauseMs, signal);
    return true;
  }
}
