#!/usr/bin/env node
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { codeFolder } from './code-folder.ts';
import { loaderOf } from './loader.ts';
import { start } from './start.ts';

/** The build replaces this by a hash of the bundle. */
const BUILD = 'NOESIS_BUILD';

const NOT_RUN = 2;

const threads = {
  get workerUrl() {
    return new URL('../src/verify/worker.cjs', import.meta.url);
  },
  get exportWorkerUrl() {
    return new URL('../src/export/worker.cjs', import.meta.url);
  },
  get hashWorkerUrl() {
    return new URL('../src/files/hash-worker.js', import.meta.url);
  },
};

void start(threads, async (args) => {
  const [command = ''] = args;
  const folder = codeFolder({ env: process.env, home: homedir(), user: process.getuid?.() });
  // Help needs little of a command's code, and the stored code would never get the rest.
  const asksHelp = args.some((arg) => /^-(?:-help|[a-z]*h)$/.test(arg));
  const named = asksHelp ? 'help' : /^[a-z]+$/.test(command) ? command : 'other';
  const { load, keep } = loaderOf(
    fileURLToPath(new URL('..', import.meta.url)),
    folder === undefined ? undefined : { folder, build: BUILD, command: named },
  );
  // After a usage error, the word may not be a command.
  process.on('exit', (code) => code !== NOT_RUN && keep());
  return load('program.cjs') as typeof import('../commands/program.ts');
});
