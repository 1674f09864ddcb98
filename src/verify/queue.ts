import type { VerifyTarget } from '../findings/options.ts';
import type { EpisodeReport } from '../findings/report.ts';
import type { Job, JobSource, Verified } from './jobs.ts';
import type { Answer, WorkItem } from './pool-worker.ts';

/** What a worker gets at a time: its share of an eighth of what is left, so that all end together, and never many. */
const MAX_BATCH = 32;

/** So many may be ahead of the first that is not done: what they gave is held until its turn comes. */
const MAX_AHEAD = 2048;

/** How the queue tells what it has. */
export interface QueueOptions {
  /** Threads that ask it. */
  readonly jobs: number;
  /** Called in the order of the jobs, one at a time. */
  readonly sink: (verified: Verified) => void | Promise<void>;
  /** Called whenever one more is done. */
  readonly onProgress: (done: number) => void;
  /** What is said of a target whose thread failed. */
  readonly failed: (target: VerifyTarget, error: unknown) => EpisodeReport;
}

/** What came of a job, as whoever made it has it told. */
export function finished(job: Job | undefined, verified: Verified): Verified & { readonly held?: true } {
  if (job === undefined || !('target' in job)) return verified;
  const report = job.finish?.(verified.report) ?? verified.report;
  return { ...verified, report, ...(job.held && { held: true }) };
}

/** The jobs on their way through the threads: given out in batches, told in their order, never many at a time. */
export class Queue {
  readonly #source: JobSource;
  readonly #options: QueueOptions;
  /** Those that were given out and not told, by their index. */
  readonly #open = new Map<number, Job>();
  readonly #done = new Map<number, ReturnType<typeof finished>>();
  /** Of a batch whose thread died: each gets a thread's whole attention, so that the one to blame is found. */
  readonly #alone: WorkItem[] = [];
  readonly #waiting: (() => void)[] = [];
  #waits: Job | undefined;
  #given = 0;
  #told = 0;
  #finished = 0;
  #pulling: Promise<unknown> = Promise.resolve();
  #telling: Promise<void> | undefined;
  #failure: unknown;

  constructor(source: JobSource, options: QueueOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** The next batch; empty when there is nothing left to give. */
  async next(): Promise<readonly WorkItem[]> {
    while (this.#alone.length === 0 && this.#given - this.#told >= MAX_AHEAD && this.#failure === undefined)
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

  /** Nobody knows which target of a batch a thread died of; one that was alone with it is to blame. */
  takeDeath(items: readonly WorkItem[], error: Error): void {
    const [only] = items;
    if (items.length === 1 && only) this.#fail(only, error);
    else this.#alone.push(...items);
    this.#wake();
  }

  /** Resolves when all that is done has been told. */
  async drain(): Promise<void> {
    await this.#telling;
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
        // What it waits for may be in this very batch, which is given first.
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
    this.#telling ??= this.#tell();
  }

  async #tell(): Promise<void> {
    // What called this goes on first: it may throw, and so it must not run within.
    await Promise.resolve();
    try {
      for (let next = this.#done.get(this.#told); next !== undefined; next = this.#done.get(this.#told)) {
        this.#done.delete(this.#told);
        if (!next.held) await this.#options.sink(next);
        this.#told += 1;
      }
    } catch (error) {
      this.#failure = error;
    }
    this.#telling = undefined;
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
