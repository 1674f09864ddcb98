import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, tempFile } from '../support/temp.ts';

const ledger = join(SAMPLES, 'fishbowl/ledger-10-runs.scrubbed.jsonl');

async function failure(target: string, ...args: string[]) {
  const { code, stderr } = await runHere(['show', target, '-j', ...args]);
  const { error } = JSON.parse(stderr) as { error: Record<'code' | 'message' | 'hint', string> };
  return [code, error.code, error.message, error.hint];
}

/** A ledger of `count` runs with one event each. */
const ledgerOf = (runs: number): string =>
  tempFile(
    Array.from(
      { length: runs },
      (_, at) =>
        `${JSON.stringify({ id: `e${at}`, run_id: `run-${at}`, turn: 0, kind: 'run.started', payload: {} })}\n`,
    ).join(''),
    'ledger.jsonl',
  );

test.each([
  ['bc124f9e-8125-5260-9119-0f7988eba8ec', 'bc124f9e-8125-5260-9119-0f7988eba8ec'],
  ['bc1', 'bc124f9e-8125-5260-9119-0f7988eba8ec'],
])('a run is named by its id or the beginning of it: #%s', async (text, id) => {
  const { code, stdout } = await runHere(['events', `${ledger}#${text}`, '-j', '--fields', 'run_id']);
  expect([code, new Set(stdout.trimEnd().split('\n'))]).toEqual([0, new Set([`{"run_id":"${id}"}`])]);
});

test('the beginning of the ids of several runs is ambiguous', async () => {
  const [exit, code, message] = await failure(`${ledger}#b`);
  expect([exit, code, message]).toEqual([2, 'target-ambiguous', `b matches 2 runs in ${ledger}`]);
});

test.each(['nope', ''])('a text that names no run is refused: #%s', async (text) => {
  const [exit, code, message, hint] = await failure(`${ledger}#${text}`);
  expect([exit, code, message]).toEqual([3, 'target-missing', `no run "${text}" in ${ledger}`]);
  expect(hint).toMatch(
    /^it contains bc124f9e-8125-5260-9119-0f7988eba8ec, (?:[0-9a-f-]{36}, ){8}[0-9a-f-]{36}$/,
  );
});

test.each([
  ['redact', '-o', 'copy'],
  ['salvage', '-o', 'copy'],
])('%s refuses one run of a log, because the copy would have all of them', async (command, ...options) => {
  const { code, stderr } = await runHere([command, `${ledger}#bc1`, ...options], { cwd: tempDir() });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(`${command} copies a whole log, not one run in it`),
  ]);
});

test('the first twenty of many runs are named', async () => {
  const log = ledgerOf(23);
  const [, , , hint] = await failure(`${log}#run-9x`);
  expect(hint).toBe(
    `it contains ${Array.from({ length: 20 }, (_, at) => `run-${at}`).join(', ')} and 3 more`,
  );
});

test('a ledger without a run says so', async () => {
  const log = tempFile('{"id":"a"}\n', 'ledger.jsonl');
  expect(await failure(`${log}#r`, '--dialect', 'fishbowl')).toEqual([
    3,
    'target-missing',
    `no run "r" in ${log}`,
    'give another file; this one has no runs',
  ]);
});

test('a log of another dialect has no runs to choose from', async () => {
  const log = tempFile('{"id":"a","type":"b"}\n');
  expect(await failure(`${log}#r`)).toEqual([
    2,
    'usage',
    'a log of this dialect (generic) has no runs to choose from',
    'remove the # and what follows it',
  ]);
});
