import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/value.ts';
import { act, event, persisted, projectorOf, records } from './events.ts';

const TIME = '2026-01-01T00:00:00Z';
const plan = (...steps: JsonObject[]): JsonObject => ({ ...records(...steps), timestamp: TIME });
const TWO = plan({ id: 'a', rationale: 'why', inputs: { x: 1 } }, { id: 'b' });
const acted = (id: string, step: string, status: string, more: JsonObject = {}) =>
  act(
    { action_id: id, result_status: 'ok', step_id: step, step_status: status, ...more },
    { timestamp: TIME },
  );
const resume = event('runtime', {}, { event_type: 'run.resume' });
const terminate = event('terminate', { status: 'ok' });
const insight = event('insight', {});

/** The state that a runtime writes after these events. */
function stateAfter(events: readonly JsonObject[]): JsonObject {
  const value = structuredClone(projectorOf(events).result().value) as JsonObject;
  const { outcomes, plan: known } = value as { outcomes?: { actions?: JsonValue }; plan: JsonValue };
  return {
    plan: known ?? { source: 'planner', steps: [], updated_at: TIME },
    outcomes: { status: events.includes(terminate) ? 'ok' : 'partial', actions: outcomes?.actions ?? [] },
    links: {},
  };
}

const paths = (events: readonly JsonObject[], state: unknown) =>
  projectorOf(events)
    .compare(state)
    .differences.map(({ path }) => path);

const step = fc.constantFrom('a', 'b', 'c');
const status = fc.constantFrom('running', 'done', 'failed');
const moment = fc.oneof(
  fc.tuple(step, status).map(([name, word]) => ({ kind: 'action', name, word }) as const),
  fc.tuple(step, status).map(([name, word]) => ({ kind: 'act', name, word }) as const),
  fc.uniqueArray(step, { minLength: 1 }).map((names) => ({ kind: 'plan', names }) as const),
  fc.constant({ kind: 'resume' } as const),
  fc.constant({ kind: 'reflect' } as const),
);

/** A log of an unfinished run. */
const running = fc.array(moment, { maxLength: 14 }).map((moments) =>
  moments.map((one, index): JsonObject => {
    switch (one.kind) {
      case 'action':
        return acted(`act-${index}`, one.name, one.word);
      case 'act':
        return act({ step_id: one.name, step_status: one.word });
      case 'plan':
        return plan(...one.names.map((id) => ({ id })));
      case 'resume':
        return resume;
      default:
        return event('reflect', { success: true });
    }
  }),
);

describe('a run that has not ended', () => {
  test('may have a state from any time, but not of another run', () => {
    let changed = 0;
    fc.assert(
      fc.property(running, fc.nat(), (events, at) => {
        const known = events.slice(0, at % (events.length + 1));
        const state = stateAfter(known);
        expect(paths(events, state)).toEqual([]);
        const { steps } = state['plan'] as { steps: JsonObject[] };
        const [first] = steps;
        if (first === undefined) return;
        changed += 1;
        first['description'] = 'something that nobody planned';
        expect(paths(events, state)).not.toEqual([]);
      }),
      { numRuns: 2000 },
    );
    expect(changed).toBeGreaterThan(400);
  });

  test('has no actions beyond those of its acts, and no status that a step never had then', () => {
    const events = [
      TWO,
      acted('act-1', 'a', 'running'),
      acted('act-2', 'a', 'done'),
      acted('act-3', 'b', 'done'),
    ];
    const second = stateAfter(events.slice(0, 3));
    expect(paths(events, second)).toEqual([]);
    const swapped = structuredClone(second) as { plan: { steps: JsonObject[] } };
    Object.assign(swapped.plan.steps[0] ?? {}, { status: 'running' });
    expect(paths(events, swapped)).toEqual(['plan.steps[0].status']);
    const made = structuredClone(second) as { outcomes: { actions: JsonObject[] } };
    made.outcomes.actions.push({ id: 'act-9' });
    expect(paths(events.slice(0, 3), made)).toEqual(['outcomes.actions[2]']);
  });

  test('has a state no older than the last run.state_projection', () => {
    const events = [TWO, acted('act-1', 'a', 'done'), persisted({ status: 'partial' }, {})];
    expect(paths(events, stateAfter(events.slice(0, 1)))).toEqual(['plan.steps[0].status']);
    expect(paths(events, stateAfter(events))).toEqual([]);
    const later = [...events, acted('act-2', 'b', 'done')];
    expect(paths(later, stateAfter(events))).toEqual([]);
    expect(paths(later, stateAfter(later))).toEqual([]);
    const outcome = { ...stateAfter(events), outcomes: { status: 'ok', actions: [] } };
    expect(paths(events, outcome)).toContain('outcomes.status');
    // A later outcome may have been persisted, and the run killed before it was logged.
    const newer = stateAfter(later);
    const outcomes = { ...(newer['outcomes'] as JsonObject), status: 'ok' };
    expect(paths(later, { ...newer, outcomes })).toEqual([]);
  });

  test('may have ended with its last event; once it went on, its state is the last one', () => {
    const events = [TWO, acted('act-1', 'a', 'done'), acted('act-2', 'b', 'done'), terminate];
    const lagging = stateAfter(events.slice(0, 2));
    expect(paths(events, lagging)).toEqual([]);
    const missed = ['plan.steps[1].status', 'outcomes.status', 'outcomes.actions[1]'];
    expect(paths([...events, insight], lagging)).toEqual(missed);
    const linked = { ...lagging, links: { summary: 'summary.json' } };
    expect(paths(events, linked)).toEqual(missed);
  });

  test('is compared with its log in less than quadratic time', () => {
    const steps = Array.from({ length: 200 }, (_, index) => ({ id: `s${index}` }));
    const acts = Array.from({ length: 60_000 }, (_, index) =>
      acted(`act-${index}`, `s${index % 200}`, 'done'),
    );
    const events = [plan(...steps), ...acts];
    const state = stateAfter(events.slice(0, -1));
    expect(paths(events, state)).toEqual([]);
  });

  test('has many plans, of which the latest are remembered', () => {
    const plans = Array.from({ length: 1000 }, (_, index) => plan({ id: `p${index}` }));
    expect(paths(plans, stateAfter(plans.slice(0, 990)))).toEqual([]);
    expect(paths(plans, stateAfter(plans.slice(0, 10)))).not.toEqual([]);
  });
});

describe('a plan that was read back on a resume', () => {
  const events = [TWO, resume, acted('act-1', 'a', 'done'), terminate, insight];
  const readBack = {
    steps: [
      { id: 'a', kind: 'plan', description: '', status: 'done' },
      { id: 'b', kind: 'plan', description: '', status: 'pending' },
    ],
    source: 'planner.resume',
    updated_at: '2026-01-01T08:00:00Z',
  };
  const whole = stateAfter(events);
  const differ = (more: JsonObject, log = events) => paths(log, { ...whole, plan: { ...readBack, ...more } });

  test('may lack what was lost then, and have its own time', () => {
    expect(differ({})).toEqual([]);
    expect(differ({ updated_at: undefined as never })).toEqual([]);
  });

  test('may have nothing else', () => {
    const [first, second] = readBack.steps;
    expect(differ({ updated_at: '2025-06-01T00:00:00Z' })).toEqual(['plan.updated_at']);
    expect(differ({ updated_at: 'later' })).toEqual(['plan.updated_at']);
    expect(differ({ source: 'somebody' })).toEqual(['plan.source']);
    expect(differ({ steps: [{ ...first, inputs: { x: 2 } }, second] as JsonValue })).toEqual([
      'plan.steps[0].inputs.x',
    ]);
    expect(differ({ steps: [{ ...first, description: 'x' }, second] as JsonValue })).toEqual([
      'plan.steps[0].description',
    ]);
    expect(differ({ steps: [first] as JsonValue })).toEqual(['plan.steps[1]']);
    expect(differ({ rationale: 'because' })).toEqual(['plan.rationale']);
  });

  test('is complete if a plan event came after the resume, or without a resume', () => {
    const lost = ['plan.steps[0].rationale', 'plan.steps[0].inputs', 'plan.source', 'plan.updated_at'];
    expect(differ({}, [resume, ...events.filter((one) => one !== resume)]).sort()).toEqual([...lost].sort());
    expect(
      differ(
        {},
        events.filter((one) => one !== resume),
      ).sort(),
    ).toEqual([...lost].sort());
  });
});
