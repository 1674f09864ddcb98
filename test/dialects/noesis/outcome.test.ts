import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { actionOf } from '../../../src/dialects/noesis/act/act-event.ts';
import { persistedOutcome } from '../../../src/dialects/noesis/state/persisted-outcome.ts';
import { act, done, event, persisted, plan, projectorOf, records } from './events.ts';

const outcomesOf = (...events: JsonObject[]) => projectorOf(events).result().value;
const OK = { status: 'ok', summary: null, metrics: {} };

describe('run.state_projection (noesis.md §5.2)', () => {
  test('the last one counts', () => {
    const value = outcomesOf(persisted({ status: 'partial' }), persisted({ status: 'ok' }));
    expect(value['outcomes']).toEqual(OK);
  });

  test.each([
    ['another phase', event('act', { outcomes: OK, links: {} }, { event_type: 'run.state_projection' })],
    ['another type', event('runtime', { outcomes: OK, links: {} }, { event_type: 'run.checkpoint' })],
    ['no type', event('runtime', { kind: 'run.state_projection', outcomes: OK, links: {} })],
  ])('%s is not one', (_, other) => {
    expect(outcomesOf(other)).toEqual({ plan: null });
  });

  test.each([
    ['the payload', event('runtime', null, { event_type: 'run.state_projection' })],
    ['the outcomes', persisted([], {})],
    ['the outcomes, missing', persisted(undefined, undefined)],
    ['the links', persisted(OK, null)],
    ['the status', persisted({ status: 7 }, {})],
    ['the status, missing', persisted({}, {})],
  ])('a malformed last one gives nothing, and the earlier ones are ignored: %s', (name, last) => {
    const malformed =
      name === 'the outcomes, missing'
        ? event('runtime', { links: {} }, { event_type: 'run.state_projection' })
        : last;
    expect(persistedOutcome(malformed)).toBeNull();
    expect(outcomesOf(persisted(OK, { events: 'events.jsonl' }), malformed)).toEqual({ plan: null });
  });

  test('the summary is a text or null, the metrics an object or empty', () => {
    expect(persistedOutcome(persisted({ status: 'ok', summary: '', metrics: { a: 1 } }))?.outcomes).toEqual({
      status: 'ok',
      summary: '',
      metrics: { a: 1 },
    });
    for (const other of [7, {}, undefined])
      expect(
        persistedOutcome(persisted({ status: 'ok', summary: other, metrics: [other] }))?.outcomes,
      ).toEqual(OK);
  });

  test('of the links the texts are kept', () => {
    const links = { events: 'events.jsonl', learn: null, other: 7, summary: '' };
    expect(persistedOutcome(persisted(OK, links))?.links).toEqual({ events: 'events.jsonl', summary: '' });
  });

  test('the kind of the payload is not checked, nor its status if it is a word', () => {
    const odd = event(
      'runtime',
      { kind: 'x', status: 'error', outcomes: OK, links: {} },
      { event_type: 'run.state_projection' },
    );
    expect(outcomesOf(odd)['outcomes']).toEqual(OK);
  });
});

describe('actions', () => {
  const action = (payload: JsonObject, more: JsonObject = {}) =>
    actionOf(act({ action_id: 'act-1', ...payload }, more));

  test.each([
    ['no act', event('reflect', { action_id: 'act-1' })],
    ['no payload', event('act', null)],
    ['a roll-up', act({ action_id: 'act-1', synthetic: true })],
  ])('%s is not an action', (_, other) => {
    expect(actionOf(other)).toBeUndefined();
  });

  test.each([
    ['no id', act({ outcome: 'ok' })],
    ['an id that is not a text', act({ action_id: 1 })],
  ])('%s gives an action without an id', (_, other) => {
    const action = actionOf(other);
    expect([action !== undefined, action !== undefined && Object.hasOwn(action, 'id')]).toEqual([
      true,
      false,
    ]);
  });

  test('an act whose synthetic is false in Python is like any other', () => {
    for (const synthetic of [false, 0, null, '', [], {}])
      expect(action({ synthetic })).toEqual({ id: 'act-1' });
  });

  test('kind, tool and input are taken over as they are', () => {
    const same = { kind: 'adapter', tool: 'shell', input_excerpt: '' };
    expect(action(same)).toEqual({ id: 'act-1', ...same });
    expect(action({ kind: null, tool: null, input_excerpt: null })).toEqual({ id: 'act-1' });
  });

  test('the result is result_status, else outcome', () => {
    expect(action({ result_status: 'error', outcome: 'ok' })).toEqual({
      id: 'act-1',
      result_status: 'error',
    });
    expect(action({ outcome: 'ok' })).toEqual({ id: 'act-1', result_status: 'ok' });
    expect(action({ result_status: null, outcome: 'ok' })).toEqual({ id: 'act-1', result_status: 'ok' });
    expect(action({ result_status: null, outcome: null })).toEqual({ id: 'act-1' });
  });

  test('the step is kept when it is a filled text', () => {
    expect(action({ step_id: 'step-1' })).toEqual({ id: 'act-1', step_id: 'step-1' });
    for (const step_id of ['', 7, null]) expect(action({ step_id })).toEqual({ id: 'act-1' });
  });

  test.each(['provenance', 'result_artifacts'])('%s is left out when it is empty', (key) => {
    expect(action({ [key]: { source: 'planner' } })).toEqual({ id: 'act-1', [key]: { source: 'planner' } });
    for (const other of [{}, [], null, '', 0, false])
      expect(action({ [key]: other })).toEqual({ id: 'act-1' });
  });

  test('x- keys are kept, others are not', () => {
    expect(
      action({ 'x-a': null, 'x-b': [1], other: 1, action_candidate_id: 'c', step_status: 'done' }),
    ).toEqual({
      id: 'act-1',
      'x-a': null,
      'x-b': [1],
    });
  });

  test('the time is that of the event, else the end of its work', () => {
    const metrics = { completed_at: '2026-01-01T00:00:01Z' };
    expect(action({}, { timestamp: '2026-01-01T00:00:00Z', metrics })).toMatchObject({
      timestamp: '2026-01-01T00:00:00Z',
    });
    expect(action({}, { metrics })).toMatchObject({ timestamp: '2026-01-01T00:00:01Z' });
    for (const other of [null, { completed_at: 7 }])
      expect(action({}, { metrics: other })).not.toHaveProperty('timestamp');
  });
});

describe('the whole document', () => {
  const start = event('start', {}, { episode_id: 'ep_1', timestamp: '2026-01-01T00:00:00Z' });

  test('has the shape of state.json, and leaves out what no event says', () => {
    expect(outcomesOf()).toEqual({ plan: null });
    expect(outcomesOf(event('observe', {}, { episode_id: 7 }))).toEqual({ plan: null });
    expect(
      outcomesOf(
        start,
        records({ id: 'a' }),
        done('a'),
        act({ action_id: 'act-1' }),
        persisted(OK, { learn: 'l' }),
      ),
    ).toEqual({
      episode: { id: 'ep_1', started_at: '2026-01-01T00:00:00Z' },
      plan: {
        steps: [{ id: 'a', kind: 'plan', description: '', status: 'done' }],
        source: 'system',
      },
      outcomes: { ...OK, actions: [{ id: 'act-1' }] },
      links: { learn: 'l' },
    });
  });

  test('takes the start and the episode from the first event that has them', () => {
    const later = event('start', {}, { episode_id: 'ep_2', timestamp: '2026-01-02T00:00:00Z' });
    expect(outcomesOf(start, later)['episode']).toEqual({ id: 'ep_1', started_at: '2026-01-01T00:00:00Z' });
    expect(outcomesOf(event('start', {}), start)['episode']).toEqual({ id: 'ep_1' });
  });

  const timed = { ...records({ id: 'a' }), timestamp: '2026-01-01T00:00:00Z' };

  test.each([
    ['an empty log', [], ['outcomes', 'links', 'started_at']],
    [
      'labels and acts of an older runtime',
      [plan({ steps: ['act:x'] }), act({ outcome: 'ok' })],
      ['plan.updated_at', 'outcomes', 'links', 'actions', 'started_at'],
    ],
    ['a roll-up is not an act', [act({ synthetic: true })], ['outcomes', 'links', 'started_at']],
    ['an act without a payload is one', [event('act', null)], ['outcomes', 'links', 'actions', 'started_at']],
    ['a later plan of the newer form', [plan({ steps: ['act:x'] }), timed, persisted()], ['started_at']],
    [
      'a later plan of the older form',
      [timed, plan({ steps: ['act:x'] }), persisted()],
      ['plan.updated_at', 'started_at'],
    ],
    ['a plan event without any time', [records({ id: 'a' }), persisted()], ['plan.updated_at', 'started_at']],
    ['a plan event without a list of steps', [plan({}), persisted()], ['plan', 'started_at']],
    ['a malformed projection is ignored', [persisted([], {})], ['outcomes', 'links', 'started_at']],
  ] as const)('says which parts have no evidence: %s', (_, events, parts) => {
    expect(projectorOf(events).result().underivable).toEqual(parts);
  });
});
