import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/browser-setup.ts'],
    // By default one core is left idle; much of the time goes into waiting for processes.
    maxWorkers: availableParallelism(),
    testTimeout: 120_000,
    // A machine at work takes longer than the second that is meant for one at rest.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 120_000,
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      // What runs in a browser or in a thread is not seen from here, and what is generated is data.
      exclude: ['src/page/app/**', 'src/**/*worker.ts', 'src/**/*.generated.ts'],
      reporter: [['text', { skipFull: true }]],
      reportOnFailure: true,
      thresholds: { lines: 99.7, branches: 98.3, functions: 99.6, statements: 99.6 },
    },
  },
});
