import { join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countText } from '../../src/base/text/count.ts';
import type { Story } from '../../src/dialects/kit/story.ts';
import { NO_TOKENS, plusTokens, type Tokens, totalTokens } from '../../src/dialects/kit/tokens.ts';
import { SESSION_DIALECTS, sampleLogs } from '../dialects/sessions.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { tempFile } from '../support/temp.ts';

async function json<T>(...args: string[]): Promise<T> {
  return JSON.parse((await runHere(args)).stdout || '{}') as T;
}

/** The names of the sessions in the databases and folders of a program that keeps several in one. */
async function storedSessions(dialect: string): Promise<string[]> {
  const listed = await json<{ path: string }[]>('list', join(SAMPLES, dialect), '-j');
  return listed.flatMap(({ path }) => (path.includes('#') ? path : []));
}

const SESSIONS = [...SESSION_DIALECTS.flatMap(sampleLogs), ...(await storedSessions('opencode'))].map(
  (log) => [relative(SAMPLES, log), log] as const,
);

interface Shown {
  readonly tokens?: Tokens;
  readonly models: Readonly<Record<string, { readonly tokens: Tokens }>>;
  readonly days: Readonly<Record<string, Tokens>>;
  readonly recorded_tokens?: number;
  readonly tokens_by_turn?: false;
  readonly cost?: { readonly amount: string };
  readonly subagents?: { readonly logs: number; readonly tokens: Tokens };
  readonly lacks?: { readonly subagents?: number };
  readonly steps?: readonly { readonly tokens?: number }[];
  readonly agents?: readonly { readonly tokens?: number; readonly counted?: 'step' | 'total' | 'nothing' }[];
}

const sum = (counts: readonly Tokens[]): Tokens => counts.reduce(plusTokens, NO_TOKENS);

describe.each(sampled(SESSIONS, 25))('%s', (_path, log) => {
  test('has the same tokens by turn, model and day, and in every command', async () => {
    const story = await json<Story>('read', log, '-j');
    const shown = await json<Shown>('show', log, '-j');
    const { tokens, models, days, tokens_by_turn, subagents, lacks, steps = [], agents = [] } = shown;
    const [listed] = await json<[Pick<Shown, 'tokens' | 'subagents'>]>('list', log, '-j');
    const stats = await json<Pick<Shown, 'tokens' | 'subagents'> & { totals_only?: number }>(
      'stats',
      log,
      '-j',
      '--partial',
    );
    expect([listed.tokens, stats.tokens, story.tokens]).toEqual([tokens, tokens, tokens]);
    expect([listed.subagents, stats.subagents, story.subagents]).toEqual([subagents, subagents, subagents]);
    if (tokens === undefined) return;
    const below = totalTokens(subagents?.tokens ?? NO_TOKENS);
    expect(sum(Object.values(models).map((model) => model.tokens))).toEqual(tokens);
    const byTurn = story.turns.flatMap((turn) => turn.tokens ?? []);
    // The turns are those of the session itself.
    const own = totalTokens(tokens) - below;
    // After a damaged line, nobody knows to which turn an answer belongs.
    const isSure = story.turns.every(
      ({ lacks }) => lacks?.lines === undefined && lacks?.answers === undefined,
    );
    if (byTurn.length > 0 && isSure) expect(totalTokens(sum(byTurn))).toBe(own);
    else expect(totalTokens(sum(byTurn))).toBeLessThanOrEqual(own);
    // Only a story has what came before the first prompt.
    expect(steps.map((step) => step.tokens)).toEqual(
      story.turns
        .slice(story.turns.length - steps.length)
        .map((turn) => turn.tokens && totalTokens(turn.tokens)),
    );
    const ofAgents = (where: string): number =>
      agents.reduce((all, agent) => all + (agent.counted === where ? (agent.tokens ?? 0) : 0), 0);
    expect(ofAgents('total')).toBeLessThanOrEqual(below);
    expect(ofAgents('step')).toBeLessThanOrEqual(own);
    expect(agents.filter(({ counted }) => counted === 'nothing').length).toBeLessThanOrEqual(
      lacks?.subagents ?? 0,
    );
    const isByTurn = byTurn.length > 0 || own === 0;
    expect(tokens_by_turn).toBe(isByTurn ? undefined : false);
    expect(story.tokens_by_turn).toBe(tokens_by_turn);
    expect(stats.totals_only).toBe(isByTurn ? undefined : 1);
    const note = '(not stored by turn)';
    for (const [command = '', ...options] of [
      ['show', '--full'],
      ['read'],
      ['read', '-f', 'markdown'],
      ['stats', '--partial'],
    ]) {
      const { stdout } = await runHere([command, log, ...options], { env: { COLUMNS: '500' } });
      expect([command, stdout.includes(note)]).toEqual([command, !isByTurn]);
    }
    if (Object.keys(days).length > 0) expect(sum(Object.values(days))).toEqual(tokens);
  });
});

test('an answer in several records counts once, and show also prints the sum over all records', async () => {
  const answer = (uuid: string, output: number) => ({
    type: 'assistant',
    uuid,
    parentUuid: null,
    sessionId: 's',
    isSidechain: false,
    timestamp: '2026-01-01T00:00:00Z',
    message: {
      id: 'm',
      model: 'mock',
      role: 'assistant',
      content: [{ type: 'text', text: uuid }],
      usage: { input_tokens: 100, output_tokens: output },
    },
  });
  const log = tempFile(
    `${[answer('a', 1), answer('b', 9)].map((one) => JSON.stringify(one)).join('\n')}\n`,
    's.jsonl',
  );
  const shown = await json<Shown>('show', log, '-j');
  expect(shown).toMatchObject({ tokens: { input: 100, output: 9 }, recorded_tokens: 210 });
  expect((await runHere(['show', log])).stdout).toContain(
    '109 (repeated records counted once; with them 210)',
  );
  const { turns } = await json<Story>('read', log, '-j');
  expect(turns.map(({ turn, tokens }) => [turn, tokens && totalTokens(tokens)])).toEqual([[0, 109]]);
});

test('the subagents of a session are included, and listed separately', async () => {
  const folder = join(
    SAMPLES,
    'claude-code/projects/-home-usr-w-330-sub/adbbd5d8-3c62-4646-ba0f-a2ac4ab64cc1',
  );
  const below = await json<Shown>('show', join(folder, 'subagents/agent-a4877a4f9f72b03c6.jsonl'), '-j');
  const whole = await json<Shown>('show', `${folder}.jsonl`, '-j');
  expect(whole.subagents).toEqual({ logs: 1, tokens: below.tokens, cost: below.cost });
  expect(below.cost).toMatchObject({
    amount: expect.stringMatching(/^0\.\d+$/),
    prices: { list: expect.any(String) },
  });
  const { stdout } = await runHere(['show', '--full', `${folder}.jsonl`]);
  expect(stdout).toMatch(/subagents +[\d,]+ of the total, in 1 log, 0\.\d+ USD$/m);
});

test('counts are grouped as toLocaleString groups them', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.nat({ max: 53 }), (count, bits) => {
      const shorter = Math.floor(count / 2 ** bits);
      expect(countText(shorter)).toBe(shorter.toLocaleString('en-US'));
    }),
  );
});

test('every command names the same model first: the one with the most answers, then the most tokens', async () => {
  const answer = (id: string, model: string, output: number) => ({
    type: 'assistant',
    uuid: id,
    parentUuid: null,
    sessionId: 's',
    isSidechain: false,
    timestamp: '2026-01-01T00:00:00Z',
    message: {
      id,
      model,
      role: 'assistant',
      content: [{ type: 'text', text: id }],
      usage: { input_tokens: 100, output_tokens: output },
    },
  });
  const one = [answer('m1', 'mock-a', 1), answer('m2', 'mock-b', 900)];
  const cases = [
    [one, 'mock-b'],
    [[...one, answer('m3', 'mock-a', 1)], 'mock-a'],
  ] as const;
  for (const [answers, first] of cases) {
    const log = tempFile(`${answers.map((record) => JSON.stringify(record)).join('\n')}\n`, 's.jsonl');
    const last = first === 'mock-a' ? 'mock-b' : 'mock-a';
    const [listed] = await json<object[]>('list', log, '-j');
    expect(listed).toMatchObject({ model: first, models: [first, last] });
    expect((await runHere(['list', log, '--wide'])).stdout).toContain(` ${first} +1 `);
    for (const command of ['show', 'read'])
      expect((await runHere([command, log])).stdout).toContain(`${first} and 1 more`);
    expect((await runHere(['show', log])).stdout).toMatch(new RegExp(`models +${first}, ${last}`));
    expect(Object.keys((await json<Shown>('stats', log, '-j')).models)).toEqual([first, last]);
  }
});

test.each([
  [
    'copilot/session-state/bf0ec435-cfef-42de-9f40-b66bedb9d877/events.jsonl',
    'step',
    'the total and in the turns',
  ],
  [
    'claude-code/projects/-home-usr-w-330-sub/adbbd5d8-3c62-4646-ba0f-a2ac4ab64cc1.jsonl',
    'total',
    'but in no turn',
  ],
  [
    'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl',
    'nothing',
    'not in the total',
  ],
])('show says where the tokens of the subagents of %s count', async (log, counted, text) => {
  const path = join(SAMPLES, log);
  const { agents = [] } = await json<Shown>('show', path, '-j');
  expect(agents.map((agent) => agent.counted)).toEqual([counted]);
  expect((await runHere(['show', path, '--full'])).stdout).toContain(text);
});
