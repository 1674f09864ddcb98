import { getAsset } from 'node:sea';
import { start } from './start.ts';

// The entry point of the single-file executable. Its threads are assets in the file, read when started.

/** A thread, as embedded by scripts/build-binary.mjs. */
const moduleOf = (name: string): URL =>
  new URL(`data:text/javascript;base64,${Buffer.from(getAsset(name)).toString('base64')}`);

const threads = {
  get workerUrl() {
    return moduleOf('src/verify/worker.ts');
  },
  get exportWorkerUrl() {
    return moduleOf('src/export/worker.ts');
  },
  get hashWorkerUrl() {
    return moduleOf('src/files/hash-worker.ts');
  },
};

void start(threads, () => import('../commands/program.ts'));
