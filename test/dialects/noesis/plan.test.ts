import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { projectPlanState } from '../../../src/dialects/noesis/plan/plan-fold.ts';
import { act, done, event, plan, records } from './events.ts';

const pending = (id: string, kind = 'plan', description = ''): JsonObject => ({
  id,
  kind,
  description,
  status: 'pending',
});

const stepsOf = (...events: JsonObject[]) => projectPlanState(events)?.steps;
const firstStep = (record: unknown) => stepsOf(records(record))?.[0];

describe('which plan event counts (noesis.md §5.1)', () => {
  test('no plan event: no projection', () => {
    expect(projectPlanState([])).toBeNull();
    expect(
      projectPlanState([event('start', {}), event('Plan', { steps: ['act:x'] }), done('step-1')]),
    ).toBeNull();
  });

  test('the last of several, whatever their timestamps', () => {
    const first = plan({ steps: ['act:first'] }, { timestamp: '2026-01-02T00:00:00Z' });
    const last = plan({ steps: ['act:last'] }, { timestamp: '2026-01-01T00:00:00Z' });
    expect(stepsOf(first, last)).toEqual([pending('step-1', 'act', 'last')]);
  });

  test.each([[null], ['text'], [7], [['act:x']]])(
    'a payload that is not an object gives no plan, not an earlier one (%j)',
    (payload) => {
      expect(projectPlanState([plan({ steps: ['act:x'] }), plan(payload)])).toBeNull();
    },
  );
});

describe('step_records', () => {
  test('count alone when they are a list', () => {
    expect(stepsOf(plan({ step_records: [{ id: 'a' }], steps: ['act:x', 'act:y'] }))).toEqual([pending('a')]);
  });

  test('an empty list makes an empty plan, and the labels are ignored', () => {
    expect(stepsOf(plan({ step_records: [], steps: ['act:x'] }))).toEqual([]);
  });

  test('items that are not objects are dropped; if none is left, the plan is empty', () => {
    expect(stepsOf(records('act:x', null, { id: 'a' }, ['b'], 7))).toEqual([pending('a')]);
    expect(stepsOf(plan({ step_records: ['act:x', null], steps: ['act:x'] }))).toEqual([]);
  });

  test.each([undefined, null, 'act:x', {}, 3])(
    'that are no list leave the labels to count (%j)',
    (step_records) => {
      expect(stepsOf(plan({ step_records, steps: ['act:x'] }))).toEqual([pending('step-1', 'act', 'x')]);
    },
  );
});

describe('the fields of a record', () => {
  test.each([undefined, null, '', 7])(
    'an id that is empty or not a text becomes the position, counting dropped items (%j)',
    (id) => {
      expect(stepsOf(records('dropped', { id }, { id: 'own' }, { id }))?.map((step) => step.id)).toEqual([
        'step-2',
        'own',
        'step-4',
      ]);
    },
  );

  test.each(['detect', 'analyze', 'plan', 'act', 'verify', 'review'])('the kind %s is kept', (kind) => {
    expect(firstStep({ kind })).toMatchObject({ kind });
  });

  test.each(['Act', 'act ', 'execute', '', null, 3, undefined, ['act']])(
    'the kind %j is read as plan',
    (kind) => {
      expect(firstStep({ kind })).toMatchObject({ kind: 'plan' });
    },
  );

  test.each([
    ['text', 'text'],
    ['', ''],
    [null, ''],
    [7, ''],
    [undefined, ''],
  ])('the description %j is %j', (description, kept) => {
    expect(firstStep({ description })).toMatchObject({ description: kept });
  });

  test.each(['pending', 'running', 'done', 'skipped', 'failed', 'vetoed'])(
    'the status %s is kept',
    (status) => {
      expect(firstStep({ status })).toMatchObject({ status });
    },
  );

  test.each(['Done', 'blocked', '', null, 1, undefined])('the status %j is read as pending', (status) => {
    expect(firstStep({ status })).toMatchObject({ status: 'pending' });
  });

  test('the rationale is kept when it is a filled text', () => {
    expect(firstStep({ id: 'a', rationale: 'why' })).toEqual({ ...pending('a'), rationale: 'why' });
    for (const rationale of ['', null, 7]) expect(firstStep({ id: 'a', rationale })).toEqual(pending('a'));
  });

  test('depends_on keeps its texts, each once, in the order of their first', () => {
    expect(firstStep({ id: 'a', depends_on: ['c', 7, 'b', 'c', null, ''] })).toEqual({
      ...pending('a'),
      depends_on: ['c', 'b', ''],
    });
    for (const depends_on of [[], [7], 'b', null, {}])
      expect(firstStep({ id: 'a', depends_on })).toEqual(pending('a'));
  });

  test.each(['inputs', 'outputs'])('%s are kept as they are, when they are objects and not empty', (key) => {
    const value = { path: 'a', deep: { list: [1, null] } };
    expect(firstStep({ id: 'a', [key]: value })).toEqual({ ...pending('a'), [key]: value });
    for (const other of [{}, [], ['x'], 'text', null])
      expect(firstStep({ id: 'a', [key]: other })).toEqual(pending('a'));
  });

  test('x- keys are kept with any value, and no other unknown key is', () => {
    const kept = { 'x-note': null, 'x-': [1], 'x-deep': { a: false } };
    expect(firstStep({ id: 'a', ...kept, tags: ['t'], X: 1, 'X-note': 2, xnote: 3 })).toEqual({
      ...pending('a'),
      ...kept,
    });
  });

  test('the keys are in the order of the format', () => {
    const record = {
      'x-a': 1,
      outputs: { b: 1 },
      inputs: { c: 1 },
      depends_on: ['d'],
      rationale: 'e',
      id: 'a',
    };
    expect(Object.keys(firstStep(record) ?? {})).toEqual([
      'id',
      'kind',
      'description',
      'status',
      'rationale',
      'depends_on',
      'inputs',
      'outputs',
      'x-a',
    ]);
  });
});

describe('labels of older plans', () => {
  test.each([
    ['act:deploy', 'act', 'deploy'],
    ['act: deploy : now ', 'act', ' deploy : now '],
    ['check:deploy', 'plan', 'deploy'],
    ['Act:deploy', 'plan', 'deploy'],
    ['deploy', 'plan', 'deploy'],
    [':deploy', 'plan', 'deploy'],
    ['act:', 'act', ''],
    ['', 'plan', ''],
  ])('%j is the kind %s and the description %j', (label, kind, description) => {
    expect(stepsOf(plan({ steps: [label] }))).toEqual([pending('step-1', kind, description)]);
  });

  test('items that are not texts are dropped, but count for the position', () => {
    expect(stepsOf(plan({ steps: [null, 'act:a', { kind: 'act' }, 'act:b'] }))?.map(({ id }) => id)).toEqual([
      'step-2',
      'step-4',
    ]);
  });

  test.each([[[]], [[7]]])('no label makes an empty plan (%j)', (steps) => {
    expect(stepsOf(plan({ steps }))).toEqual([]);
  });

  test.each([[undefined], [null], ['act:x'], [{}]])('a payload without steps has no plan (%j)', (steps) => {
    expect(projectPlanState([plan({ steps })])).toBeNull();
  });
});

describe('the plan itself', () => {
  const source = (payload: JsonObject, agent?: unknown) =>
    projectPlanState([plan({ steps: ['act:x'], ...payload }, { agent_id: agent } as JsonObject)])?.source;

  test('takes its source from the payload, else from the agent, else it is system', () => {
    expect(source({ source: 'planner.meta' }, 'agent')).toBe('planner.meta');
    for (const other of ['', 7, null]) expect(source({ source: other }, 'agent')).toBe('agent');
    for (const other of ['', 7, null, undefined]) expect(source({}, other)).toBe('system');
  });

  test('was updated at the time of the event, otherwise when its work was completed, otherwise unknown', () => {
    const metrics = { completed_at: '2026-01-01T00:00:01Z' };
    const at = (more: JsonObject) => projectPlanState([plan({ steps: ['act:x'] }, more)])?.updated_at;
    expect(at({ metrics, timestamp: '2026-01-01T00:00:00Z' })).toBe('2026-01-01T00:00:00Z');
    for (const timestamp of [null, 7, '']) {
      expect(at({ metrics, timestamp })).toBe('2026-01-01T00:00:01Z');
      expect(at({ timestamp })).toBeUndefined();
    }
    expect(at({ metrics })).toBe('2026-01-01T00:00:01Z');
  });

  test('has a rationale when the payload has a filled text', () => {
    const { rationale } = projectPlanState([plan({ steps: ['act:x'], rationale: 'why' })]) ?? {};
    expect(rationale).toBe('why');
    for (const other of ['', 7, null])
      expect(projectPlanState([plan({ steps: ['act:x'], rationale: other })])).not.toHaveProperty(
        'rationale',
      );
  });
});

describe('what acts say about steps', () => {
  const two = records({ id: 'a', status: 'running' }, { id: 'b' });
  const statuses = (...events: JsonObject[]) => stepsOf(...events)?.map((step) => step.status);

  test('the last act wins', () => {
    expect(statuses(two, done('b'), done('b', 'failed'))).toEqual(['running', 'failed']);
  });

  test('without evidence a step keeps the status of its record', () => {
    expect(statuses(two)).toEqual(['running', 'pending']);
  });

  test.each([
    ['no status', { step_id: 'a' }],
    ['no step', { step_status: 'done' }],
    ['an empty status', { step_id: 'a', step_status: '' }],
    ['an empty step', { step_id: '', step_status: 'done' }],
    ['a status that is not a text', { step_id: 'a', step_status: true }],
    ['a step that is not a text', { step_id: 1, step_status: 'done' }],
    ['a step that is not in the plan', { step_id: 'c', step_status: 'done' }],
    ['a name that every object has', { step_id: 'constructor', step_status: 'done' }],
    ['a roll-up', { synthetic: true }],
  ])('%s changes nothing', (_, payload) => {
    expect(statuses(two, act(payload))).toEqual(['running', 'pending']);
  });

  test('an act without a payload, or another phase, changes nothing', () => {
    const payload = { step_id: 'a', step_status: 'done' };
    expect(statuses(two, event('act', null), event('reflect', payload), event('Act', payload))).toEqual([
      'running',
      'pending',
    ]);
  });

  test('an unknown status sets the step back to pending', () => {
    expect(statuses(two, done('a'), done('a', 'blocked'))).toEqual(['pending', 'pending']);
  });

  test('of two steps with one id the first changes', () => {
    expect(statuses(records({ id: 'a' }, { id: 'a' }), done('a'))).toEqual(['done', 'pending']);
  });

  test('an act before the latest plan is forgotten', () => {
    expect(statuses(two, done('a'), two, done('b'))).toEqual(['running', 'done']);
    expect(statuses(done('a'), two)).toEqual(['running', 'pending']);
  });

  test('steps of labels change by their positions', () => {
    expect(statuses(plan({ steps: ['act:x', 'act:y'] }), done('step-2'))).toEqual(['pending', 'done']);
  });
});
