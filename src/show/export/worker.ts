/* v8 ignore file -- it runs in a worker thread; thread-answer.ts has the logic */
import { parentPort, workerData } from 'node:worker_threads';
import { withFormats } from '../../dialects/registry.ts';
import { type AcceleratorUse, useAccelerator } from '../../log/accelerator/use.ts';
import type { ExportBatch, ExportSettings } from './batch.ts';
import { answerTo } from './thread-answer.ts';

const { accelerator, ...settings } = workerData as ExportSettings & { readonly accelerator: AcceleratorUse };
useAccelerator(accelerator);

const { formats = { named: {} } } = settings;

// A worker thread of an export. It works on one batch at a time.
parentPort?.on('message', async (batch: ExportBatch) => {
  parentPort?.postMessage(await withFormats(formats, () => answerTo(batch, settings)));
});
