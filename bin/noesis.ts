#!/usr/bin/env node
import { start } from './start.ts';

await start(() => ({
  workerUrl: new URL('../src/verify/worker.js', import.meta.url),
  exportWorkerUrl: new URL('../src/export/worker.js', import.meta.url),
  hashWorkerUrl: new URL('../src/files/hash-worker.js', import.meta.url),
}));
