import type { WriterWorld } from './world.ts';

/** How long a lock is waited for. */
const WAIT_MS = 30_000;
/** After so long it is told who is waited for: writers that take turns hold a lock for milliseconds. */
const TELL_AFTER_MS = 1000;

export interface LockOptions {
  /** How long a lock is waited for, in milliseconds: 30 s when absent. */
  readonly waitMs?: number | undefined;
  /** Ends the waiting with `log-locked`. Where it was aborted before, its reason is thrown and nothing is done. */
  readonly signal?: AbortSignal | undefined;
  /** Told once, after a second of waiting, who holds the lock: `process 4711 on host`. */
  readonly onWaiting?: ((holder: string) => Promise<void> | void) | undefined;
}

/** The waiting for one lock. */
export class LockWait {
  readonly #world: WriterWorld;
  readonly #options: LockOptions;
  readonly #since: number;
  #isTold = false;

  constructor(world: WriterWorld, options: LockOptions) {
    this.#world = world;
    this.#options = options;
    this.#since = world.now();
  }

  /** Waits a little longer; false where there is no time left, or nobody waits any more. */
  async longer(pauseMs: number, holder: string): Promise<boolean> {
    const { waitMs = WAIT_MS, signal, onWaiting } = this.#options;
    const waitedMs = this.#world.now() - this.#since;
    if (signal?.aborted === true || waitedMs >= waitMs) return false;
    if (!this.#isTold && waitedMs >= TELL_AFTER_MS) {
      this.#isTold = true;
      await onWaiting?.(holder);
    }
    await this.#world.sleep(pauseMs, signal);
    return true;
  }
}
