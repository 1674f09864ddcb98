import { Worker } from 'node:worker_threads';
import type { VerifyTarget } from '../findings/options.ts';
import type { EpisodeReport } from '../findings/report.ts';
import { acceleratorUse } from '../log/accelerator/use.ts';
import { optionsOf, type RunSettings, verifyOneOfMany } from './run.ts';
import { internalReport } from './verify-episode.ts';

/** How many targets are verified at a time, and by what. */
export interface PoolOptions {
  /** Threads; 0 for none: all is done in this one. */
  readonly jobs: number;
  /** The compiled worker; without it everything runs in this thread. */
  readonly workerUrl: URL | undefined;
  readonly signal: AbortSignal;
  /** Called whenever one more target is done. */
  readonly onProgress: (done: number) => void;
}

/** A target that a worker is to verify. */
export interface WorkItem {
  readonly index: number;
  readonly target: VerifyTarget;
}

/** What a worker says of a target. */
export type Answer =
  | { readonly index: number; readonly error: string }
  | {
      readonly index: number;
      readonly error?: never;
      readonly report: EpisodeReport;
    };

/** Starting a worker takes as long as verifying some dozens of small episodes. */
const MIN_TARGETS_PER_WORKER = 16;
const MIN_BYTES_PER_WORKER = 8 * 1024 * 1024;

/**
 * How many workers are worth starting; 0 where this thread is as quick. Even one target is given to a worker where it
 * is large, for this thread is the one that hears signals. The bytes are asked for only where the targets are few.
 */
export async function usefulJobs(
  jobs: number,
  targets: number,
  bytes: () => number | Promise<number>,
): Promise<number> {
  const byCount = Math.floor(targets / MIN_TARGETS_PER_WORKER);
  if (byCount >= jobs && jobs > 1) return jobs;
  const byBytes = Math.floor((await bytes()) / MIN_BYTES_PER_WORKER);
  const useful = Math.min(jobs, targets, Math.max(byCount, byBytes));
  return useful > 1 || byBytes > 0 ? Math.max(1, useful) : 0;
}

/** What a worker gets at a time: its share of an eighth of what is left, so that all end together, and never many. */
const MAX_BATCH = 32;

const batchOf = (left: number, jobs: number): number =>
  Math.max(1, Math.min(MAX_BATCH, Math.floor(left / (jobs * 8))));

async function verifyHere(targets: readonly VerifyTarget[], settings: RunSettings, options: PoolOptions) {
  const reports: EpisodeReport[] = [];
  for (const target of targets) {
    options.signal.throwIfAborted();
    reports.push(await verifyOneOfMany(target, settings));
    options.onProgress(reports.length);
  }
  return reports;
}

/** One thread that answers batch after batch. */
class PoolWorker {
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

/** The targets on their way through the threads. */
class Queue {
  readonly #targets: readonly VerifyTarget[];
  readonly #settings: RunSettings;
  readonly #options: PoolOptions;
  readonly reports: (EpisodeReport | undefined)[];
  #given = 0;
  #finished = 0;
  /** Of a batch whose thread died: each gets a thread's whole attention, so that the one to blame is found. */
  #alone: WorkItem[] = [];

  constructor(targets: readonly VerifyTarget[], settings: RunSettings, options: PoolOptions) {
    this.#targets = targets;
    this.#settings = settings;
    this.#options = options;
    this.reports = targets.map(() => undefined);
  }

  next(): readonly WorkItem[] {
    const alone = this.#alone.pop();
    if (alone) return [alone];
    const from = this.#given;
    this.#given = Math.min(
      this.#targets.length,
      from + batchOf(this.#targets.length - from, this.#options.jobs),
    );
    return this.#targets.slice(from, this.#given).map((target, offset) => ({ index: from + offset, target }));
  }

  take(items: readonly WorkItem[], answers: readonly Answer[]): void {
    for (const answer of answers) {
      const { index } = answer;
      if (answer.error === undefined) {
        this.#done(index, answer.report);
      } else {
        const item = items.find((one) => one.index === index);
        if (item) this.#fail(item, answer.error);
      }
    }
  }

  /** Nobody knows which target of a batch a thread died of; one that was alone with it is to blame. */
  takeDeath(items: readonly WorkItem[], error: Error): void {
    const [only] = items;
    if (items.length === 1 && only) this.#fail(only, error);
    else this.#alone.push(...items);
  }

  #fail({ index, target }: WorkItem, error: unknown): void {
    this.#done(index, internalReport(target, optionsOf(this.#settings), error));
  }

  #done(index: number, report: EpisodeReport): void {
    this.reports[index] = report;
    this.#options.onProgress(++this.#finished);
  }
}

/** One thread after the other, as long as there are targets: one that dies is replaced. */
async function work(
  queue: Queue,
  start: () => PoolWorker,
  running: Set<PoolWorker>,
  signal: AbortSignal,
): Promise<void> {
  let worker: PoolWorker | undefined;
  try {
    for (let items = queue.next(); items.length > 0 && !signal.aborted; items = queue.next()) {
      worker ??= start();
      running.add(worker);
      const outcome = await worker.answer(items);
      if (!(outcome instanceof Error)) {
        queue.take(items, outcome);
        continue;
      }
      if (signal.aborted) return;
      queue.takeDeath(items, outcome);
      running.delete(worker);
      worker = undefined;
    }
  } finally {
    if (worker) running.delete(worker);
    await worker?.stop();
  }
}

/**
 * Verifies many targets, in their order whatever the number of workers: the same input gives the same reports. Each
 * worker holds one target at a time, and one that dies of a target leaves a finding of that target. Rejects with the
 * signal's reason when it is aborted.
 */
export async function verifyAll(
  targets: readonly VerifyTarget[],
  settings: RunSettings,
  options: PoolOptions,
): Promise<EpisodeReport[]> {
  const { jobs, workerUrl, signal } = options;
  if (jobs < 1 || workerUrl === undefined) return verifyHere(targets, settings, options);
  signal.throwIfAborted();
  const queue = new Queue(targets, settings, options);
  // One listener for all workers: Node warns of a leak where a signal has more than ten.
  const running = new Set<PoolWorker>();
  const stopAll = () => {
    for (const worker of running) void worker.stop();
  };
  signal.addEventListener('abort', stopAll, { once: true });
  try {
    const start = () => new PoolWorker(workerUrl, settings);
    await Promise.all(Array.from({ length: jobs }, () => work(queue, start, running, signal)));
  } finally {
    signal.removeEventListener('abort', stopAll);
  }
  signal.throwIfAborted();
  return queue.reports.filter((report) => report !== undefined);
}
