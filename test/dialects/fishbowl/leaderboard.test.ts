import { describe, expect, test } from 'vitest';
import { attribute, castingOf } from '../../../src/dialects/fishbowl/attribution.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { ledger, project, started } from './ledgers.ts';

const casting = castingOf({
  cast: {
    ann: { model_endpoint: 'm1', model: 'x1' },
    bob: { model_endpoint: null, model: 'm2' },
    cat: {},
    dan: { model_endpoint: 'm1' },
  },
  competition: { kind: 'versus', teams: { red: ['ann', 'bob', 'cat', 'dan'], ann: ['bob'] } },
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
      'a team, repeats kept',
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

  test('adds the winning model to a list that lacks it', () => {
    const end = { ...finish('ann', []), payload: { winner: 'ann', winning_model: 'm1' } };
    const { leaderboard } = project(ledger([begin('versus'), end])).value as Record<string, JsonObject>;
    expect(leaderboard).toMatchObject({ entries: [{ winning_models: ['m1'] }] });
  });
});
