// The proofs of writing and reading under damage, longer than in CI: npm run test:reliability -- --rounds N
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const at = process.argv.indexOf('--rounds');
const rounds = at === -1 ? '300' : process.argv[at + 1];
if (rounds === undefined || !/^[1-9]\d*$/.test(rounds)) {
  console.error('--rounds takes a whole number of at least 1');
  process.exit(2);
}
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/write', '--testTimeout=3600000'], {
  stdio: 'inherit',
  env: { ...process.env, RELIABILITY_ROUNDS: rounds },
});
process.exit(status ?? 1);
