import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/value.ts';
import { act, done, event, persisted, plan, projectorOf, records } from './events.ts';

const START = '2026-01-01T00:00:00Z';
const log = (...more: JsonObject[]): JsonObject[] => [
  event('start', {}, { id: 'e-start', timestamp: START }),
  {
    ...records({ id: 'a', kind: 'act' }, { id: 'b', kind: 'act' }),
    id: 'e-plan',
    agent_id: 'planner',
    timestamp: START,
  },
  act(
    { action_id: 'act-1', step_id: 'a', step_status: 'done', result_status: 'ok' },
    { id: 'e-act', timestamp: START },
  ),
  ...more,
];
const last = (status = 'ok') =>
  persisted(
    { status, summary: 'all', metrics: { score: 0.5 } },
    { events: 'events.jsonl' },
    { id: 'e-last' },
  );

/** The state of {@link log} and {@link last}; each part may be given otherwise. */
function stateOf(parts: JsonObject = {}): JsonObject {
  const step = (id: string, status: string) => ({ id, kind: 'act', description: '', status });
  return {
    episode: { started_at: START },
    plan: { steps: [step('a', 'done'), step('b', 'pending')], source: 'planner', updated_at: START },
    outcomes: outcomes(),
    links: { events: 'events.jsonl' },
    ...parts,
  };
}

const ACTION = { id: 'act-1', result_status: 'ok', step_id: 'a', timestamp: START };

function outcomes(parts: JsonObject = {}): JsonObject {
  return { status: 'ok', summary: 'all', metrics: { score: 0.5 }, actions: [ACTION], ...parts };
}

const compare = (events: readonly JsonObject[], stored: unknown) => projectorOf(events).compare(stored);
const paths = (events: readonly JsonObject[], stored: unknown) =>
  compare(events, stored).differences.map(({ path }) => path);
const WHOLE = log(last());

test('a matching state has no differences', () => {
  expect(compare(WHOLE, stateOf())).toMatchObject({ differences: [], underivable: [] });
});

describe('evidence names the event', () => {
  const evidenceAt = (state: JsonObject) => compare(WHOLE, state).differences;
  const plan = stateOf()['plan'] as { steps: JsonObject[] } & JsonObject;

  test.each([
    ['the start', { episode: { started_at: '2026-01-02T00:00:00Z' } }, 'episode.started_at', 'e-start', 1],
    ['the plan', { plan: { ...plan, source: 'x' } }, 'plan.source', 'e-plan', 2],
    [
      'a step no act reports on',
      { plan: { ...plan, steps: [plan.steps[0], { ...plan.steps[1], status: 'done' }] as JsonValue } },
      'plan.steps[1].status',
      'e-plan',
      2,
    ],
    [
      'a step an act reports on',
      { plan: { ...plan, steps: [{ ...plan.steps[0], status: 'failed' }, plan.steps[1]] as JsonValue } },
      'plan.steps[0].status',
      'e-act',
      3,
    ],
    [
      'an action',
      { outcomes: outcomes({ actions: [{ ...ACTION, result_status: 'error' }] }) },
      'outcomes.actions[0].result_status',
      'e-act',
      3,
    ],
    ['a status', { outcomes: outcomes({ status: 'error' }) }, 'outcomes.status', 'e-last', 4],
    ['a metric', { outcomes: outcomes({ metrics: { score: 1 } }) }, 'outcomes.metrics.score', 'e-last', 4],
    ['a link', { links: { events: 'other.jsonl' } }, 'links.events', 'e-last', 4],
  ])('%s', (_, parts, path, eventId, line) => {
    expect(evidenceAt(stateOf(parts as JsonObject))).toMatchObject([{ path, evidence: { eventId, line } }]);
  });

  test('by its line alone if it has no id', () => {
    const nameless = WHOLE.map(({ id: _, ...rest }) => rest);
    expect(compare(nameless, stateOf({ links: {} })).differences).toEqual([
      { path: 'links.events', projected: 'events.jsonl', evidence: { line: 4 } },
    ]);
  });

  test('an action that no event mentions has none', () => {
    const stored = outcomes({ actions: [ACTION, { id: 'act-2' }] });
    expect(compare(WHOLE, stateOf({ outcomes: stored })).differences).toEqual([
      { path: 'outcomes.actions[1]', stored: { id: 'act-2' } },
    ]);
  });
});

describe('the plan', () => {
  test('that no event mentions may be missing or without steps', () => {
    const events = [event('start', {}, { timestamp: START }), last()];
    for (const kept of [{ plan: { steps: [] } }, {}])
      expect(
        paths(events, { ...stateOf({ outcomes: outcomes({ actions: [] }) }), plan: undefined, ...kept }),
      ).toEqual([]);
    expect(paths(events, stateOf({ outcomes: outcomes({ actions: [] }) }))).toEqual(['plan']);
  });

  test('differs in keys of the state alone', () => {
    const plan = { ...(stateOf()['plan'] as JsonObject), 'x-note': 1 };
    expect(paths(WHOLE, stateOf({ plan }))).toEqual(['plan.x-note']);
  });

  test('of a resumed run may come from planner.resume, and from nothing else', () => {
    const resumed = log(event('runtime', {}, { event_type: 'run.resume' }), last());
    const with_ = (source: string) => stateOf({ plan: { ...(stateOf()['plan'] as JsonObject), source } });
    expect(paths(resumed, with_('planner.resume'))).toEqual([]);
    expect(paths(resumed, with_('planner.other'))).toEqual(['plan.source']);
    expect(paths(WHOLE, with_('planner.resume'))).toEqual(['plan.source']);
  });
});

describe('the status', () => {
  test.each(['interrupted', 'paused'])('%s in the log is partial or pending in the state', (status) => {
    for (const stored of ['partial', 'pending', 'interrupted', 'paused'])
      expect(paths(log(last(status)), stateOf({ outcomes: outcomes({ status: stored }) }))).toEqual([]);
    for (const stored of ['ok', 'vetoed', null])
      expect(paths(log(last(status)), stateOf({ outcomes: outcomes({ status: stored }) }))).toEqual([
        'outcomes.status',
      ]);
  });

  test('a malformed projection is ignored, and the state is not blamed', () => {
    const found = compare(log(persisted([], {})), stateOf());
    expect(found).toMatchObject({ differences: [], underivable: ['outcomes', 'links'] });
  });

  test('an empty summary and empty metrics may be missing', () => {
    const bare = log(persisted({ status: 'ok' }, {}));
    expect(paths(bare, stateOf({ outcomes: { status: 'ok', actions: [ACTION] }, links: {} }))).toEqual([]);
  });
});

describe('actions', () => {
  const second = act({ action_id: 'act-2', result_status: 'ok' }, { id: 'e-act-2', timestamp: START });
  const two = log(second, last());
  const ACTION_2 = { id: 'act-2', result_status: 'ok', timestamp: START };
  const actions = (...list: JsonValue[]) => stateOf({ outcomes: outcomes({ actions: list }) });

  test('are matched by id, and must be in the order of their acts', () => {
    expect(compare(two, actions(ACTION_2, ACTION)).differences).toEqual([
      {
        path: 'outcomes.actions[0].id',
        projected: 'act-1',
        stored: 'act-2',
        evidence: { eventId: 'e-act', line: 3 },
      },
    ]);
    expect(paths(two, actions(ACTION))).toEqual(['outcomes.actions[1]']);
    expect(paths(two, actions(ACTION_2))).toEqual(['outcomes.actions[1]']);
  });

  test('with one id are matched in their order', () => {
    const again = log(act({ action_id: 'act-1', result_status: 'error' }, { timestamp: START }), last());
    const failed = { id: 'act-1', result_status: 'error', timestamp: START };
    expect(paths(again, actions(ACTION, failed))).toEqual([]);
    expect(paths(again, actions(failed, ACTION))).not.toEqual([]);
    expect(paths(again, actions(ACTION))).toEqual(['outcomes.actions[1]']);
  });

  test('that are not objects differ as a whole', () => {
    expect(paths(WHOLE, actions('act-1'))).toEqual(['outcomes.actions[0]', 'outcomes.actions[1]']);
    expect(paths(WHOLE, stateOf({ outcomes: outcomes({ actions: 'none' }) }))).toEqual([
      'outcomes.actions[0]',
    ]);
  });

  test('may be missing while the run has not ended, and not after', () => {
    const open = stateOf({ outcomes: outcomes({ status: 'partial', actions: [] }) });
    expect(paths(log(last('partial')), open)).toEqual([]);
    expect(paths(log(last('partial'), event('terminate', {})), open)).toEqual(['outcomes.actions[0]']);
    const byRuntime = event('runtime', { kind: 'terminate' });
    expect(paths(log(last('partial'), byRuntime), open)).toEqual(['outcomes.actions[0]']);
    expect(paths(WHOLE, actions())).toEqual(['outcomes.actions[0]']);
  });

  test('have the same instant, however it is written', () => {
    expect(paths(WHOLE, actions({ ...ACTION, timestamp: '2026-01-01T01:00:00.000+01:00' }))).toEqual([]);
    for (const timestamp of ['2026-01-01T00:00:00.001Z', 'today', null, 7])
      expect(paths(WHOLE, actions({ ...ACTION, timestamp }))).toEqual(['outcomes.actions[0].timestamp']);
    const timeless = log(
      persisted({ status: 'ok', summary: 'all', metrics: { score: 0.5 } }, { events: 'events.jsonl' }),
    );
    delete timeless[2]?.['timestamp'];
    const { timestamp: _, ...stored } = ACTION;
    expect(paths(timeless, actions(stored))).toEqual([]);
  });

  test('may have only an id, a tool and a time, as in the complete example of a state', () => {
    const short = { id: 'act-1', timestamp: START };
    expect(paths(WHOLE, actions(short))).toEqual([]);
    expect(paths(WHOLE, actions({ ...short, tool: 'another' }))).toEqual(['outcomes.actions[0].tool']);
    expect(paths(WHOLE, actions({ ...short, input_excerpt: 'other' }))).toContain(
      'outcomes.actions[0].result_status',
    );
  });

  test('may have members of older states, and empty optional fields', () => {
    const older = {
      input: 'x',
      output: { a: 1 },
      duration_ms: 5,
      provenance: {},
      result_artifacts: [],
      x: null,
    };
    expect(paths(WHOLE, actions({ ...ACTION, ...older }))).toEqual([]);
    expect(paths(WHOLE, actions({ ...ACTION, provenance: { source: 'p' } }))).toEqual([
      'outcomes.actions[0].provenance',
    ]);
  });

  test('lose parts of their provenance and x- keys when a run is resumed, and gain none', () => {
    const full = {
      provenance: { source: 'planner', policy_id: 'p', adapter_id: 'a' },
      'x-note': { a: 1 },
      'x-b c': 1,
    };
    const events = (resumed: boolean) => [
      ...log().slice(0, 2),
      act(
        { action_id: 'act-1', step_id: 'a', step_status: 'done', result_status: 'ok', ...full },
        { timestamp: START },
      ),
      ...(resumed ? [event('runtime', {}, { event_type: 'run.resume' })] : []),
      last(),
    ];
    for (const kept of [{}, { provenance: { source: 'planner' } }]) {
      expect(paths(events(true), actions({ ...ACTION, ...kept }))).toEqual([]);
      expect(paths(events(false), actions({ ...ACTION, ...kept }))).not.toEqual([]);
    }
    expect(paths(events(true), actions({ ...ACTION, ...full, 'x-note': { a: 2 } }))).toEqual([
      'outcomes.actions[0].x-note.a',
    ]);
    expect(paths(events(true), actions({ ...ACTION, ...full, 'x-new': 1 }))).toEqual([
      'outcomes.actions[0].x-new',
    ]);
    const { provenance, ...rest } = full;
    expect(
      paths(events(true), actions({ ...ACTION, ...rest, provenance: { ...provenance, source: 'x' } })),
    ).toEqual(['outcomes.actions[0].provenance.source']);
  });
});

describe('the start', () => {
  test('is one instant in any form', () => {
    expect(paths(WHOLE, stateOf({ episode: { started_at: '2026-01-01T01:00:00+01:00' } }))).toEqual([]);
    for (const episode of [{}, { started_at: null }, { started_at: 'today' }, null])
      expect(paths(WHOLE, stateOf({ episode }))).toEqual(['episode.started_at']);
  });

  test('is not compared without a start event', () => {
    const [, ...headless] = WHOLE;
    expect(paths(headless, stateOf({ episode: {} }))).toEqual([]);
    expect(paths([event('start', {}), ...headless], stateOf({ episode: {} }))).toEqual([]);
  });
});

test('parts without evidence are listed, not compared', () => {
  const events = [plan({ steps: ['act:x', 'act:y'] }), done('step-1')];
  const { differences, underivable } = compare(events, { plan: 7, outcomes: 7, links: 7 });
  expect(differences.map(({ path }) => path)).toEqual(['plan']);
  expect(underivable).toEqual(['plan.updated_at', 'outcomes', 'links', 'started_at']);
});

describe('acts without an action_id', () => {
  const unnamed = (tool: string, more: JsonObject = {}) =>
    event('act', { tool, input_excerpt: `use ${tool}`, outcome: 'ok', ...more });
  const entry = (tool: string, more: JsonObject = {}): JsonObject => ({
    id: `id of ${tool}`,
    kind: 'tool',
    tool,
    input_excerpt: `use ${tool}`,
    result_status: 'ok',
    step_id: 'step-1',
    ...more,
  });
  const found = (acts: JsonObject[], actions: readonly JsonObject[]) =>
    compare([records({ id: 'step-1' }), ...acts, last('ok')], {
      outcomes: outcomes({ actions: [...actions] }),
    });
  const places = (acts: JsonObject[], actions: readonly JsonObject[]) =>
    found(acts, actions)
      .differences.map(({ path }) => path)
      .filter((path) => path.startsWith('outcomes.actions'));
  const ACTS = [unnamed('a'), unnamed('b'), unnamed('c')];
  const LISTED = [entry('a'), entry('b'), entry('c')];

  test('are compared with the actions of the state by content and position', () => {
    expect(places(ACTS, LISTED)).toEqual([]);
    // An act without an id need not be in the state.
    expect(places(ACTS, [entry('a'), entry('c')])).toEqual([]);
    expect(places(ACTS, [])).toEqual([]);
    const leftOut = found(ACTS, [entry('a'), entry('c')]).not_compared.filter(
      ({ path }) => path === 'outcomes.actions',
    );
    expect(leftOut.map(({ line }) => line)).toEqual([3]);
    // Members that the act does not contain have no evidence.
    expect(found(ACTS, LISTED).not_compared.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['outcomes.actions[0].id', 'outcomes.actions[2].step_id']),
    );
  });

  test.each<[string, readonly JsonObject[], string[]]>([
    ['an invented one', [...LISTED, entry('d')], ['outcomes.actions[3]']],
    ['seven invented ones', Array.from({ length: 7 }, () => entry('x')), []],
    ['another tool', [entry('a'), entry('b', { tool: 'x' }), entry('c')], ['outcomes.actions[1].tool']],
    ['another input', [entry('a', { input_excerpt: 'rm' })], ['outcomes.actions[0].input_excerpt']],
    [
      'another result',
      [entry('a'), entry('b', { result_status: 'error' })],
      ['outcomes.actions[1].result_status'],
    ],
    ['another order', [entry('b'), entry('a'), entry('c')], []],
  ])('%s in the state differs', (name, actions, expected) => {
    const differing = places(ACTS, actions);
    if (expected.length > 0) expect(differing).toEqual(expected);
    else expect(differing, name).not.toEqual([]);
  });

  test('are found between acts with one', () => {
    const named = (tool: string) =>
      unnamed(tool, { action_id: `id of ${tool}`, kind: 'tool', step_id: 'step-1' });
    const acts = [unnamed('a'), named('b'), unnamed('c')];
    expect(places(acts, LISTED)).toEqual([]);
    expect(places(acts, [entry('c'), entry('b'), entry('a')])).not.toEqual([]);
    expect(places(acts, [entry('a'), entry('b'), entry('c'), entry('d')])).toEqual(['outcomes.actions[3]']);
  });
});

test('members that may be empty equal absent ones, and only those', () => {
  const step = { id: 'step-1', kind: 'act', description: 'x', status: 'pending' };
  const of = (more: JsonObject) => paths([records(step)], { plan: { steps: [{ ...step, ...more }] } });
  for (const empty of [
    { inputs: {} },
    { outputs: {} },
    { rationale: '' },
    { depends_on: [] },
    { inputs: null },
  ])
    expect(of(empty as JsonObject).filter((path) => path.startsWith('plan.steps'))).toEqual([]);
  for (const filled of [{ inputs: { a: 1 } }, { depends_on: ['x'] }, { rationale: 'y' }, { 'x-more': {} }])
    expect(of(filled as JsonObject).filter((path) => path.startsWith('plan.steps'))).not.toEqual([]);
});

test.each(['step_1', 'first'])('a label gives no id: a state may call the step %s, and acts too', (id) => {
  const acts = event('act', { tool: 't', outcome: 'ok', step_id: id, step_status: 'done' });
  const of = (status: string, name = id) =>
    paths([plan({ steps: ['act:x'] }), acts], {
      plan: { steps: [{ id: name, kind: 'act', description: 'x', status }], source: 'planner.minimal' },
    }).filter((path) => path.startsWith('plan.steps'));
  expect(of('done')).toEqual([]);
  expect(of('failed')).toEqual(['plan.steps[0].status']);
});

test('what start and observe do not contain is named as such', () => {
  const state = { goal: { task: 't' }, episode: { seed: 7, using: 'x', tags: { a: 'b' } } };
  const why = (events: JsonObject[]) =>
    Object.fromEntries(
      compare(events, state).not_compared.map(({ path, reason }) => [path, reason] as const),
    );
  const unsaid = 'neither start nor observe contains it';
  const verified = 'verify compares it with start and observe';
  expect(why([event('start', {}), event('observe', { task: 't' })])).toMatchObject({
    'goal.task': verified,
    'episode.seed': unsaid,
    'episode.using': unsaid,
    'episode.tags': unsaid,
  });
  expect(
    why([event('start', { task: 't', seed: 7, using: 'x' }), event('observe', { tags: {} })]),
  ).toMatchObject({ 'goal.task': verified, 'episode.seed': verified, 'episode.tags': verified });
});

test.each([[null], ['text'], [7], [[]]])(
  'a state that is not an object differs, without a crash (%j)',
  (stored) => {
    expect(paths(WHOLE, stored)).toEqual([
      'plan',
      'outcomes.status',
      'outcomes.summary',
      'outcomes.metrics.score',
      'links',
      'episode.started_at',
    ]);
  },
);
