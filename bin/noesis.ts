#!/usr/bin/env node
import { start } from './start.ts';

void start(() => ({
  workerUrl: new URL('../src/verify/worker.cjs', import.meta.url),
  exportWorkerUrl: new URL('../src/export/worker.cjs', import.meta.url),
  hashWorkerUrl: new URL('../src/files/hash-worker.js', import.meta.url),
}));
