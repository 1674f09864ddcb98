import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Cost } from '../../src/dialects/kit/prices.ts';
import { totalTokens } from '../../src/dialects/kit/tokens.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';

// What a run cost is one number in every command, and the parts of it add up.

const FOLDER = join(SAMPLES, 'parts/claude-code/projects/-home-usr-shop');
const SESSION = join(FOLDER, readdirSync(FOLDER).find((name) => name.endsWith('.jsonl')) ?? '');
const WITH_CHILD = join(
  SAMPLES,
  'parts/codex-child/rollout-2026-09-01T09-00-00-019f0000-0000-7000-8000-00000000000a.jsonl',
);

const linesOf = async (...args: string[]) => (await runHere(args)).stdout.trim().split('\n');
const json = async (...args: string[]) => JSON.parse((await runHere(args)).stdout);
/** A cost in units of a hundred-millionth. */
const unitsOf = ({ amount }: Cost): number => Math.round(Number(amount) * 1e8);

// An answer of which only the first tokens are stored, and an answer that was cut off after a compaction.
const AT_LEAST = [
  join(SAMPLES, 'claude-code/projects/-home-usr-demo-site/b25638d7-b104-4f06-a797-70ac33d069ed.jsonl'),
  join(SAMPLES, 'gemini/cancel-compress-rewind-0.61.0.jsonl'),
];

test.each(AT_LEAST)('%s has the same minimum of tokens and cost in every command', async (log) => {
  const { tokens, lacks, cost } = await json('show', log, '-j');
  expect(Object.values(lacks)).toHaveLength(1);
  expect(cost.is_minimum).toBe(true);
  const { totals } = JSON.parse((await linesOf('timeline', log, '-j')).at(-1) ?? '');
  const { behaviour } = await json('diff', log, log, '-j');
  expect([behaviour.facts.a.lacks, behaviour.facts.a.cost]).toEqual([lacks, cost]);
  const [listed] = await json('list', log, '-j');
  const others = {
    list: listed,
    stats: await json('stats', log, '-j'),
    read: await json('read', log, '-j'),
    totals,
  };
  for (const [command, other] of Object.entries(others))
    expect([command, other.tokens, other.lacks, other.cost]).toEqual([command, tokens, lacks, cost]);
  const said = {
    show: /^Tokens +at least [\d,]+, without /m,
    stats: /^Tokens +at least /m,
    read: /at least [\d,]+ tokens/,
  };
  for (const [command, text] of Object.entries(said)) {
    const { stdout } = await runHere([command, log]);
    expect(stdout).toMatch(text);
    expect(stdout.match(/without (?:some tokens|\d+ (?:or more )?requests?)/g)).toHaveLength(1);
  }
  const list = await runHere(['list', log]);
  expect(list.stdout).toMatch(/≥\d/);
  expect(list.stderr).toContain('; ≥ where a log lacks tokens; ');
});

describe.each([SESSION, WITH_CHILD])('%s', (log) => {
  test('has one total of tokens and cost in every command', async () => {
    const { tokens, cost } = await json('show', log, '-j');
    expect(cost).toMatchObject({ amount: expect.stringMatching(/^0\.\d*[1-9]/), currency: 'USD' });
    const { totals } = JSON.parse((await linesOf('timeline', log, '-j')).at(-1) ?? '');
    const { behaviour } = await json('diff', log, log, '-j');
    const [listed] = await json('list', log, '-j');
    const others = {
      list: listed,
      stats: await json('stats', log, '-j'),
      read: await json('read', log, '-j'),
      totals,
    };
    for (const [command, other] of Object.entries(others))
      expect([command, other.tokens, other.cost]).toEqual([command, tokens, cost]);
    expect([behaviour.facts.a.tokens, behaviour.facts.a.cost]).toEqual([totalTokens(tokens), cost]);
  });

  test('shows the cost of each turn and subagent, which add up to the total', async () => {
    const { steps, agents, cost } = await json('show', log, '-j');
    const parts: { cost: Cost }[] = [...steps, ...agents];
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map((part) => unitsOf(part.cost)).reduce((a, b) => a + b)).toBe(unitsOf(cost));
    const { stdout } = await runHere(['show', log]);
    expect(stdout).toMatch(/^ {2}LINE +TURN +STATUS +TOOK +TOKENS +COST +WHAT$/m);
    expect(stdout).toMatch(/^ {2}LINE +(?:STATUS +)?(?:CALLS +)?TOKENS +COST +WHAT +ID$/m);
    expect((await linesOf('timeline', log)).at(-1)).toMatch(/^Cost {4}0\.\d+ USD \(prices of /);
  });
});

test('a timeline with a filter has no totals', async () => {
  for (const line of await linesOf('timeline', SESSION, '-j', '--tool', 'Task'))
    expect(line).not.toContain('totals');
});

test('a session without known prices has no column of costs', async () => {
  const log = join(SAMPLES, 'coordinator/nested-two-sessions.jsonl');
  expect((await runHere(['show', log])).stdout).not.toContain('COST');
});
