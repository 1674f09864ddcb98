import { PoolWorker } from '../verify/pool-worker.ts';
import { type BatchOutcome, type ExportBatch, type ExportSettings, exportBatch } from './batch.ts';
import { outcomeOf, type ThreadAnswer } from './thread-answer.ts';

/** How many batches are worked on at a time, and by what. */
export interface ExportPool {
  /** Threads; 0 for none: all is done in this one. */
  readonly jobs: number;
  /** The compiled worker; without it everything runs in this thread. */
  readonly workerUrl: URL | undefined;
  readonly signal: AbortSignal;
}

type Thread = PoolWorker<ExportBatch, ThreadAnswer>;

async function askThread(thread: Thread, batch: ExportBatch): Promise<BatchOutcome> {
  const answer = await thread.answer(batch);
  if (answer instanceof Error) throw answer;
  return outcomeOf(answer);
}

/** So many batches may be done and wait for one before them: their rows lie on the disk. */
const AHEAD_PER_JOB = 4;

/** Works on batches, and hands over what came of them in their order, one at a time. Rejects with the first failure. */
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
  /** Of each thread that has work: resolves to it when it has none any more. */
  const busy = new Map<Thread, Promise<Thread>>();
  const told: Promise<void>[] = [Promise.resolve()];
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
      const before = told.at(-1);
      const next = (async () => {
        await before;
        await sink(batch, await outcome);
      })();
      // It is looked at below; until then a failure is no unhandled one.
      next.catch(() => {});
      outcome.catch(() => {});
      told.push(next);
      await told.at(-1 - jobs * AHEAD_PER_JOB);
    }
    await told.at(-1);
  } finally {
    signal.removeEventListener('abort', stop);
    await stop();
  }
  signal.throwIfAborted();
}
