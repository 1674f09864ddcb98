import { PoolWorker } from '../../verify/pool-worker.ts';
import { type BatchOutcome, type ExportBatch, type ExportSettings, exportBatch } from './batch.ts';
import { outcomeOf, type ThreadAnswer } from './thread-answer.ts';

/** How many threads work on batches, and what they run. */
interface ExportPool {
  /** The number of threads; 0: work in this thread. */
  readonly jobs: number;
  /** The compiled worker; undefined: work in this thread. */
  readonly workerUrl: URL | undefined;
  readonly signal: AbortSignal;
}

type Thread = PoolWorker<ExportBatch, ThreadAnswer>;

async function askThread(thread: Thread, batch: ExportBatch): Promise<BatchOutcome> {
  const answer = await thread.answer(batch);
  if (answer instanceof Error) throw answer;
  return outcomeOf(answer);
}

/** This many finished batches may wait for an earlier one. Their rows are on disk. */
const AHEAD_PER_JOB = 4;

/** Works on batches and passes on the results in order, one at a time. Rejects with the first failure. */
export async function exportEach<Batch extends ExportBatch>(
  batches: AsyncIterable<Batch>,
  settings: ExportSettings,
  { jobs, workerUrl, signal }: ExportPool,
  sink: (batch: Batch, outcome: BatchOutcome) => Promise<void>,
): Promise<void> {
  if (jobs < 1 || workerUrl === undefined) {
    for await (const batch of batches) {
      signal.throwIfAborted();
      await sink(batch, await exportBatch(batch, settings));
    }
    return;
  }
  const idle: Thread[] = Array.from({ length: jobs }, () => new PoolWorker(workerUrl, settings));
  const threads = [...idle];
  const stop = () => Promise.all(threads.map((thread) => thread.stop()));
  signal.addEventListener('abort', stop, { once: true });
  /** Busy threads, each with a promise that resolves when it is idle. */
  const busy = new Map<Thread, Promise<Thread>>();
  const taken: Promise<void>[] = [Promise.resolve()];
  try {
    for await (const batch of batches) {
      signal.throwIfAborted();
      const { targets, fragment } = batch;
      const thread = idle.pop() ?? (await Promise.race(busy.values()));
      const outcome = askThread(thread, { targets, fragment });
      const free = outcome.then(
        () => thread,
        () => thread,
      );
      busy.set(thread, free);
      const before = taken.at(-1);
      const next = (async () => {
        await before;
        await sink(batch, await outcome);
      })();
      // A failure is handled below; this prevents an unhandled rejection until then.
      next.catch(() => {});
      outcome.catch(() => {});
      taken.push(next);
      await taken.at(-1 - jobs * AHEAD_PER_JOB);
    }
    await taken.at(-1);
  } finally {
    signal.removeEventListener('abort', stop);
    await stop();
  }
  signal.throwIfAborted();
}
