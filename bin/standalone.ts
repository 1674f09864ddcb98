import exportWorker from 'embedded:src/export/worker.ts';
import hashWorker from 'embedded:src/files/hash-worker.ts';
import worker from 'embedded:src/verify/worker.ts';
import { start } from './start.ts';

// The beginning of a program that is a single file: its threads are texts in it, and no file lies beside it.

/** A module that lies in memory. */
const moduleOf = (text: string): URL =>
  new URL(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);

start(() => ({
  get workerUrl() {
    return moduleOf(worker);
  },
  get exportWorkerUrl() {
    return moduleOf(exportWorker);
  },
  get hashWorkerUrl() {
    return moduleOf(hashWorker);
  },
}));
