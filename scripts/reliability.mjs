// The proofs of writing, and of reading under damage:
//   npm run test:reliability -- [--rounds N] [--write] [FILE...]
// Without --rounds, runs them as in CI and measures the time of all; with it, runs N rounds and prints what each test did.
// --write puts the rows of the table into docs/reliability.md.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const PAGE = 'docs/reliability.md';
const BEGIN = '<!-- figures -->\n';
const END = '<!-- /figures -->';
const HEAD = '| test | what it did | seconds | when |\n|---|---|---|---|\n';

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string' }, write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const { rounds } = values;
if (rounds !== undefined && !/^[1-9]\d*$/.test(rounds)) {
  console.error('--rounds takes a whole number of at least 1');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'reliability-'));
const report = join(folder, 'report.json');
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const all = ['test/write', 'test/log/follow', 'test/cli/follow'];
const files = positionals.length > 0 ? positionals : all;
const how = ['--testTimeout=3600000', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
const began = Date.now();
const { status } = spawnSync(process.execPath, [vitest, 'run', ...files, ...how], {
  stdio: 'inherit',
  env: { ...process.env, RELIABILITY_ROUNDS: rounds ?? '0' },
});
const seconds = Math.ceil((Date.now() - began) / 1000);

/** The rows of a table by their first cell. */
const rowsOf = (table) =>
  new Map(
    table
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| test |'))
      .map((line) => [line.split(' | ')[0], line]),
  );

const day = new Date().toISOString().slice(0, 10);
const where = `${day}, Node ${process.versions.node}, ${availableParallelism()} cores`;
const { testResults, numPassedTests } = JSON.parse(readFileSync(report, 'utf8'));
rmSync(folder, { recursive: true });
const whole = `| all tests of this page together, as CI runs them | ${numPassedTests} tests | ${seconds} | ${where} |`;
const each = testResults.flatMap(({ name, assertionResults }) =>
  assertionResults
    .filter((test) => test.status === 'passed' && test.meta?.figures)
    .map(({ fullName, meta, duration }) => {
      const did = Object.entries(meta.figures).map(
        ([what, count]) => `${count.toLocaleString('en')} ${what}`,
      );
      const test = `| \`${basename(name, '.test.ts')}\`: ${fullName}`;
      return `${test} | ${did.join(', ')} | ${Math.ceil(duration / 1000)} | ${where} |`;
    }),
);
const done = rounds === undefined && positionals.length === 0 ? [whole] : each;
console.log(HEAD + done.join('\n'));
if (values.write && status === 0) {
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)];
  const rows = rowsOf(page.slice(from, to));
  for (const [test, row] of rowsOf(done.join('\n'))) rows.set(test, row);
  const table =
    HEAD +
    [...rows.values()]
      .sort()
      .map((row) => `${row}\n`)
      .join('');
  writeFileSync(PAGE, page.slice(0, from) + table + page.slice(to));
}
process.exit(status ?? 1);
