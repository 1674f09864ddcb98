import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/browser-setup.ts'],
    testTimeout: 120_000,
    // A machine at work takes longer than the second that is meant for one at rest.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 120_000,
    coverage: {
      provider: 'v8',
      include: ['src/findings/**', 'src/verify/**', 'src/log/**', 'src/projection/**'],
      reporter: ['text'],
      reportOnFailure: true,
      thresholds: { lines: 95, branches: 90, functions: 95, statements: 95 },
    },
  },
});
