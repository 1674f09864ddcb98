import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { verifyEpisode } from '../../../src/library/verify.ts';
import { EXAMPLES } from '../../support/cli.ts';
import { tempDir, writeTree } from '../../support/temp.ts';

const EPISODES = join(EXAMPLES, '.noesis/episodes');

type Change = (events: Record<string, JsonObject>) => void;

const CITED = ['event:observe:1', 'event:start:1'];

/** An honest run, with the payload of each event under its phase. */
function eventsOf(): Record<string, JsonObject> {
  const direction = {
    schema_version: '1.2.0',
    directive_id: 'd-1',
    status: 'applied',
    applied: true,
    reason: 'because',
    policy_id: 'p',
    policy_version: '1',
    policy_kind: 'rules',
    intuition_event_id: 'intuition',
    evidence_ids: [...CITED],
  };
  return {
    start: { payload: { task: 't', seed: 0 } },
    observe: { payload: { task: 't', timestamp: '2026-01-01T00:00:00Z' } },
    intuition: { payload: { kind: 'hint', evidence_ids: [...CITED] }, evidence_ids: [...CITED] },
    plan: { payload: { steps: ['act:x'] } },
    direction: { payload: direction, evidence_ids: [...CITED] },
    act: { payload: { input_excerpt: 'x', outcome: 'ok', tool: 'x' } },
    reflect: { payload: { success: true, reason: 'it works' } },
    terminate: { payload: { status: 'completed' } },
  };
}

async function findingsOf(change: Change): Promise<string[]> {
  const events = eventsOf();
  change(events);
  const lines = Object.entries(events).map(([name, event], index) =>
    JSON.stringify({
      id: name,
      phase: name.replace(/-.*/, ''),
      timestamp: `2026-01-01T00:00:${String(index).padStart(2, '0')}Z`,
      episode_id: 'ep_1',
      evidence_ids: [],
      agent_id: 'a',
      ...(index > 0 && name !== 'terminate' && { caused_by: 'start' }),
      ...event,
    }),
  );
  const dir = writeTree({ 'events.jsonl': `${lines.join('\n')}\n` });
  const { findings } = await verifyEpisode(`${dir}/events.jsonl`);
  return findings
    .filter(({ message }) => !message.includes('every runtime writes it'))
    .map(({ severity, code, line, path }) => [severity, code, line, path].join(' '));
}

/** The payload of an event, to change it. */
const payloadOf = (events: Record<string, JsonObject>, name: string): JsonObject =>
  events[name]?.['payload'] as JsonObject;

const set =
  (name: string, members: JsonObject): Change =>
  (events) =>
    Object.assign(payloadOf(events, name), members);

const setEvent =
  (name: string, members: JsonObject): Change =>
  (events) =>
    Object.assign(events[name] ?? {}, members);

const both =
  (...changes: readonly Change[]): Change =>
  (events) => {
    for (const change of changes) change(events);
  };

test('an honest run has no finding', async () => {
  expect(await findingsOf(() => {})).toEqual([]);
});

describe('evidence', () => {
  test.each<[string, Change, string[]]>([
    [
      'of an intuition that differs from its payload',
      set('intuition', { evidence_ids: ['event:start:1', 'event:observe:1'] }),
      ['warn lineage/evidence 3 payload.evidence_ids'],
    ],
    [
      'of an intuition that only its payload has',
      setEvent('intuition', { evidence_ids: [] }),
      ['info lineage/evidence 3 evidence_ids'],
    ],
    [
      'of an intuition that only the event has',
      set('intuition', { evidence_ids: [] }),
      ['warn lineage/evidence 3 payload.evidence_ids'],
    ],
    [
      'that a direction drops',
      both(
        set('direction', { evidence_ids: ['event:start:1'] }),
        setEvent('direction', { evidence_ids: ['event:start:1'] }),
      ),
      ['info lineage/evidence 5 payload.evidence_ids'],
    ],
    [
      'that a direction drops, and has no list in its payload',
      (events) => {
        delete payloadOf(events, 'direction')['evidence_ids'];
        setEvent('direction', { evidence_ids: [] })(events);
      },
      ['info lineage/evidence 5 evidence_ids'],
    ],
    [
      'that a direction adds',
      both(
        set('direction', { evidence_ids: [...CITED, 'event:plan:1'] }),
        setEvent('direction', { evidence_ids: [...CITED, 'event:plan:1'] }),
      ),
      ['info lineage/evidence 5 payload.evidence_ids[2]'],
    ],
    [
      'of a direction that only its payload has',
      setEvent('direction', { evidence_ids: [] }),
      ['info lineage/evidence 5 evidence_ids'],
    ],
  ])('%s is reported', async (_, change, expected) => {
    expect(await findingsOf(change)).toEqual(expected);
  });
});

describe('a directive', () => {
  const again =
    (id: string, more: JsonObject = {}): Change =>
    (events) => {
      const { reflect = {}, terminate = {}, act = {} } = events;
      for (const name of ['act', 'reflect', 'terminate']) delete events[name];
      const payload = { ...payloadOf(events, 'direction'), directive_id: id, ...more };
      Object.assign(events, {
        'direction-2': { payload, evidence_ids: [...CITED] },
        act,
        reflect,
        terminate,
      });
    };

  test.each<[string, Change, string[]]>([
    ['twice under one id', again('d-1'), []],
    ['under two ids', again('d-2'), ['info lineage/duplicate-id 6 payload.directive_id']],
    [
      'and another one under its id',
      again('d-1', { reason: 'other' }),
      ['warn lineage/duplicate-id 6 payload.directive_id'],
    ],
    ['and another one under another id', again('d-2', { reason: 'other' }), []],
    [
      'with applied false',
      set('direction', { applied: false }),
      ['warn governance/enforcement 5 payload.applied'],
    ],
    [
      'with applied null',
      set('direction', { applied: null }),
      ['info governance/enforcement 5 payload.applied'],
    ],
    [
      'that is blocked and applied',
      set('direction', { status: 'blocked' }),
      ['warn governance/enforcement 5 payload.applied'],
    ],
    [
      'that is skipped and applied',
      set('direction', { status: 'skipped' }),
      ['warn governance/enforcement 5 payload.applied'],
    ],
    ['without a reason', set('direction', { reason: null }), ['error event/payload 5 payload.reason']],
  ])('%s', async (_, change, expected) => {
    expect(await findingsOf(change)).toEqual(expected);
  });
});

describe('a version', () => {
  test.each<[string, string, JsonObject]>([
    ['direction', 'event/vocabulary 5', { schema_version: '2.0.0' }],
    ['direction', 'event/vocabulary 5', { schema_version: '11.0.0' }],
    ['intuition', 'event/vocabulary 3', { schema_version: '2.0.0' }],
  ])('of %s that noesis does not know is reported', async (phase, code, payload) => {
    expect(await findingsOf(set(phase, payload))).toEqual([`warn ${code} payload.schema_version`]);
  });

  test.each(['1.0.0', '1.1.0', '1.9.4', 'direction/1.0.0'])('%s is known', async (version) => {
    expect(await findingsOf(set('direction', { schema_version: version }))).toEqual([]);
  });
});

test.each<[string, JsonObject, string[]]>([
  ['act', { error: 'broken' }, ['warn consistency/action 6 payload.error']],
  ['act', { error: { message: 'broken' } }, ['warn consistency/action 6 payload.error']],
  ['act', { error: { type: 'E' }, result_status: 'ok' }, ['warn consistency/action 6 payload.error']],
  ['act', { error: 'broken', outcome: 'error' }, []],
  ['act', { error: '' }, []],
  ['act', { error: {} }, []],
  ['act', { error: null }, []],
  ['terminate', { error: 'broken' }, ['warn consistency/status 8 payload.error']],
  ['terminate', { error: 'broken', status: 'errored' }, []],
  ['terminate', { error: null }, []],
])('%s with %j: only a success contradicts an error', async (phase, payload, expected) => {
  expect(await findingsOf(set(phase, payload))).toEqual(expected);
});

test('a success with an error is reported in a state projection', async () => {
  const projection =
    (outcomes: JsonObject): Change =>
    (events) => {
      const { terminate = {} } = events;
      delete events['terminate'];
      const payload = { kind: 'run.state_projection', status: outcomes['status'] ?? '', outcomes, links: {} };
      const event = { payload, event_type: 'run.state_projection', caused_by: 'reflect' };
      Object.assign(events, { 'runtime-1': event, terminate });
    };
  expect(await findingsOf(projection({ status: 'ok', error: 'broken' }))).toEqual([
    'warn projection/status 8 payload.outcomes.error',
  ]);
  expect(await findingsOf(projection({ status: 'ok', error: null }))).toEqual([]);
});

test.each<[string, JsonObject]>([
  ['reflect', { reason: null }],
  ['terminate', { status: 'completed' }],
])('a null where the documents have a value is noted once: %s %j', async (phase, payload) => {
  const expected = payload['reason'] === null ? ['info event/payload 7 payload.reason'] : [];
  expect(await findingsOf(set(phase, payload))).toEqual(expected);
});

test('a learn event with applied null is noted', async () => {
  const learn = { policy_id: 'p', basis: ['b'], proposal: [], scope: 'session', applied: null };
  const withLearn: Change = (events) => {
    const { terminate = {} } = events;
    delete events['terminate'];
    Object.assign(events, { learn: { payload: learn }, terminate });
  };
  expect(await findingsOf(withLearn)).toEqual(['info event/payload 8 payload.applied']);
});

test('an empty phase has one finding', async () => {
  expect(await findingsOf(setEvent('reflect', { phase: '' }))).toEqual(['error event/missing-field 7 phase']);
});

test.each([
  ['broken', ['warn consistency/status']],
  [null, []],
])('a state that succeeded with the error %j', async (error, expected) => {
  const [name = ''] = readdirSync(EPISODES);
  const copy = join(tempDir(), name);
  cpSync(join(EPISODES, name), copy, { recursive: true });
  const state = JSON.parse(readFileSync(join(copy, 'state.json'), 'utf8'));
  Object.assign(state.outcomes, { status: 'ok', error });
  writeFileSync(join(copy, 'state.json'), JSON.stringify(state));
  const { findings } = await verifyEpisode(copy);
  const about = findings.filter(({ path }) => path === 'outcomes.error');
  expect(about.map(({ severity, code }) => `${severity} ${code}`)).toEqual(expected);
});

test.each([
  ['interrupted', 'warn'],
  ['paused', 'warn'],
  ['sleeping', 'error'],
])('a state with the status %s is a finding of severity %s', async (status, expected) => {
  const [name = ''] = readdirSync(EPISODES);
  const copy = join(tempDir(), name);
  cpSync(join(EPISODES, name), copy, { recursive: true });
  const state = JSON.parse(readFileSync(join(copy, 'state.json'), 'utf8'));
  Object.assign(state.outcomes, { status });
  writeFileSync(join(copy, 'state.json'), JSON.stringify(state));
  const { findings } = await verifyEpisode(copy);
  const words = findings.filter(
    ({ code, path }) => code === 'state/vocabulary' && path === 'outcomes.status',
  );
  expect(words.map(({ severity }) => severity)).toEqual([expected]);
});
