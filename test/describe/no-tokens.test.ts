import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue } from '../../src/base/json/value.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

// A log in which the model answered, without any tokens: every command says that they are unknown, and none leaves them out.

/** By dialect: the records and the members that have tokens. */
const TOKENS: Readonly<Record<string, { readonly records?: RegExp; readonly members?: readonly string[] }>> =
  {
    codex: { records: /^token_usage_record|token_count$/ },
    'claude-code': { members: ['usage'] },
    copilot: {
      records: /^session\.usage_record/,
      members: ['modelMetrics', 'agentMetrics', 'tokenDetails', 'outputTokens', 'compactionTokensUsed'],
    },
    gemini: { members: ['tokens'] },
  };

function without(value: JsonValue, members: readonly string[]): JsonValue {
  if (Array.isArray(value)) return value.map((one) => without(one, members));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !members.includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, without(inner, members)]));
}

/** The intact logs of sessions, without those of subagents. */
const logsOf = (dialect: string): string[] =>
  readdirSync(join(SAMPLES, dialect), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.jsonl') && !/damaged|subagents|api-error/.test(path))
    .map((path) => join(SAMPLES, dialect, path));

function stripped(log: string, dialect: string): string {
  const { records, members = [] } = TOKENS[dialect] ?? {};
  const events = readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
  const kept = events.filter(({ type, payload }) => {
    const kind = isObject(payload) ? payload['type'] : undefined;
    return !records?.test(`${String(type)} ${String(kind ?? '')}`.trim());
  });
  const text = kept.map((event) => `${JSON.stringify(without(event, members))}\n`).join('');
  return join(writeTree({ 'events.jsonl': text }), 'events.jsonl');
}

interface Used {
  readonly tokens?: Readonly<Record<string, number>>;
  readonly lacks?: { readonly requests?: number; readonly answers?: number };
  readonly usage?: Used;
}

const json = async (...args: string[]) => JSON.parse((await runHere([...args, '-j'])).stdout);

describe.each(Object.keys(TOKENS))('%s', (dialect) => {
  test.each(logsOf(dialect))('every command says that the tokens of %s are unknown', async (original) => {
    const log = stripped(original, dialect);
    const totals = JSON.parse(
      (await runHere(['timeline', log, '-j'])).stdout.trimEnd().split('\n').at(-1) ?? '',
    );
    const found: Readonly<Record<string, Used>> = {
      list: (await json('list', log))[0],
      show: await json('show', log),
      read: await json('read', log),
      stats: await json('stats', log),
      timeline: totals.totals,
    };
    const [first, ...others] = Object.values(found).map(({ usage, ...own }) => usage?.lacks ?? own.lacks);
    expect((first?.requests ?? 0) + (first?.answers ?? 0)).toBeGreaterThan(0);
    for (const other of others) expect(other).toEqual(first);
    for (const { usage, tokens = usage?.tokens ?? {} } of Object.values(found))
      expect(Object.values(tokens).reduce((sum, count) => sum + count, 0)).toBe(0);
    for (const command of ['show', 'read', 'stats', 'timeline'])
      expect((await runHere([command, log])).stdout).toMatch(/Tokens +unknown|unknown tokens/);
    expect((await runHere(['list', log])).stdout).toMatch(/≥0 /);
  });
});

test('a session that is waiting for its first answer lacks nothing', async () => {
  const [log = ''] = logsOf('codex');
  const lines = readFileSync(log, 'utf8').split('\n');
  const answer = lines.findIndex((line) => /"(?:reasoning|function_call|agent_message)"/.test(line));
  const started = join(
    writeTree({ 'rollout-a.jsonl': `${lines.slice(0, answer).join('\n')}\n` }),
    'rollout-a.jsonl',
  );
  expect(await json('show', started)).not.toHaveProperty('lacks');
  expect((await runHere(['show', started])).stdout).not.toContain('Tokens');
});
