import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { verifyEpisode } from '../../../src/library/verify.ts';
import { runHere } from '../../support/in-process.ts';
import { tempDir, writeSettled } from '../../support/temp.ts';
import { act, event, plan } from './events.ts';

const EPISODE = 'ep_01KJPWD6M0GKJVH2GKEFTDNN55';
const TIME = '2026-03-02T09:00:00Z';

/** The folder of an episode of these events and documents; what a function gives of an event is a line. */
function episodeOf(
  events: readonly (JsonObject | string)[],
  documents: Readonly<Record<string, object>> = {},
): string {
  const dir = join(tempDir(), EPISODE);
  mkdirSync(dir);
  const lines = events.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`);
  writeSettled(join(dir, 'events.jsonl'), lines.join(''));
  for (const [name, value] of Object.entries(documents)) writeSettled(join(dir, name), JSON.stringify(value));
  return dir;
}

/** The findings whose codes match, each with its place and message. */
async function told(dir: string, codes: RegExp) {
  const { findings } = await verifyEpisode(dir);
  return findings
    .filter(({ code }) => codes.test(code))
    .map(({ code, file, line, path, expected, actual }) => ({ code, file, line, path, expected, actual }));
}

const terminate = (status: unknown): JsonObject => event('terminate', { status }, { timestamp: TIME });
const veto = (more: JsonObject): JsonObject =>
  event('governance', { decision: 'veto', enforced: true }, more);

describe('an enforced veto', () => {
  test('without an id is answered only by the end of the run', async () => {
    const ignored = (line: number) =>
      expect.objectContaining({ code: 'governance/veto-ignored', line, path: 'payload.decision' });
    const start = event('start', {});
    const asked = /^governance\/veto/;
    expect(await told(episodeOf([start, veto({}), veto({ id: 'v' }), terminate('ok')]), asked)).toEqual([
      ignored(2),
      ignored(3),
    ]);
    const answered = act({ action_candidate_id: 'c' }, { caused_by: 'v' });
    expect(
      await told(episodeOf([start, veto({}), veto({ id: 'v' }), answered, terminate('ok')]), asked),
    ).toEqual([ignored(2)]);
    expect(await told(episodeOf([start, veto({}), terminate('vetoed')]), asked)).toEqual([]);
  });
});

describe('an id that is a hash of content', () => {
  const candidate = (more: JsonObject): JsonObject =>
    event('action_candidate', { action_candidate_id: '0b5a4b1e-6c1f-5c55-9f0e-2d1f7f4f6a10' }, more);

  test('of a candidate is checked if its episode is known', async () => {
    const asked = /^governance\/candidate-id/;
    expect(await told(episodeOf([event('start', {}), candidate({})]), asked)).toEqual([]);
    const [found] = await told(
      episodeOf([event('start', {}, { episode_id: EPISODE }), candidate({})]),
      asked,
    );
    expect(found).toMatchObject({ line: 2, path: 'payload.action_candidate_id' });
  });

  test('of a decision with a number that Python cannot print is not checked', async () => {
    const decision = (score: string) =>
      `{"phase":"governance","id":"g","payload":{"governance_id":"gov-${'0'.repeat(24)}","score":${score}}}`;
    const asked = /^governance\/content-id/;
    expect(await told(episodeOf([event('start', {}), decision('1e400')]), asked)).toEqual([]);
    expect(await told(episodeOf([event('start', {}), decision('0.5')]), asked)).toHaveLength(1);
  });
});

describe('what documents repeat of the log', () => {
  const start = event('start', {}, { timestamp: TIME, episode_id: EPISODE });
  const far = '2026-03-03T09:00:00Z';
  const farther = '2026-03-04T09:00:00Z';
  const both = (inState: unknown, inSummary: unknown) => ({
    'state.json': { episode: { started_at: inState } },
    'summary.json': { started_at: inSummary },
  });
  const STATE = ['state.json', 'episode.started_at'];
  const SUMMARY = ['summary.json', 'started_at'];

  test.each([
    ['one start', both(TIME, TIME), []],
    ['a summary that is off', both(TIME, far), [[...SUMMARY, TIME, far]]],
    ['a state that is off', both(far, TIME), [[...STATE, TIME, far]]],
    ['both off', both(farther, far), [[...STATE, TIME, farther]]],
    [
      'a state that is nearer',
      both(far, farther),
      [
        [...STATE, TIME, far],
        [...SUMMARY, far, farther],
      ],
    ],
    ['a summary alone', { 'summary.json': { started_at: far } }, [[...SUMMARY, TIME, far]]],
    ['a summary alone, near', { 'summary.json': { started_at: '2026-03-02T09:01:00Z' } }, []],
    ['a state that says none', both(7, far), [[...SUMMARY, TIME, far]]],
    ['a state with no time', both('then', TIME), [[...STATE, TIME, 'then']]],
  ])('the start of the run: %s', async (_, documents, expected) => {
    const found = await told(episodeOf([start], documents), /^consistency\/started-at/);
    expect(found.map(({ file, path, expected: wanted, actual }) => [file, path, wanted, actual])).toEqual(
      expected,
    );
  });

  test('the start of a run without an event: the summary is compared with the state', async () => {
    const untimed = [event('start', {}, { episode_id: EPISODE })];
    const found = await told(episodeOf(untimed, both(TIME, far)), /^consistency\/started-at/);
    expect(found).toMatchObject([{ file: 'summary.json', path: 'started_at', expected: TIME, actual: far }]);
    expect(
      await told(episodeOf(untimed, { 'summary.json': { started_at: far } }), /^consistency\/started-at/),
    ).toEqual([]);
  });

  test('a status that is not a word is compared with a word like any other value', async () => {
    const ended = [start, terminate('ok')];
    const found = await told(episodeOf(ended, { 'summary.json': { status: 7 } }), /^consistency\/status/);
    expect(found).toMatchObject([{ file: 'summary.json', path: 'status', expected: '"ok"', actual: '7' }]);
  });
});

describe('a plan that was read back', () => {
  const step = { id: 'a', kind: 'act', description: 'd' };
  const state = (updated_at: unknown) => ({
    'state.json': { plan: { source: 'planner.resume', updated_at, steps: [{ ...step, status: 'pending' }] } },
  });
  const resume = event('runtime', { status: 'resuming' }, { event_type: 'run.resume', id: 'r' });
  const planned = (more: JsonObject) => [event('start', {}), plan({ step_records: [step] }, more), resume];

  test('has its own valid time', async () => {
    const asked = /^projection\/(?!not)/;
    expect(await told(episodeOf(planned({ timestamp: TIME }), state('2026-03-05T00:00:00Z')), asked)).toEqual(
      [],
    );
    expect(
      await told(episodeOf(planned({ timestamp: 'then' }), state('2026-03-05T00:00:00Z')), asked),
    ).toEqual([]);
    for (const updated_at of [7, 'then', '2026-02-01T00:00:00Z'])
      expect(await told(episodeOf(planned({ timestamp: TIME }), state(updated_at)), asked)).toMatchObject([
        { path: 'plan.updated_at', expected: `"${TIME}"` },
      ]);
  });
});

describe('noesis state', () => {
  test('shows an invalid state, and its faults with their lines', async () => {
    const dir = episodeOf([event('start', {})]);
    writeSettled(join(dir, 'state.json'), '{\n  "goal": {"task": 7},\n  "plan": {}\n}');
    const { code, stdout, stderr } = await runHere(['state', dir]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('7')]);
    expect(stderr).toContain('state.json, line 2: ');
  });

  test('refuses a document that has no part of a state', async () => {
    const dir = episodeOf([event('start', {})], { 'state.json': { goal: 7 } });
    const { code, stderr } = await runHere(['state', dir]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('/state.json: version is missing')]);
  });
});
