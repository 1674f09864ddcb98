import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/value.ts';
import { bothAbout } from '../../support/append-agrees.ts';
import { seed, times } from '../../support/length.ts';
import { tempDir } from '../../support/temp.ts';
import { ledger, say, started, verdict, won } from './ledgers.ts';

const RUN = 'r';

/** A whole run, of which a test takes a prefix: it may already have ended, by its budget or with a verdict. */
const COURSES: readonly (readonly JsonObject[])[] = [
  [started(RUN), say({ turn: 1 }), say({ actor: 'bob', turn: 2 }), verdict(RUN), won(RUN)],
  [
    started(RUN),
    say({ session_id: 's1' }),
    { kind: 'run.finished', actor: 'conductor', payload: { reason: 'budget', winner: null, turns: 1 } },
    verdict(RUN),
    won(RUN),
  ],
  [say({ run_id: 'other' }), started(RUN), say({ actor: 'mallory' })],
];

const oneOf = (...values: JsonValue[]): fc.Arbitrary<JsonValue> => fc.constantFrom(...values);

const payloads: fc.Arbitrary<JsonObject> = fc.record(
  {
    text: oneOf('t', 7, null),
    seed: oneOf('s', 1),
    cast: oneOf({ ann: { model_endpoint: 'm1' } }, 'nobody', null),
    competition: oneOf(
      { kind: 'judged' },
      { kind: 'race' },
      { kind: 'versus', teams: { red: ['ann', 'zed'] } },
    ),
    winner: oneOf('ann', 'red', 'judge', 'eve', null),
    winner_kind: oneOf('agent', 'team', 'horse', null),
    winning_model: oneOf('m1', 'm9', null),
    winning_models: oneOf(['m1'], [], 'm1'),
    accused: oneOf('bob', 'judge', 'eve'),
    correct: oneOf(true, 'yes'),
    scores: oneOf({ ann: 7 }, { eve: 3 }, { ann: 11 }, {}),
    no_contest: oneOf(true, false),
    reason: oneOf('verdict', 'budget', 'boredom', 5),
    turns: oneOf(1, 2, -1, 'one'),
    tokens: oneOf(10, -10),
  },
  { requiredKeys: [] },
);

const events: fc.Arbitrary<JsonObject> = fc.record(
  {
    id: oneOf('new', '', 9),
    run_id: oneOf(RUN, 'other', 'fresh', 4),
    kind: oneOf(
      'run.started',
      'agent.spoke',
      'judge.verdict',
      'run.finished',
      'crier.announced',
      'Agent.Spoke',
    ),
    actor: oneOf('ann', 'judge', 'conductor', 'mallory', 'eve', 3),
    turn: oneOf(0, 1, 2, 3, '2', 1.5),
    created_at: oneOf(
      '2026-06-02T00:00:00Z',
      '2020-01-01T00:00:00Z',
      '2026-06-02T00:00:00+02:00',
      'today',
      5,
    ),
    schema_version: oneOf(1, 2, '1', null),
    session_id: oneOf('s1', 's2', null, 4),
    offset: oneOf(7),
    payload: payloads,
  },
  { requiredKeys: ['id', 'run_id', 'kind', 'actor', 'turn', 'created_at', 'schema_version', 'payload'] },
) as fc.Arbitrary<JsonObject>;

/** Events near the right ones: nearly all others would be refused for their envelope alone. */
const candidates = fc
  .tuple(fc.constantFrom(...COURSES), fc.nat(5), events, fc.uniqueArray(fc.nat(9), { maxLength: 3 }))
  .map(([course, length, wild, changed]) => {
    const whole = ledger(course);
    const before = whole.slice(0, length);
    const right = whole[length] ?? ledger([say({ turn: 2 })])[0];
    const keys = Object.keys(wild);
    const event = { ...right, id: 'next', created_at: '2026-06-02T00:00:00Z' } as JsonObject;
    for (const index of changed) {
      const key = keys[index];
      if (key === 'payload') event[key] = { ...(event[key] as JsonObject), ...(wild[key] as JsonObject) };
      else if (key !== undefined) event[key] = wild[key] as JsonValue;
    }
    return { before, event };
  });

test('append refuses an event exactly if verify reports an error or a warning because of it', async () => {
  const folder = tempDir();
  let [accepted, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(candidates, async ({ before, event }) => {
      const answers = await bothAbout(folder, { before, event, dialect: 'fishbowl', name: 'ledger.jsonl' });
      if (answers.refused === undefined) accepted += 1;
      else refused += 1;
      expect({ ...answers, isRefused: answers.refused !== undefined }).toMatchObject({
        isRefused: answers.reported.length > 0,
      });
    }),
    { numRuns: times(1000, 150), seed },
  );
  expect(Math.min(accepted, refused)).toBeGreaterThan(20);
});
