import { Worker } from 'node:worker_threads';
import type { VerifyTarget } from './options.ts';
import { PackedFindings, type PackedFindingsData } from './packed-findings.ts';
import type { EpisodeReport } from './report.ts';
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

/** What a worker says of a target. */
export type Answer =
  | { readonly index: number; readonly error: string }
  | {
      readonly index: number;
      readonly error?: never;
      readonly report: EpisodeReport;
      /** The findings where they are packed: a class does not pass between threads. */
      readonly packed?: PackedFindingsData | undefined;
    };

/** Starting a worker takes as long as verifying some dozens of small episodes. */
const MIN_TARGETS_PER_WORKER = 16;
const MIN_BYTES_PER_WORKER = 8 * 1024 * 1024;

/** How many workers are worth starting. */
export function usefulJobs(jobs: number, targets: number, bytes: number): number {
  const byCount = Math.floor(targets / MIN_TARGETS_PER_WORKER);
  const byBytes = Math.floor(bytes / MIN_BYTES_PER_WORKER);
  return Math.max(1, Math.min(jobs, targets, Math.max(byCount, byBytes)));
}

async function verifyHere(targets: readonly VerifyTarget[], settings: RunSettings, options: PoolOptions) {
  const reports: EpisodeReport[] = [];
  for (const target of targets) {
    options.signal.throwIfAborted();
    reports.push(await verifyOneOfMany(target, settings));
    options.onProgress(reports.length);
  }
  return reports;
}

/** One worker's loop: as long as there are targets, the next one goes to whoever is free. */
function runWorker(
  url: URL,
  settings: RunSettings,
  next: () => { index: number; target: VerifyTarget } | undefined,
  done: (index: number, report: EpisodeReport) => void,
  signal: AbortSignal,
  stops: Set<() => void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(url, { workerData: settings });
    const stop = () => void worker.terminate();
    stops.add(stop);
    const give = () => {
      const item = next();
      if (item) worker.postMessage(item);
      else worker.terminate().then(() => resolve(), reject);
    };
    worker.on('message', (answer: Answer) => {
      if (answer.error !== undefined) {
        reject(new Error(answer.error));
        stop();
        return;
      }
      const { index, report, packed } = answer;
      done(index, packed ? { ...report, packed: new PackedFindings(packed) } : report);
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
    const index = given++;
    const target = targets[index];
    return target && { index, target };
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
