import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { withFormats } from '../dialects/registry.ts';
import { type AcceleratorUse, useAccelerator } from '../log/accelerator/use.ts';
import type { Answer, WorkItem } from './pool-worker.ts';
import { type RunSettings, verifyJob } from './run.ts';

const { accelerator, ...settings } = (workerData ?? {}) as RunSettings & {
  readonly accelerator?: AcceleratorUse;
};
if (accelerator !== undefined) useAccelerator(accelerator);

const { formats = { named: {} } } = settings;

async function answerTo({ index, target }: WorkItem): Promise<Answer> {
  try {
    return { index, verified: await withFormats(formats, () => verifyJob(target, settings)) };
  } catch (error) {
    return { index, error: inspect(error) };
  }
}

// A worker thread of the pool. It verifies one target at a time.
const port = parentPort;
port?.on('message', async (items: readonly WorkItem[]) => {
  const answers: Answer[] = [];
  for (const item of items) answers.push(await answerTo(item));
  port.postMessage(answers);
});
