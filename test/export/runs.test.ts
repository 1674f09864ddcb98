import { expect, test } from 'vitest';
import { accountOfLog } from '../../src/read/describe/account-of-log.ts';
import { openForExport } from '../../src/show/export/runs.ts';
import { ledger, say, started, verdict, won } from '../dialects/fishbowl/ledgers.ts';
import { tempFile } from '../support/temp.ts';

const LINES = ledger([
  started('a'),
  started('b'),
  say({ run_id: 'b' }),
  say({ run_id: 'a' }),
  say({ run_id: 'b', actor: 'bob' }),
  verdict('a'),
  won('a'),
]).map((event) => `${JSON.stringify(event)}\n`);

function target(lines: readonly string[]) {
  const log = tempFile(lines.join(''), 'ledger.jsonl');
  return { name: 'ledger', dir: undefined, log };
}

test('interleaved runs of a ledger have the same accounts as alone', async () => {
  const ofBoth = target(LINES);
  const opened = await openForExport(ofBoth);
  if (opened === undefined || 'corruption' in opened) throw new Error('the ledger is not read');
  expect(opened.runs.map(({ run, account }) => [run, account.events, account.account?.status])).toEqual([
    ['a', 4, 'verdict'],
    ['b', 3, 'running'],
  ]);
  for (const { run, account } of opened.runs)
    expect(account).toEqual(await accountOfLog(ofBoth.log, opened.dialect, run));
});

test('a corrupt line excludes every run of its ledger', async () => {
  const torn = LINES.with(4, '{"id":"e5","run_id":"b",\n');
  expect(await openForExport(target(torn))).toMatchObject({ corruption: { line: 5 } });
});
