import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { describeEvent } from '../../../src/dialects/fishbowl/describe.ts';
import { verifyFishbowl } from '../../../src/dialects/fishbowl/verify.ts';
import { runHere } from '../../support/in-process.ts';
import { writeTree } from '../../support/temp.ts';
import { brief, verifyEvents } from '../verify-events.ts';
import { ledger, started, verdict } from './ledgers.ts';

/** The first event of a run of teams, one of them the spies. */
const versus = (teams: JsonObject = { spy: ['ann'], crew: ['bob', 'cy'] }): JsonObject => ({
  ...started('r'),
  payload: {
    seed: 'a lighthouse',
    goal: 'find the spy',
    scenario: 'bluff',
    cast: { ann: { model_endpoint: 'm1' }, bob: { model_endpoint: 'm2' }, cy: {}, judge: {} },
    competition: { kind: 'versus', teams, symmetric_seats: null },
  },
});

const judged = (payload: JsonObject): JsonObject => ({ ...verdict('r', payload), turn: 2 });

/** The findings about a verdict in such a run, except that the run has no end. */
async function found(payload: JsonObject, teams?: JsonObject): Promise<string[]> {
  const report = await verifyEvents(verifyFishbowl, ledger([versus(teams), judged(payload)]));
  return brief(report).filter((text) => !text.startsWith('info'));
}

const WINNER = ['warn consistency/winner 2'];
const ACCUSED = ['warn consistency/accused 2'];
const OTHER = { red: ['ann'], blue: ['bob', 'cy'] };

test.each<[string, JsonObject, string[]]>([
  ['an agent where teams play', { winner: 'bob' }, WINNER],
  ['the judge', { winner: 'judge' }, WINNER],
  ['a name that nobody has', { winner: 'eve' }, WINNER],
  ['a team', { winner: 'crew' }, []],
  ['nobody', { winner: null }, []],
  ['an agent whose guess was correct', { winner: 'bob', correct: true }, []],
  ['a team, and accuses a spy rightly', { winner: 'crew', accused: 'ann', correct: true }, []],
  ['a team, and accuses an innocent wrongly', { winner: 'spy', accused: 'bob', correct: false }, []],
  ['a team, and accuses an innocent rightly', { winner: 'spy', accused: 'bob', correct: true }, ACCUSED],
  ['a team, and accuses a spy wrongly', { winner: 'crew', accused: 'ann', correct: false }, ACCUSED],
  ['a team, and accuses one of it', { winner: 'crew', accused: 'bob', correct: false }, ACCUSED],
  ['a team, and accuses a stranger', { winner: 'crew', accused: 'eve', correct: true }, ACCUSED],
])('a verdict names %s', async (_, payload, expected) => {
  expect(await found(payload)).toEqual(expected);
});

test('without a team of spies the accused must not be in the team that won', async () => {
  expect(await found({ winner: 'blue', accused: 'bob', correct: true }, OTHER)).toEqual(ACCUSED);
  expect(await found({ winner: 'blue', accused: 'ann', correct: true }, OTHER)).toEqual([]);
});

test('agents win if no team is named', async () => {
  expect(await found({ winner: 'bob' }, {})).toEqual([]);
  expect(await found({ winner: 'judge' }, {})).toEqual(WINNER);
});

const SAID = { winner: 'crew', accused: 'ann', correct: true, scores: { bob: 7, cy: 3.5 } };
const FINISH = {
  kind: 'run.finished',
  actor: 'conductor',
  turn: 2,
  payload: {
    reason: 'verdict',
    winner: 'crew',
    winner_kind: 'team',
    winning_model: null,
    winning_models: ['m2'],
    turns: 2,
    tokens: 40,
  },
};

test('show, list and events say who won, who was accused, whether rightly, and the scores', async () => {
  const events = ledger([versus(), judged(SAID), FINISH]);
  const dir = writeTree({ 'l.jsonl': events.map((event) => `${JSON.stringify(event)}\n`).join('') });
  const log = join(dir, 'l.jsonl');
  const out = async (...args: string[]) => (await runHere(args)).stdout;
  expect(await out('show', log)).toMatch(
    /winner crew, judge judge, accused ann, correct true,\s+scores bob 7, cy 3\.5/,
  );
  expect(await out('list', log)).toMatch(/RESULT[\s\S]*crew won, accused ann \(correct\)/);
  const [listed] = JSON.parse(await out('list', log, '-j')) as JsonObject[];
  expect(listed).toMatchObject({ task: 'find the spy', result: 'crew won, accused ann (correct)' });
  expect(await out('events', log)).toContain(
    'crew won, accused ann (correct); scores: bob 7, cy 3.5: ann it is',
  );
});

test.each<[JsonObject, string]>([
  [versus(), 'bluff; find the spy; seed: a lighthouse; cast: ann, bob, cy, judge'],
  [FINISH, 'verdict: crew won; 2 turns, 40 tokens'],
  [{ kind: 'run.finished', payload: {} }, 'nobody won'],
  [{ kind: 'judge.verdict', payload: { text: 'hm', no_contest: true } }, 'no contest: hm'],
  [{ kind: 'judge.verdict', payload: { text: 'hm', correct: false, scores: { ann: 'x' } } }, 'wrong: hm'],
  [{ kind: 'judge.verdict', payload: { text: 'hm', accused: 'ann' } }, 'accused ann: hm'],
  [{ kind: 'judge.verdict', payload: { winner: 7 } }, '{"winner":7}'],
  [{ kind: 'run.started', payload: { seed: 's' } }, 's'],
  [{ kind: 'agent.spoke', payload: { text: '', summary: 'short' } }, 'short'],
])('an event is described in words: %j', (event, text) => {
  expect(describeEvent(event)).toBe(text);
});
