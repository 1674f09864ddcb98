import { Worker } from 'node:worker_threads';
import type { VerifyTarget } from '../findings/options.ts';
import { acceleratorUse } from '../log/accelerator/use.ts';
import type { Verified } from './jobs.ts';

export interface WorkItem {
  readonly index: number;
  readonly target: VerifyTarget;
}

/** A worker's answer about a target. */
export type Answer =
  | { readonly index: number; readonly error: string }
  | { readonly index: number; readonly error?: never; readonly verified: Verified };

/** A thread that answers one batch at a time. */
export class PoolWorker<Sent = readonly WorkItem[], Answered = readonly Answer[]> {
  readonly #worker: Worker;
  #settle: ((outcome: Answered | Error) => void) | undefined;
  /** Why the thread ended; undefined while it runs. */
  #death: Error | undefined;

  /** `settings`: plain data that the thread receives at its start. */
  constructor(url: URL, settings: object) {
    this.#worker = new Worker(url, { workerData: { ...settings, accelerator: acceleratorUse() } });
    this.#worker.on('message', (answers: Answered) => this.#answer(answers));
    this.#worker.on('error', (error) => this.#die(error));
    this.#worker.on('exit', (code) => this.#die(new Error(`its thread ended with code ${code}`)));
  }

  /** The answer to a batch, or the error that ended the thread. */
  answer(items: Sent): Promise<Answered | Error> {
    if (this.#death) return Promise.resolve(this.#death);
    this.#worker.postMessage(items);
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #answer(outcome: Answered | Error): void {
    this.#settle?.(outcome);
    this.#settle = undefined;
  }

  #die(error: Error): void {
    this.#death ??= error;
    this.#answer(this.#death);
  }
}
