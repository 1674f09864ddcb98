import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Tokens, totalTokens } from '../../src/dialects/kit/tokens.ts';
import { GROUPINGS } from '../../src/read/describe/run-groups.ts';
import { SESSION_DIALECTS } from '../dialects/sessions.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

const SHOP = join(SAMPLES, 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl');
const shop = readFileSync(SHOP, 'utf8');

const statsOf = async (...args: string[]) => JSON.parse((await runHere(['stats', ...args, '-j'])).stdout);

interface Counts {
  readonly tools: object;
  readonly failures: object;
  readonly vetoes: object;
  readonly models: object;
  readonly tokens: object;
  readonly waited_ms?: number;
  readonly idle_ms?: number;
  readonly failed: readonly Named[];
  readonly refused: readonly Named[];
}
interface Named {
  readonly name: string;
  readonly reason: string;
  readonly count: number;
}

/** What calls, failures and tokens there are, without where and when they were. */
function counts({ tools, failures, vetoes, models, tokens, failed, refused, waited_ms, idle_ms }: Counts) {
  const named = (all: readonly Named[]) => all.map(({ name, reason, count }) => [name, reason, count]);
  return {
    waited_ms,
    idle_ms,
    tools,
    failures,
    vetoes,
    models,
    tokens,
    failed: named(failed),
    refused: named(refused),
  };
}

describe('a session that is in two logs', () => {
  test.each([
    ['whole', shop],
    ['without its last records', shop.split('\n').slice(0, -8).join('\n').concat('\n')],
    ['cut between a call and its result', shop.split('\n').slice(0, 12).join('\n').concat('\n')],
  ])('has each call, failure and token once: the copy is %s', async (_, copy) => {
    const one = writeTree({ 'one.jsonl': shop });
    const two = writeTree({ 'a/one.jsonl': shop, 'b/copy.jsonl': copy });
    const [once, twice] = [await statsOf(one), await statsOf(two)];
    expect(twice.episodes).toBe(2);
    expect(counts(twice)).toEqual(counts(once));
    expect([once.copied_calls, twice.copied_calls > 0]).toEqual([undefined, true]);
    const listed: { readonly tokens: Tokens }[] = JSON.parse((await runHere(['list', two, '-j'])).stdout);
    const ofRuns = listed.reduce((sum, { tokens }) => sum + totalTokens(tokens), 0);
    expect([once.copied_tokens, twice.copied_tokens]).toEqual([
      undefined,
      ofRuns - totalTokens(twice.tokens),
    ]);
    const { stdout } = await runHere(['stats', two], { env: { COLUMNS: '200' } });
    expect(stdout).toContain(
      `${twice.copied_tokens.toLocaleString('en-US')} tokens are in several logs and count once`,
    );
  });

  test.each(SESSION_DIALECTS)('explains why %s has fewer tokens than its runs together', async (dialect) => {
    const folder = join(SAMPLES, dialect);
    const listed: { readonly tokens?: Tokens }[] = JSON.parse((await runHere(['list', folder, '-j'])).stdout);
    const ofRuns = listed.reduce((sum, { tokens }) => sum + (tokens ? totalTokens(tokens) : 0), 0);
    const { tokens, copied_tokens: copied = 0 } = await statsOf(folder, '--partial');
    expect(copied + (tokens ? totalTokens(tokens) : 0)).toBe(ofRuns);
  });

  test('has the same sums in every grouping as in the total', async () => {
    const copy = shop.replaceAll('claude-sonnet-5', 'claude-opus-4-8');
    const two = writeTree({ 'a/one.jsonl': shop, 'b/copy.jsonl': copy });
    const total = await statsOf(two);
    const sum = (all: readonly number[]) => all.reduce((a, b) => a + b, 0);
    const tokens = (all: Record<string, number> = {}) => sum(Object.values(all));
    for (const by of GROUPINGS) {
      const { groups, tools, failed_calls } = await statsOf(two, '--by', by);
      const all = Object.values(groups) as { calls: { count: number }; failed: number; tokens?: never }[];
      const calls = Object.values(total.tools) as { count: number }[];
      expect(tools).toEqual(total.tools);
      expect(sum(all.map(({ calls }) => calls.count))).toBe(sum(calls.map(({ count }) => count)));
      expect(sum(all.map(({ failed }) => failed))).toBe(tokens(failed_calls));
      if (by !== 'tool') expect(sum(all.map((group) => tokens(group.tokens)))).toBe(tokens(total.tokens));
    }
  });

  test('is said to be a copy, and the table of groups comes first', async () => {
    const two = writeTree({ 'a/one.jsonl': shop, 'b/copy.jsonl': shop });
    const { stdout } = await runHere(['stats', two, '--by', 'tool']);
    expect(stdout).toMatch(/^By tool\n/);
    expect(stdout).toMatch(/^Copies {4}9 calls, and 43,163 tokens are in several logs and count once$/m);
    expect(stdout.indexOf('\nTotal\n')).toBeLessThan(stdout.indexOf('\nFailures\n'));
  });
});

test('a failure is shown with its message, not with the JSON around it or the report of a shell', async () => {
  const answer = { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long' } };
  const said = JSON.stringify(`API Error: 400 ${JSON.stringify(answer)}`).slice(1, -1);
  const text = shop.replace('Unable to connect to API (ECONNRESET)', said);
  expect(text).not.toBe(shop);
  const { failed, failures } = await statsOf(writeTree({ 'why.jsonl': text }));
  const messages = failed.map(({ message = '' }) => message);
  expect(messages).toContain('prompt is too long (400)');
  expect(Object.keys(failures).join()).not.toContain('{');
  const gemini = join(SAMPLES, 'gemini');
  for (const command of [
    ['stats', gemini],
    ['list', gemini],
    ['stats', join(SAMPLES, 'qwen')],
  ])
    expect((await runHere(command)).stdout).not.toContain('untrusted_context');
});
