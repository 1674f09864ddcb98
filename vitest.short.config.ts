// npm test: every test file, with a short form of the long tests (test/support/length.ts). npm run test:all runs them in
// full. Each run takes other samples, unless NOESIS_TEST_SEED names those of an earlier one; NOESIS_TESTS=all takes all.

process.env['NOESIS_TESTS'] ??= 'short';
process.env['NOESIS_TEST_SEED'] ??= String(Math.floor(Math.random() * 1e9));
if (process.env['NOESIS_TESTS'] === 'short')
  console.error(
    `short form, NOESIS_TEST_SEED=${process.env['NOESIS_TEST_SEED']}; all tests: npm run test:all`,
  );

export default (await import('./vitest.config.ts')).default;
