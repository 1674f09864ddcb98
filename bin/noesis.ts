#!/usr/bin/env node
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { codeFolder } from './code-folder.ts';
import { keepingLoader } from './kept-code.ts';
import { start } from './start.ts';

/** The build replaces this by a hash of the bundle. */
const BUILD = 'NOESIS_BUILD';

const NOT_RUN = 2;

const inBundle = (path: string) => new URL(`../${path}`, import.meta.url);

void start(
  inBundle,
  (command) => {
    const folder = codeFolder({ env: process.env, home: homedir(), user: process.getuid?.() });
    const { load, keep } = keepingLoader(
      fileURLToPath(inBundle('.')),
      folder === undefined ? undefined : { folder, build: BUILD, command },
    );
    // After a usage error, the word may not be a command.
    process.on('exit', (code) => (code !== NOT_RUN || command === 'help') && keep());
    return load('program.cjs') as typeof import('../commands/program.ts');
  },
  BUILD,
);
