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
      include: [
        'src/findings/**',
        'src/verify/**',
        'src/log/**',
        'src/projection/**',
        'src/json/**',
        'src/schema/**',
        'src/compare/**',
      ],
      reporter: ['text'],
      reportOnFailure: true,
      thresholds: {
        lines: 95,
        branches: 90,
        functions: 95,
        statements: 95,
        'src/json/**': { lines: 99, branches: 96, functions: 98, statements: 98 },
        'src/schema/**': { lines: 99, branches: 89, functions: 98, statements: 97 },
        'src/compare/**': { lines: 99, branches: 89, functions: 98, statements: 98 },
      },
    },
  },
});
