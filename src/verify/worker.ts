import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import type { VerifyTarget } from './options.ts';
import { type RunSettings, verifyOneOfMany } from './run.ts';

/** What the pool asks of a worker, and what it gets back. */
export interface WorkItem {
  readonly index: number;
  readonly target: VerifyTarget;
}

// A worker thread of the pool: verifies what it is sent, one target at a time.
const port = parentPort;
port?.on('message', async ({ index, target }: WorkItem) => {
  try {
    const { packed, ...report } = await verifyOneOfMany(target, workerData as RunSettings);
    port.postMessage({ index, report, packed: packed?.data });
  } catch (error) {
    port.postMessage({ index, error: inspect(error) });
  }
});
