import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

// Times in outputs are in UTC, wherever the tests run.
process.env['TZ'] = 'UTC';

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => join('test', path));
/** Files that replace a module: they need a process without the modules of other tests. */
const replacing = files.filter((path) => /vi\.(?:mock|doMock|stubGlobal)\(/.test(readFileSync(path, 'utf8')));

export default defineConfig({
  test: {
    // All other files share processes: otherwise half of the time goes into loading the same modules for each file.
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: replacing,
          setupFiles: ['test/support/seeded.ts', 'test/support/after-file.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: replacing,
          setupFiles: ['test/support/seeded.ts', 'test/support/after-file.ts'],
        },
      },
    ],
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/browser-setup.ts'],
    // One more than there are cores: tests that follow a log or wait for a process leave their core idle.
    maxWorkers: availableParallelism() + 1,
    // Compiled modules are kept in node_modules for the next run, which saves seven seconds of processor time.
    experimental: { fsModuleCache: true },
    testTimeout: 300_000,
    // A machine at work takes longer than the second that is meant for one at rest.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 300_000,
    coverage: {
      provider: 'v8',
      include: ['src/**', 'commands/**'],
      // What runs in a browser, a thread or another build is not seen from here, and what is generated is data.
      exclude: [
        'src/show/page/app/**',
        'src/**/*worker.ts',
        'src/**/*.generated.ts',
        'src/dialects/_template/**',
      ],
      reporter: [['text', { skipFull: true }]],
      reportOnFailure: true,
      // Those of the short form, which covers other lines with each sample.
      thresholds: { lines: 98.6, branches: 95, functions: 98.4, statements: 98 },
    },
  },
});
