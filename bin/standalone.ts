import { getAsset } from 'node:sea';
import { start } from './start.ts';

// The beginning of a program that is a single file: its threads are assets in that file, each read when it is started.

/** A thread as scripts/build-binary.mjs put it in. */
const moduleOf = (name: string): URL =>
  new URL(`data:text/javascript;base64,${Buffer.from(getAsset(name)).toString('base64')}`);

start(() => ({
  get workerUrl() {
    return moduleOf('src/verify/worker.ts');
  },
  get exportWorkerUrl() {
    return moduleOf('src/export/worker.ts');
  },
  get hashWorkerUrl() {
    return moduleOf('src/files/hash-worker.ts');
  },
}));
