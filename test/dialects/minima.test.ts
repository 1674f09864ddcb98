import { basename, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/value.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import type { Account, AccountStep } from '../../src/dialects/kit/account.ts';
import { NO_TOKENS, plusTokens, totalTokens } from '../../src/dialects/kit/tokens.ts';
import { usageOfRun } from '../../src/dialects/kit/usage.ts';
import { detectDialect } from '../../src/dialects/registry.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { readLog } from '../../src/log/read.ts';
import type { LogRecord } from '../../src/log/record.ts';
import { SAMPLES } from '../support/cli.ts';
import { times } from '../support/length.ts';
import { SESSION_DIALECTS, sampleLogs } from './sessions.ts';

// What is said of a session with a damaged line is true of the session without damage: a number is not larger, and a status
// is the same, unless it is unknown.

/** Longer logs take too long, because they are read once for each line. */
const MOST_LINES = 150;

/** In milliseconds: the records of a prompt that is written twice are this far apart. */
const SLACK = 10;

async function recordsOf(log: string): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  const record = ({ value, line }: LogRecord) => records.push({ value, line } as LogRecord);
  await readLog(log, AS_STORED, { record, corrupt: () => {} });
  return records;
}

/** The account of a log in which one line is damaged. */
async function accountWithout(
  dialect: Dialect,
  records: readonly LogRecord[],
  lost?: number,
): Promise<Account> {
  const account = await dialect.account?.();
  if (account === undefined) throw new Error('no account');
  for (const record of records)
    if (record.line === lost) account.lost?.(record.line);
    else account.add(record);
  return account.result();
}

const tokensOf = (account: Account): number =>
  totalTokens(usageOfRun({ usage: account.usage ?? [] })?.tokens ?? NO_TOKENS);

const callsOf = ({ usage = [] }: Account) => usage.flatMap(({ call }) => call ?? []);

const tokensOfTurn = ({ charges = [] }: AccountStep): number =>
  totalTokens(charges.map(({ tokens }) => tokens).reduce(plusTokens, NO_TOKENS));

/** What a damaged log says and its intact form does not. */
function untruths(damaged: Account, intact: Account, lost: number): string[] {
  const found: string[] = [];
  const least = (what: string, here = 0, there = 0, slack = 0) => {
    if (here > there + slack) found.push(`${what}: at least ${here}, but it is ${there}`);
  };
  const same = (what: string, here: string, there: readonly string[]) => {
    if (here !== 'unknown' && !there.includes(here)) found.push(`${what}: ${here}, but it is ${there}`);
  };
  for (const key of ['lasted_ms', 'model_ms', 'tools_ms', 'waited_ms', 'idle_ms'] as const)
    least(key, damaged.time?.[key], intact.time?.[key], SLACK);
  const { lasted_ms = 0, model_ms = 0, tools_ms = 0, waited_ms = 0, idle_ms = 0 } = damaged.time ?? {};
  const sum = model_ms + tools_ms + waited_ms + idle_ms + (damaged.time?.unknown_ms ?? 0);
  if (sum !== lasted_ms) found.push(`the times add up to ${sum}, not to ${lasted_ms}`);
  least('tokens', tokensOf(damaged), tokensOf(intact));
  least('turns', damaged.steps.length, intact.steps.length);
  least('calls', callsOf(damaged).length, callsOf(intact).length);
  same('status', damaged.status, [intact.status]);
  const calls = new Map(callsOf(intact).map((call) => [`${call.line} ${call.id}`, call]));
  for (const { line, id, status, duration_ms } of callsOf(damaged)) {
    const known = calls.get(`${line} ${id}`);
    same(`call on line ${line}`, status, known ? [known.status] : []);
    least(`call on line ${line}`, duration_ms, known?.duration_ms);
  }
  for (const [place, turn] of damaged.steps.entries()) {
    const { line = 0, text, calls = 0, failed, durationMs, status } = turn;
    const next = damaged.steps[place + 1]?.line ?? Number.POSITIVE_INFINITY;
    // If a program writes a prompt twice, the second record is left.
    const own =
      intact.steps.find((step) => step.line === line) ??
      intact.steps.find((step) => step.text === text && (step.line ?? 0) <= lost);
    if (own === undefined) continue;
    least(`calls of turn ${line}`, calls, own.calls);
    least(`failed calls of turn ${line}`, failed, own.failed);
    least(`work on turn ${line}`, durationMs, own.durationMs, SLACK);
    least(`tokens of turn ${line}`, tokensOfTurn(turn), tokensOfTurn(own));
    const from = own.line ?? 0;
    const joined = intact.steps.filter((step) => (step.line ?? 0) >= from && (step.line ?? 0) < next);
    same(
      `turn on line ${line}`,
      status,
      joined.map((step) => step.status),
    );
  }
  return found.map((text) => `without line ${lost}: ${text}`);
}

describe.each(SESSION_DIALECTS)('%s', (name) => {
  test.each(sampleLogs(name).map((log) => [relative(SAMPLES, log), log] as const))(
    'a damaged line of %s makes nothing larger, and nothing fail',
    async (_name, log) => {
      const records = await recordsOf(log);
      if (records.length > MOST_LINES) return;
      const values: JsonObject[] = records.slice(0, 20).map(({ value }) => value);
      const dialect = detectDialect({ fileName: basename(log), records: values, path: log });
      if (dialect.account === undefined || !dialect.storesMuch) return;
      const intact = await accountWithout(dialect, records);
      const found: string[] = [];
      const step = times(1, 7);
      // Without the head of a fork, nothing says that the records after it were copied.
      for (const [place, { line }] of records.entries())
        if (place % step === 0 && line >= (intact.copied?.lines[0] ?? 1))
          found.push(...untruths(await accountWithout(dialect, records, line), intact, line));
      expect(found).toEqual([]);
    },
  );
});
