import type { VerifyTarget } from '../findings/options.ts';
import type { JobSource, Verified } from './jobs.ts';
import { PoolWorker } from './pool-worker.ts';
import { finished, Queue } from './queue.ts';
import { optionsOf, type RunSettings, verifyJob } from './run.ts';
import { internalReport } from './verify-episode.ts';

export interface PoolOptions {
  /** The number of threads; 0: work in this thread. */
  readonly jobs: number;
  /** The compiled worker; undefined: work in this thread. */
  readonly workerUrl: URL | undefined;
  readonly signal: AbortSignal;
  /** Called after each target. */
  readonly onProgress: (done: number) => void;
}

/** From this many targets on, a worker verifies them. */
export const MANY_TARGETS = 96;
/** Every worker compiles the program again, which takes as long as verifying hundreds of small episodes. */
const MIN_TARGETS_PER_WORKER = 1500;
/** Starting two workers takes as long as verifying logs of 60 MB. */
const MIN_BYTES_PER_WORKER = 32 * 1024 * 1024;

/**
 * The number of workers worth starting, or 0 if this thread is as fast: a single worker must load the program
 * again while this thread waits. Many or large targets always get a worker, because a target that exhausts memory
 * then ends only its worker. Calls `bytes` only if the number of targets does not decide.
 */
export async function usefulJobs(
  jobs: number,
  targets: number,
  bytes: () => number | Promise<number>,
): Promise<number> {
  if (targets < 2) return 0;
  const most = Math.min(jobs, targets);
  const byCount = targets < MANY_TARGETS ? 0 : Math.max(1, Math.floor(targets / MIN_TARGETS_PER_WORKER));
  if (byCount >= Math.max(most, 1)) return most;
  const byBytes = Math.floor((await bytes()) / MIN_BYTES_PER_WORKER);
  return Math.min(most, Math.max(byCount, byBytes));
}

/** Verifies in this thread. */
async function eachHere(
  source: JobSource,
  settings: RunSettings,
  { signal, onProgress }: PoolOptions,
  sink: (verified: Verified) => void | Promise<void>,
): Promise<void> {
  let done = 0;
  for (let job = await source.next(); job !== undefined; job = await source.next()) {
    signal.throwIfAborted();
    if ('wait' in job) {
      await job.wait;
      continue;
    }
    if ('known' in job) await sink({ report: job.known });
    else {
      const verified = finished(job, await verifyJob(job.target, settings, signal));
      if (!verified.held) await sink(verified);
    }
    done += 1;
    onProgress(done);
  }
}

/** Runs one worker after another while there are targets, replacing those that die. */
async function work(
  queue: Queue,
  start: () => PoolWorker,
  running: Set<PoolWorker>,
  signal: AbortSignal,
): Promise<void> {
  let worker: PoolWorker | undefined;
  try {
    for (let items = await queue.next(); items.length > 0 && !signal.aborted; items = await queue.next()) {
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
 * Verifies the targets of a source and passes each report to the sink, in source order whatever the number of
 * workers. Holds a bounded number of reports. If a worker dies, the target to blame gets a finding. Rejects
 * with the signal's reason when it is aborted.
 */
export async function verifyEach(
  source: JobSource,
  settings: RunSettings,
  options: PoolOptions,
  sink: (verified: Verified) => void | Promise<void>,
): Promise<void> {
  const { jobs, workerUrl, signal, onProgress } = options;
  if (jobs < 1 || workerUrl === undefined) return eachHere(source, settings, options, sink);
  signal.throwIfAborted();
  const failed = (target: VerifyTarget, error: unknown) => internalReport(target, optionsOf(settings), error);
  const queue = new Queue(source, { jobs, sink, onProgress, failed });
  // One listener for all workers: Node warns of a leak if a signal has more than ten.
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
  await queue.drain();
}
