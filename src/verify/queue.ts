import { pushAll } from '../base/files/push-all.ts';
import type { VerifyTarget } from '../findings/options.ts';
import type { EpisodeReport } from '../findings/report.ts';
import type { Job, JobSource, Verified } from './jobs.ts';
import type { Answer, WorkItem } from './pool-worker.ts';

/**
 * The size of a batch: a worker's share of an eighth of the rest, so all workers end together, up to this
 * limit.
 */
const MAX_BATCH = 32;

/** The maximum distance to the first unfinished job. Finished reports are held until their turn. */
const MAX_AHEAD = 2048;

export interface QueueOptions {
  /** The number of threads. */
  readonly jobs: number;
  /** Called in job order, one call at a time. */
  readonly sink: (verified: Verified) => void | Promise<void>;
  /** Called after each job. */
  readonly onProgress: (done: number) => void;
  /** Makes the report on a target whose thread failed. */
  readonly failed: (target: VerifyTarget, error: unknown) => EpisodeReport;
}

/** Applies the job's `finish` to its result. */
export function finished(job: Job | undefined, verified: Verified): Verified & { readonly held?: true } {
  if (job === undefined || !('target' in job)) return verified;
  const report = job.finish?.(verified.report) ?? verified.report;
  return { ...verified, report, ...(job.held && { held: true }) };
}

/** Gives out jobs in batches and reports results in order, holding a bounded number. */
export class Queue {
  readonly #source: JobSource;
  readonly #options: QueueOptions;
  /** Jobs that were given out and not reported, by index. */
  readonly #open = new Map<number, Job>();
  readonly #done = new Map<number, ReturnType<typeof finished>>();
  /** The jobs of a batch whose thread died. Each is run alone to find the one to blame. */
  readonly #alone: WorkItem[] = [];
  readonly #waiting: (() => void)[] = [];
  #waits: Job | undefined;
  #given = 0;
  #passedOn = 0;
  #finished = 0;
  #pulling: Promise<unknown> = Promise.resolve();
  #reporting: Promise<void> | undefined;
  #failure: unknown;

  constructor(source: JobSource, options: QueueOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** The next batch; empty if nothing is left. */
  async next(): Promise<readonly WorkItem[]> {
    while (
      this.#alone.length === 0 &&
      this.#given - this.#passedOn >= MAX_AHEAD &&
      this.#failure === undefined
    )
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#failure !== undefined) throw this.#failure;
    const alone = this.#alone.pop();
    if (alone) return [alone];
    const pulled = this.#pulling.then(() => this.#pull());
    this.#pulling = pulled.catch(() => {});
    return pulled;
  }

  take(items: readonly WorkItem[], answers: readonly Answer[]): void {
    for (const answer of answers) {
      if (answer.error === undefined) this.#finish(answer.index, answer.verified);
      else {
        for (const item of items) if (item.index === answer.index) this.#fail(item, answer.error);
      }
    }
  }

  /** Handles the death of a thread. The target is only to blame if it was alone in its batch. */
  takeDeath(items: readonly WorkItem[], error: Error): void {
    const [only] = items;
    if (items.length === 1 && only) this.#fail(only, error);
    else pushAll(this.#alone, items);
    this.#wake();
  }

  /** Resolves when all finished jobs have been reported. */
  async drain(): Promise<void> {
    await this.#reporting;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #pull(): Promise<readonly WorkItem[]> {
    const items: WorkItem[] = [];
    const share = Math.floor(this.#source.left() / (this.#options.jobs * 8));
    const most = Math.max(1, Math.min(MAX_BATCH, share));
    while (items.length < most) {
      const job = this.#waits ?? (await this.#source.next());
      this.#waits = undefined;
      if (job === undefined) break;
      if ('wait' in job) {
        // The barrier may wait for jobs of this batch, so the batch goes first.
        if (items.length > 0) {
          this.#waits = job;
          break;
        }
        await job.wait;
        continue;
      }
      const index = this.#given;
      this.#given += 1;
      this.#open.set(index, job);
      if ('known' in job) this.#finish(index, { report: job.known });
      else items.push({ index, target: job.target });
    }
    return items;
  }

  #fail({ index, target }: WorkItem, error: unknown): void {
    this.#finish(index, { report: this.#options.failed(target, error) });
  }

  #finish(index: number, verified: Verified): void {
    const job = this.#open.get(index);
    this.#open.delete(index);
    this.#done.set(index, finished(job, verified));
    this.#options.onProgress(++this.#finished);
    this.#reporting ??= this.#passOn();
  }

  async #passOn(): Promise<void> {
    // Lets the caller continue before the sink is called, which may throw.
    await Promise.resolve();
    try {
      for (
        let next = this.#done.get(this.#passedOn);
        next !== undefined;
        next = this.#done.get(this.#passedOn)
      ) {
        this.#done.delete(this.#passedOn);
        if (!next.held) await this.#options.sink(next);
        this.#passedOn += 1;
      }
    } catch (error) {
      this.#failure = error;
    }
    this.#reporting = undefined;
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
