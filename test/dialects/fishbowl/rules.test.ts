import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { RULES } from '../../../src/dialects/fishbowl/rules.ts';
import { verifyFishbowl } from '../../../src/dialects/fishbowl/verify.ts';
import { brief, verifyEvents } from '../verify-events.ts';
import { ledger, say, started, verdict, won } from './ledgers.ts';

/** The start of a run between two teams, one of them the spies. */
const versus = (competition: JsonObject = {}): JsonObject => ({
  ...started('r'),
  payload: {
    seed: 's',
    scenario: 'bluff',
    cast: { ann: { model_endpoint: 'm1' }, bob: { model_endpoint: 'm2' }, judge: {} },
    competition: { kind: 'versus', teams: { spy: ['ann'], crew: ['bob'] }, ...competition },
  },
});
const withSession = (session: string | null, copy: string): JsonObject => ({
  ...started('r'),
  session_id: session,
  payload: { seed: 's', cast: { ann: {}, judge: {} }, session_id: copy },
});
const judged = (payload: JsonObject): JsonObject => ({ ...verdict('r'), payload: { text: 't', ...payload } });
const end = (payload: JsonObject): JsonObject => ({ kind: 'run.finished', actor: 'conductor', payload });
const BUDGET = end({ reason: 'budget', winner: null });

interface Case {
  readonly title: string;
  readonly events: readonly JsonObject[];
  /** The finding of the rule; absent if the rule must not report. */
  readonly finds?: string;
}

/** For each rule ledgers that break it, in every direction that it has, and one that keeps it. */
const CASES: Readonly<Record<string, readonly Case[]>> = {
  'begins with run.started': [
    { title: 'somebody speaks first', events: [say()], finds: 'warn order/start-not-first 1' },
    { title: 'a start is first', events: [started('r'), say()] },
  ],
  'turns do not go back': [
    {
      title: 'turn 1 after 2',
      events: [started('r'), say({ turn: 2 }), say({ turn: 1 })],
      finds: 'warn sequence/backwards 3',
    },
    {
      title: 'turn 2 twice, then 4',
      events: [started('r'), say({ turn: 2 }), say({ turn: 2 }), say({ turn: 4 })],
    },
    { title: 'turns of another run', events: [started('r'), say({ turn: 2 }), { ...started('q') }] },
  ],
  'times do not go back': [
    {
      title: 'an earlier time',
      events: [started('r'), say({ created_at: '2020-01-01T00:00:00Z' })],
      finds: 'info event/time-order 2',
    },
    { title: 'the same time', events: [started('r'), say({ created_at: '2026-06-01T00:00:00Z' })] },
  ],
  'has one session': [
    {
      title: 'another session',
      events: [{ ...started('r'), session_id: 'a' }, say({ session_id: 'b' })],
      finds: 'warn consistency/session 2',
    },
    {
      title: 'no session after a restart',
      events: [{ ...started('r'), session_id: 'a' }, say({ session_id: null }), say({ session_id: 'a' })],
    },
    { title: 'a session, after events without one', events: [started('r'), say({ session_id: 'a' })] },
  ],
  'ends with run.finished': [
    {
      title: 'somebody speaks after it',
      events: [started('r'), verdict('r'), won('r'), say()],
      finds: 'warn order/after-terminate 4',
    },
    {
      title: 'a verdict after the budget ran out, and no new end',
      events: [started('r'), BUDGET, verdict('r')],
      finds: 'info order/after-terminate 3',
    },
    {
      title: 'a verdict after the budget ran out, and a new end',
      events: [started('r'), BUDGET, verdict('r'), won('r')],
    },
  ],
  'actors belong to the run': [
    { title: 'a stranger', events: [started('r'), say({ actor: 'eve' })], finds: 'warn consistency/actor 2' },
    {
      title: 'a stranger who starts it',
      events: [{ ...started('r'), actor: 'eve' }],
      finds: 'warn consistency/actor 1',
    },
    { title: 'the scenario', events: [started('r'), say({ actor: 'duel' })] },
    {
      title: 'anybody, without a cast',
      events: [{ ...started('r'), payload: { seed: 's' } }, say({ actor: 'eve' })],
    },
  ],
  'run.started: starts once': [
    { title: 'two starts', events: [started('r'), started('r')], finds: 'warn order/start-repeated 2' },
    { title: 'a start of each run', events: [started('r'), started('q')] },
  ],
  'run.started: starts at turn 0': [
    { title: 'turn 3', events: [{ ...started('r'), turn: 3 }], finds: 'warn order/start-not-first 1' },
    { title: 'turn 0', events: [started('r')] },
  ],
  'run.started: names its own session': [
    {
      title: 'another session',
      events: [withSession('a', 'b')],
      finds: 'warn consistency/session 1',
    },
    { title: 'the same session', events: [withSession('a', 'a')] },
    { title: 'a session in the payload alone', events: [withSession(null, 'a')] },
  ],
  'run.started: the competition is between seats': [
    {
      title: 'a member of a team',
      events: [versus({ teams: { spy: ['zed'], crew: ['bob'] } })],
      finds: 'warn consistency/competition 1',
    },
    {
      title: 'a symmetric seat',
      events: [versus({ symmetric_seats: ['ann', 'zed'] })],
      finds: 'warn consistency/competition 1',
    },
    { title: 'seats of the cast', events: [versus({ symmetric_seats: ['ann', 'bob'] })] },
  ],
  'judge.verdict: no contest has no winner': [
    {
      title: 'a winner',
      events: [versus(), judged({ winner: 'crew', no_contest: true })],
      finds: 'warn consistency/winner 2',
    },
    { title: 'no winner', events: [versus(), judged({ no_contest: true })] },
  ],
  'judge.verdict: the winner can have won': [
    {
      title: 'a stranger',
      events: [started('r'), judged({ winner: 'eve' })],
      finds: 'warn consistency/winner 2',
    },
    {
      title: 'the judge',
      events: [started('r'), judged({ winner: 'judge' })],
      finds: 'warn consistency/winner 2',
    },
    {
      title: 'an agent where teams play',
      events: [versus(), judged({ winner: 'ann' })],
      finds: 'warn consistency/winner 2',
    },
    { title: 'a team', events: [versus(), judged({ winner: 'crew' })] },
    { title: 'an agent', events: [started('r'), judged({ winner: 'ann' })] },
  ],
  'judge.verdict: the accused can be accused': [
    {
      title: 'a stranger',
      events: [versus(), judged({ accused: 'eve' })],
      finds: 'warn consistency/accused 2',
    },
    {
      title: 'the judge',
      events: [versus(), judged({ accused: 'judge' })],
      finds: 'warn consistency/accused 2',
    },
    {
      title: 'a spy, wrongly',
      events: [versus(), judged({ accused: 'ann', correct: false })],
      finds: 'warn consistency/accused 2',
    },
    {
      title: 'an innocent, rightly',
      events: [versus(), judged({ accused: 'bob', correct: true })],
      finds: 'warn consistency/accused 2',
    },
    {
      title: 'one of the winners',
      events: [
        versus({ teams: { red: ['ann'], crew: ['bob'] } }),
        judged({ winner: 'crew', accused: 'bob' }),
      ],
      finds: 'warn consistency/accused 2',
    },
    {
      title: 'a spy, rightly',
      events: [versus(), judged({ winner: 'crew', accused: 'ann', correct: true })],
    },
  ],
  'judge.verdict: the competition has this result': [
    {
      title: 'an accused without teams',
      events: [started('r'), judged({ winner: 'ann', accused: 'bob' })],
      finds: 'info consistency/competition 2',
    },
    {
      title: 'a winner without a competition',
      events: [versus({ kind: 'none' }), judged({ winner: 'crew' })],
      finds: 'info consistency/competition 2',
    },
    {
      title: 'nothing but a text without a competition',
      events: [versus({ kind: 'none' }), judged({ winner: null })],
    },
    {
      title: 'a run of an older engine, which does not say',
      events: [
        { ...started('r'), payload: { seed: 's', cast: { ann: {}, judge: {} } } },
        judged({ winner: 'ann' }),
      ],
    },
  ],
  'judge.verdict: scores and secrets are of the cast': [
    {
      title: 'the score of a stranger',
      events: [started('r'), judged({ scores: { eve: 3 } })],
      finds: 'warn event/vocabulary 2',
    },
    {
      title: 'the secret of a stranger',
      events: [started('r'), judged({ reveal: [{ agent: 'eve' }] })],
      finds: 'warn event/vocabulary 2',
    },
    {
      title: 'those of the cast',
      events: [started('r'), judged({ scores: { ann: 3 }, reveal: [{ agent: 'ann' }] })],
    },
  ],
  'judge.verdict: the winner has the highest score': [
    {
      title: 'a lower score than another',
      events: [started('r'), judged({ winner: 'ann', scores: { ann: 1, bob: 9 } })],
      finds: 'info consistency/winner 2',
    },
    {
      title: 'the highest score, shared',
      events: [started('r'), judged({ winner: 'ann', scores: { ann: 9, bob: 9 } })],
    },
    {
      title: 'a winner without a score',
      events: [started('r'), judged({ winner: 'ann', scores: { bob: 9 } })],
    },
  ],
  'judge.verdict: a revealed role is that of the team': [
    {
      title: 'an innocent as spy',
      events: [versus(), judged({ reveal: [{ agent: 'bob', role: 'spy' }] })],
      finds: 'info consistency/competition 2',
    },
    { title: 'a spy as spy', events: [versus(), judged({ reveal: [{ agent: 'ann', role: 'spy' }] })] },
    {
      title: 'a role that is no team',
      events: [versus(), judged({ reveal: [{ agent: 'ann', role: 'x' }] })],
    },
  ],
  'run.finished: ends once': [
    {
      title: 'two verdicts',
      events: [started('r'), verdict('r'), won('r'), won('r')],
      finds: 'warn order/terminate-repeated 4',
    },
    {
      title: 'the budget, twice',
      events: [started('r'), BUDGET, BUDGET],
      finds: 'warn order/terminate-repeated 3',
    },
    {
      title: 'a second correction',
      events: [started('r'), BUDGET, verdict('r'), won('r'), won('r')],
      finds: 'warn order/terminate-repeated 5',
    },
    { title: 'one correction', events: [started('r'), BUDGET, verdict('r'), won('r')] },
  ],
  'run.finished: turns are the turn of the end': [
    { title: 'fewer', events: [started('r'), end({ turns: -1 })], finds: 'info consistency/turns 2' },
    { title: 'more', events: [started('r'), end({ turns: 9 })], finds: 'info consistency/turns 2' },
    { title: 'the same', events: [started('r'), end({ turns: 1 })] },
  ],
  'run.finished: the reason is known': [
    {
      title: 'another',
      events: [started('r'), end({ reason: 'boredom' })],
      finds: 'info consistency/reason 2',
    },
    { title: 'the visitor stopped it', events: [started('r'), end({ reason: 'user_stop' })] },
    { title: 'none', events: [started('r'), end({})] },
  ],
  'run.finished: a verdict ends the run exactly if there is one': [
    {
      title: 'no verdict',
      events: [started('r'), end({ reason: 'verdict' })],
      finds: 'warn consistency/reason 2',
    },
    {
      title: 'another reason',
      events: [started('r'), judged({}), end({ reason: 'budget' })],
      finds: 'info consistency/reason 3',
    },
    { title: 'a verdict without a winner', events: [started('r'), judged({}), end({ reason: 'verdict' })] },
  ],
  'run.finished: credits follow from verdict and cast': [
    {
      title: 'another winner',
      events: [started('r'), verdict('r'), end({ winner: 'bob' })],
      finds: 'warn consistency/attribution 3',
    },
    {
      title: 'null after a winner',
      events: [started('r'), verdict('r'), end({ winner: null })],
      finds: 'warn consistency/attribution 3',
    },
    {
      title: 'a winner without a verdict',
      events: [started('r'), end({ winner: 'ann' })],
      finds: 'warn consistency/attribution 2',
    },
    {
      title: 'another kind, and no winner',
      events: [started('r'), verdict('r'), end({ winner_kind: 'team' })],
      finds: 'warn consistency/attribution 3',
    },
    {
      title: 'another model',
      events: [started('r'), verdict('r'), end({ winner: 'ann', winning_model: 'm9' })],
      finds: 'warn consistency/attribution 3',
    },
    {
      title: 'no key of a winner',
      events: [started('r'), verdict('r'), end({ reason: 'verdict', tokens: 1 })],
    },
    { title: 'all keys of the winner', events: [started('r'), verdict('r'), won('r')] },
  ],
};

test('every rule has ledgers that break it and keep it', () => {
  expect(Object.keys(CASES)).toEqual(RULES.names);
  for (const [name, cases] of Object.entries(CASES)) {
    expect(
      cases.some(({ finds }) => finds !== undefined),
      name,
    ).toBe(true);
    expect(
      cases.some(({ finds }) => finds === undefined),
      name,
    ).toBe(true);
  }
});

describe.each(Object.entries(CASES))('%s', (name, cases) => {
  test.each(cases)('$title', async ({ events, finds }) => {
    const found = brief(await verifyEvents(verifyFishbowl, ledger(events)));
    if (finds !== undefined) return expect(found).toContain(finds);
    const codes = cases.flatMap((one) => one.finds?.split(' ')[1] ?? []);
    expect(
      found.filter((one) => codes.includes(one.split(' ')[1] ?? '')),
      name,
    ).toEqual([]);
  });
});

test('the number of tokens is not negative', async () => {
  const of = async (tokens: number) =>
    brief(await verifyEvents(verifyFishbowl, ledger([started('r'), end({ tokens })])));
  expect(await of(-1)).toEqual(['warn event/range 2']);
  expect(await of(0)).toEqual([]);
});

test('the page of the format has a row for each rule, with the statements of its source', () => {
  const page = readFileSync('docs/formats/fishbowl.md', 'utf8');
  const rows = [...page.matchAll(/^\| ([^|]+) \| ((?:RL-\d{3}|§\d+)[^|]*) \| [^|]+ \|$/gm)].map(
    ([, name]) => name,
  );
  expect(rows).toEqual(RULES.names.map((name) => name.replace(/^(\S+):/, '`$1`:')));
});
