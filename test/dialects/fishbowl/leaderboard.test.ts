import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { attribute, castingOf } from '../../../src/dialects/fishbowl/casting.ts';
import { ledger, project, started } from './ledgers.ts';

const casting = castingOf({
  cast: {
    ann: { model_endpoint: 'm1', model: 'x1' },
    bob: { model_endpoint: null, model: 'm2' },
    cat: {},
    dan: { model_endpoint: 'm1' },
  },
  competition: { kind: 'versus', teams: { red: ['ann', 'bob', 'nobody', 'cat', 'dan'], ann: ['bob'] } },
});

describe('attribution', () => {
  test.each([
    [
      'an agent with an endpoint',
      'ann',
      { winner_kind: 'agent', winning_model: 'm1', winning_models: ['m1'] },
    ],
    [
      'an agent with a model only',
      'bob',
      { winner_kind: 'agent', winning_model: 'm2', winning_models: ['m2'] },
    ],
    ['an agent without either', 'cat', { winner_kind: 'agent', winning_model: null, winning_models: [] }],
    [
      'a team, repeats kept, of which one has no seat',
      'red',
      { winner_kind: 'team', winning_model: null, winning_models: ['m1', 'm2', 'm1'] },
    ],
    ['somebody else', 'eve', { winner_kind: null, winning_model: null, winning_models: [] }],
    ['nobody', null, { winner_kind: null, winning_model: null, winning_models: [] }],
    ['a hostile name', '__proto__', { winner_kind: null, winning_model: null, winning_models: [] }],
  ])('of %s', (_, winner, expected) => expect(attribute(winner, casting)).toEqual(expected));
});

describe('the leaderboard', () => {
  const finish = (winner: string, models: string[]): JsonObject => ({
    run_id: 'r',
    kind: 'run.finished',
    payload: {
      reason: 'verdict',
      winner,
      winner_kind: 'agent',
      winning_model: models[0] ?? null,
      winning_models: models,
    },
  });
  const seats = { ann: { model_endpoint: 'm1' }, bob: { model_endpoint: 'm2' } };
  const begin = (kind: string): JsonObject => ({
    ...started('r'),
    payload: {
      seed: 's',
      scenario: 'duel',
      cast: seats,
      competition: { kind, symmetric_seats: ['ann', 'bob'] },
    },
  });

  test('counts models by their endpoints', () => {
    const { leaderboard } = project(ledger([begin('versus'), finish('ann', ['m1'])])).value as Record<
      string,
      JsonObject
    >;
    expect(leaderboard?.['model_table']).toEqual([
      { model_endpoint: 'm1', plays: 1, wins: 1, win_rate: 1 },
      { model_endpoint: 'm2', plays: 1, wins: 0, win_rate: 0 },
    ]);
  });

  test.each([
    ['none', 'ann', ['m1']],
    ['versus', '', ['m1']],
    ['versus', 'ann', []],
  ])('leaves out kind %s with winner "%s" and models %j', (kind, winner, models) => {
    const { leaderboard } = project(ledger([begin(kind), finish(winner, models)])).value as Record<
      string,
      JsonObject
    >;
    expect(leaderboard).toMatchObject({ entries: [], skipped_run_ids: ['r'] });
  });

  /** A run of this id, scenario and end that a model has won. */
  const runOf = (id: string, scenario: string, model: string, at: string): JsonObject[] => [
    {
      ...started(id),
      payload: {
        seed: 's',
        scenario,
        cast: seats,
        competition: { kind: 'versus', symmetric_seats: ['ann'] },
      },
    },
    { ...finish('ann', [model]), run_id: id, created_at: at },
  ];
  const boardOf = (...runs: JsonObject[][]) =>
    project(ledger(runs.flat())).value['leaderboard'] as Record<string, JsonObject[]>;

  test('lists the latest runs first, and those of one time by their ids', () => {
    const [early, late] = ['2026-06-01T10:00:00Z', '2026-06-01T11:00:00Z'];
    const board = boardOf(
      runOf('b', 'duel', 'm1', early),
      runOf('c', 'duel', 'm1', late),
      runOf('a', 'duel', 'm1', early),
      runOf('d', 'duel', 'm1', late),
    );
    expect(board['entries']?.map((entry) => [entry['run_id'], entry['finished_at']])).toEqual([
      ['c', late],
      ['d', late],
      ['a', early],
      ['b', early],
    ]);
  });

  test('compares models if seats are symmetric and two of them have won', () => {
    const at = '2026-06-01T10:00:00Z';
    const alone = runOf('a', 'alone', 'm1', at);
    const duels = ['m2', 'm1', 'm3', 'm2'].map((model, index) => runOf(`d${index}`, 'duel', model, at));
    expect(boardOf(alone, ...duels)['headline']).toEqual({
      scenario: 'duel',
      models: [
        { model: 'm2', wins: 2 },
        { model: 'm1', wins: 1 },
        { model: 'm3', wins: 1 },
      ],
    });
    expect(boardOf(alone)['headline']).toBeNull();
  });

  test('counts a run without a cast, and nobody in it', () => {
    const castless = {
      ...started('r'),
      payload: { seed: 's', scenario: 'duel', competition: { kind: 'versus' } },
    };
    expect(boardOf([castless, finish('ann', ['m1'])])).toMatchObject({
      entries: [{ run_id: 'r', winning_models: ['m1'], cast: {} }],
      model_table: [],
      agent_tables: { duel: [] },
      fairness: { duel: [] },
      headline: null,
    });
  });

  test('adds the winning model to a list that lacks it', () => {
    const end = { ...finish('ann', []), payload: { winner: 'ann', winning_model: 'm1' } };
    const { leaderboard } = project(ledger([begin('versus'), end])).value as Record<string, JsonObject>;
    expect(leaderboard).toMatchObject({ entries: [{ winning_models: ['m1'] }] });
  });
});
