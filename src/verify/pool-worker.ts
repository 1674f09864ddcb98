import { Worker } from 'node:worker_threads';
import type { VerifyTarget } from '../findings/options.ts';
import { acceleratorUse } from '../log/accelerator/use.ts';
import type { Verified } from './jobs.ts';
import type { RunSettings } from './run.ts';

/** A target that a worker is to verify. */
export interface WorkItem {
  readonly index: number;
  readonly target: VerifyTarget;
}

/** What a worker says of a target. */
export type Answer =
  | { readonly index: number; readonly error: string }
  | { readonly index: number; readonly error?: never; readonly verified: Verified };

/** One thread that answers batch after batch. */
export class PoolWorker {
  readonly #worker: Worker;
  #settle: ((outcome: readonly Answer[] | Error) => void) | undefined;
  /** Why the thread has ended; undefined while it lives. */
  #death: Error | undefined;

  constructor(url: URL, settings: RunSettings) {
    this.#worker = new Worker(url, { workerData: { ...settings, accelerator: acceleratorUse() } });
    this.#worker.on('message', (answers: readonly Answer[]) => this.#answer(answers));
    this.#worker.on('error', (error) => this.#die(error));
    this.#worker.on('exit', (code) => this.#die(new Error(`its thread ended with code ${code}`)));
  }

  /** What the thread says of a batch, or the error it died of. */
  answer(items: readonly WorkItem[]): Promise<readonly Answer[] | Error> {
    if (this.#death) return Promise.resolve(this.#death);
    this.#worker.postMessage(items);
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #answer(outcome: readonly Answer[] | Error): void {
    this.#settle?.(outcome);
    this.#settle = undefined;
  }

  #die(error: Error): void {
    this.#death ??= error;
    this.#answer(this.#death);
  }
}
