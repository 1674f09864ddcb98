import { basename, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/value.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import type { Account } from '../../src/dialects/kit/account.ts';
import { type Abridge, type LogEnds, textAfter } from '../../src/dialects/kit/log-summary.ts';
import { detectDialect } from '../../src/dialects/registry.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { readLog } from '../../src/log/read.ts';
import type { LogRecord } from '../../src/log/record.ts';
import { SAMPLES } from '../support/cli.ts';
import { times } from '../support/length.ts';
import { sampleLogs } from './sessions.ts';

// If a record names a parent that the log does not have, a record is missing between. How a turn, a call or the session ended
// may be in it, so none of them is said to have ended otherwise than in the log that has the record.

/** The programs whose records name their parents. */
const PARENTS: Readonly<Record<string, readonly [id: string, parent: string]>> = {
  'claude-code': ['uuid', 'parentUuid'],
  copilot: ['id', 'parentId'],
  pi: ['id', 'parentId'],
  qwen: ['uuid', 'parentUuid'],
};

/** Longer logs take too long, because they are read once for each record. */
const MOST_LINES = 200;

async function recordsOf(log: string): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  const record = ({ value, line }: LogRecord) => records.push({ value, line } as LogRecord);
  await readLog(log, AS_STORED, { record, corrupt: () => {} });
  return records;
}

async function accountOf(dialect: Dialect, records: readonly LogRecord[]): Promise<Account> {
  const account = await dialect.account?.();
  if (account === undefined) throw new Error('no account');
  for (const record of records) account.add(record);
  return account.result();
}

/** The status in a list, which reads shortened records. */
async function statusInList(dialect: Dialect, records: readonly LogRecord[]): Promise<string | undefined> {
  const forwards = function* (abridge: Abridge) {
    for (const { value, line } of records) {
      const text = JSON.stringify(value);
      const has = (part: string) => text.includes(part);
      const after: Parameters<Abridge>[3] = (mark, which) => textAfter(Buffer.from(text), mark, which);
      yield { event: abridge(text, line, has, after) ?? value, line };
    }
    return 0;
  };
  return (await dialect.summary?.({ forwards } as LogEnds))?.status;
}

const statuses = ({ status, steps, usage = [] }: Account): Map<string, string> =>
  new Map([
    ['session', status],
    ...steps.map(({ line, status }) => [`turn on line ${line}`, status] as const),
    ...usage.flatMap(({ call }) =>
      call ? [[`call ${call.id} on line ${call.line}`, call.status] as const] : [],
    ),
  ]);

describe.each(Object.entries(PARENTS))('%s', (name, [idOf, parentOf]) => {
  const logs = [...sampleLogs(name), ...sampleLogs(`doctor/${name.split('-')[0]}`)];
  test.each(logs.map((log) => [relative(SAMPLES, log), log] as const))(
    'a missing record of %s changes no status, unless it is then unknown',
    async (_name, log) => {
      const records = await recordsOf(log);
      if (records.length > MOST_LINES) return;
      const values: JsonObject[] = records.slice(0, 20).map(({ value }) => value);
      const dialect = detectDialect({ fileName: basename(log), records: values, path: log });
      if (dialect.name !== name) return;
      const whole = await accountOf(dialect, records);
      const [intact, steps] = [statuses(whole), whole.steps];
      const parents = new Set(records.map(({ value }) => value[parentOf]));
      const found: string[] = [];
      const step = times(1, 5);
      for (const [place, { value, line }] of records.entries()) {
        const id = value[idOf];
        const isAgain = records.some((other) => other.line !== line && other.value[idOf] === id);
        if (place === 0 || place % step !== 0 || !parents.has(id) || isAgain) continue;
        const others = records.filter((other) => other.line !== line);
        const account = await accountOf(dialect, others);
        const said = statuses(account);
        const lines = account.steps.map((step) => step.line ?? 0);
        for (const [what, status] of said) {
          // If the prompt of a turn is missing, the turn looks like a part of the one before it.
          const at = lines.find((at) => what === `turn on line ${at}`);
          const next = lines.find((line) => line > (at ?? 0)) ?? Number.POSITIVE_INFINITY;
          const joined = at === undefined ? [] : steps.filter(({ line = 0 }) => line > at && line < next);
          const before = [intact.get(what) ?? status, ...joined.map((step) => step.status)];
          if (status !== 'unknown' && !before.includes(status))
            found.push(`without line ${line}: ${what}: ${status}, but it is ${before}`);
        }
        const listed = await statusInList(dialect, others);
        if (listed !== account.status)
          found.push(`without line ${line}: list: ${listed}, not ${account.status}`);
      }
      expect(found).toEqual([]);
    },
    60_000,
  );
});
