import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

// npm run test:fast: the tests that start no process and need no build, and are not the long searches. A loop of less
// than a minute while something is written; npm test runs all.

/** What starts processes, asks for the build in dist/, or puts another module in the place of one that all files share. */
const STARTS =
  /support\/(?:cli|pages|terminal|bundle|browser|in-process)|child_process|consumer|Worker\(|vi\.mock\(/;
/** Properties that try every byte, thousands of runs, or inputs of many megabytes. */
const LONG =
  /test\/(?:attacks|verify|statements|write|log|library)|samples|edits|damage|no-false-alarm|large|linear|hundred|propert|like-the-runtime|state-lag|columns|shape/;

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => join('test', path))
  .filter((path) => !LONG.test(path) && !STARTS.test(readFileSync(path, 'utf8')));

// Modules are loaded once for all files: most of the time would go into loading them again for each.
const fast = mergeConfig(base, defineConfig({ test: { globalSetup: [], pool: 'threads', isolate: false } }));
export default { ...fast, test: { ...fast.test, include: files, globalSetup: [] } };
