import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    coverage: {
      provider: 'v8',
      include: ['src/findings/**', 'src/verify/**', 'src/log/**', 'src/projection/**'],
      reporter: ['text'],
      reportOnFailure: true,
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
});
