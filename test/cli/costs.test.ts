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
    expect(stdout).toMatch(/^ {2}LINE +ID +STATUS +TOOK +COST +WHAT$/m);
    expect(stdout).toMatch(/^ {2}LINE +(?:STATUS +)?TOKENS +COST +WHAT +ID$/m);
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
