import { parentPort, workerData } from 'node:worker_threads';
import { useFormats } from '../dialects/registry.ts';
import { NoesisError } from '../errors.ts';
import { type AcceleratorUse, useAccelerator } from '../log/accelerator/use.ts';
import { type ExportBatch, type ExportSettings, exportBatch } from './batch.ts';
import type { ThreadAnswer } from './pool.ts';

const { accelerator, ...settings } = (workerData ?? {}) as ExportSettings & {
  readonly accelerator?: AcceleratorUse;
};
if (accelerator !== undefined) useAccelerator(accelerator);
useFormats(settings.formats);

async function answerTo(batch: ExportBatch): Promise<ThreadAnswer> {
  try {
    return { outcome: await exportBatch(batch, settings) };
  } catch (error) {
    // Of an error's class nothing is left on the other side.
    if (!(error instanceof NoesisError)) return { error };
    const { code, message, place, hint } = error;
    return { failure: { code, message, place, ...(hint !== undefined && { hint }) } };
  }
}

// A worker thread of an export: one batch of targets at a time.
const port = parentPort;
port?.on('message', async (batch: ExportBatch) => {
  port.postMessage(await answerTo(batch));
});
