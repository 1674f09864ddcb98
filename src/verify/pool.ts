import { Worker } from 'node:worker_threads';
import type { VerifyTarget } from '../findings/options.ts';
import type { EpisodeReport } from '../findings/report.ts';
import { type RunSettings, verifyOneOfMany } from './run.ts';

/** How many targets are verified at a time, and by what. */
export interface PoolOptions {
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

/** How many workers are worth starting. The bytes are asked for only where the targets are few. */
export async function usefulJobs(
  jobs: number,
  targets: number,
  bytes: () => number | Promise<number>,
): Promise<number> {
  const byCount = Math.floor(targets / MIN_TARGETS_PER_WORKER);
  if (byCount >= jobs) return Math.max(1, jobs);
  const byBytes = Math.floor((await bytes()) / MIN_BYTES_PER_WORKER);
  return Math.max(1, Math.min(jobs, targets, Math.max(byCount, byBytes)));
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

/** One worker's loop: as long as there are targets, the next ones go to whoever is free. */
function runWorker(
  url: URL,
  settings: RunSettings,
  next: () => WorkItem[],
  done: (index: number, report: EpisodeReport) => void,
  signal: AbortSignal,
  stops: Set<() => void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(url, { workerData: settings });
    const stop = () => void worker.terminate();
    stops.add(stop);
    const give = () => {
      const items = next();
      if (items.length > 0) worker.postMessage(items);
      else worker.terminate().then(() => resolve(), reject);
    };
    worker.on('message', (answers: Answer[]) => {
      for (const answer of answers) {
        if (answer.error !== undefined) {
          reject(new Error(answer.error));
          stop();
          return;
        }
        done(answer.index, answer.report);
      }
      give();
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      stops.delete(stop);
      if (signal.aborted) reject(signal.reason);
      resolve();
    });
    give();
  });
}

/**
 * Verifies many targets, in their order whatever the number of workers: the same input gives the same reports. Each
 * worker holds one target at a time. Rejects with the signal's reason when it is aborted.
 */
export async function verifyAll(
  targets: readonly VerifyTarget[],
  settings: RunSettings,
  options: PoolOptions,
): Promise<EpisodeReport[]> {
  const { jobs, workerUrl, signal, onProgress } = options;
  if (jobs <= 1 || workerUrl === undefined) return verifyHere(targets, settings, options);
  const reports: (EpisodeReport | undefined)[] = targets.map(() => undefined);
  let given = 0;
  let finished = 0;
  const next = () => {
    const from = given;
    given = Math.min(targets.length, from + batchOf(targets.length - from, jobs));
    return targets.slice(from, given).map((target, offset) => ({ index: from + offset, target }));
  };
  const done = (index: number, report: EpisodeReport) => {
    reports[index] = report;
    onProgress(++finished);
  };
  // One listener for all workers: Node warns of a leak where a signal has more than ten.
  const stops = new Set<() => void>();
  const stopAll = () => {
    for (const stop of stops) stop();
  };
  signal.addEventListener('abort', stopAll, { once: true });
  try {
    const work = () => runWorker(workerUrl, settings, next, done, signal, stops);
    await Promise.all(Array.from({ length: jobs }, work));
  } finally {
    signal.removeEventListener('abort', stopAll);
  }
  signal.throwIfAborted();
  return reports.filter((report) => report !== undefined);
}
