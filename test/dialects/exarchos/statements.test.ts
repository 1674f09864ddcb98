import { describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../../src/dialects/exarchos/event-types.ts';
import { exarchos } from '../../../src/dialects/exarchos/index.ts';
import { customNameFault } from '../../../src/dialects/exarchos/registered.ts';
import { selectLines } from '../../../src/read/select/select.ts';
import { tempFile } from '../../support/temp.ts';
import {
  event,
  patched,
  project,
  started,
  stateOf,
  toLog,
  told,
  transition,
  verifyEvents,
  verifyFiles,
} from './support.ts';

// The statements of the documents about a workflow store.

const of = async (...events: object[]) => told(await verifyEvents([started(), ...events]));
const built = (group: string) =>
  [...EVENT_TYPES.values()].filter((type) => type.group === group && type.documented);
const sources = (group: string) => Object.fromEntries(built(group).map(({ name, source }) => [name, source]));
const all = (source: string, ...names: string[]) => Object.fromEntries(names.map((name) => [name, source]));
const NO_FILTERS = { phases: [], types: [], agents: [] };

/** The sequences of the events that a query selects. */
async function selected(events: readonly object[], query: object, filters: object = {}): Promise<number[]> {
  const log = tempFile(toLog(events), 'f.events.jsonl');
  const { lines } = await selectLines(log, { filters: { ...NO_FILTERS, ...filters }, ...query }, exarchos);
  return Array.from({ length: lines.length }, (_, index) => lines.line(index));
}

describe('store and record', () => {
  test('WF-001: a log is of one stream, and reading it changes nothing', async () => {
    expect(exarchos.logFiles(['a.events.jsonl', 'a.seq', 'a.state.json'])).toEqual(['a.events.jsonl']);
    expect(await of({ ...event(1, 'test.result'), streamId: 'g' })).toEqual([
      'warn consistency/stream-id 2 streamId',
    ]);
    const events = [started(), patched(2, { phase: 'plan' })];
    const before = structuredClone(events);
    project(events);
    await verifyEvents(events);
    expect(events).toEqual(before);
  });

  test('WF-002: the state is rebuilt from the log, and the stored state is compared with it', async () => {
    const events = [
      started(),
      transition(2, 'ideate', 'plan'),
      patched(3, { planReview: { approved: true } }),
    ];
    const state = stateOf(...events);
    expect(state).toMatchObject({ featureId: 'f', phase: 'plan', planReview: { approved: true } });
    const files = (stored: object) => ({
      'f.events.jsonl': toLog(events),
      'f.state.json': JSON.stringify(stored),
    });
    const clocks = 'info projection/not-derivable 1';
    expect(told(await verifyFiles(files(state)))).toEqual([clocks]);
    for (const [key, forged] of Object.entries({
      phase: 'review',
      planReview: { approved: false },
      _eventSequence: 99,
    })) {
      const path = key === 'planReview' ? 'planReview.approved' : key;
      expect(told(await verifyFiles(files({ ...state, [key]: forged })))).toEqual([
        clocks,
        `warn projection/state 1 ${path}`,
      ]);
    }
  });

  test('WF-002: a missing part is reported with the event that set it', () => {
    const events = [
      started(),
      patched(2, { tasks: [{ id: 'a', title: 'T', status: 'pending' }] }),
      transition(3, 'ideate', 'plan'),
    ];
    const { tasks: _, ...stored } = stateOf(...events);
    expect(project(events).compare(stored).differences).toMatchObject([
      { path: 'tasks', evidence: { line: 2 } },
    ]);
  });

  test.each([
    ['WF-003: streamId', 'streamId', 7, 'error'],
    ['WF-004: sequence', 'sequence', '2', 'error'],
    ['WF-005: timestamp', 'timestamp', 5, 'error'],
    ['WF-006: type', 'type', 5, 'error'],
    ['WF-007: correlationId', 'correlationId', 5, 'error'],
    ['WF-008: causationId', 'causationId', 5, 'error'],
    ['WF-009: agentId', 'agentId', 5, 'error'],
    ['WF-009: source', 'source', 5, 'error'],
    ['WF-010: schemaVersion', 'schemaVersion', 1, 'error'],
    ['WF-011: data', 'data', 'x', 'error'],
  ])('%s has its type', async (_, key, value, severity) => {
    expect(await of(event(2, 'test.result', undefined, { [key]: value }))).toContain(
      `${severity} event/wrong-type 2 ${key}`,
    );
  });

  test.each(['streamId', 'sequence', 'timestamp', 'type'])(
    'WF-003, WF-004, WF-005, WF-006: %s is required',
    async (key) => {
      const { [key]: _, ...rest } = event(2, 'test.result');
      expect((await of(rest)).some((text) => /^error event\/missing-field 2/.test(text))).toBe(true);
    },
  );

  test.each(['correlationId', 'causationId', 'agentId', 'source', 'data', 'idempotencyKey'])(
    'WF-007, WF-008, WF-009, WF-011: %s may be absent',
    async (key) => {
      const { [key]: _, ...rest } = event(2, 'test.result');
      expect(await of(rest)).toEqual([]);
    },
  );

  test('WF-004: a number that decreases or repeats is a violation, in each stream separately', async () => {
    expect(await of(event(2, 'test.result'), event(2, 'ci.status'))).toEqual([
      'warn sequence/duplicate 3 sequence',
    ]);
    expect(await of(event(3, 'test.result'), event(2, 'ci.status'))).toEqual([
      'warn sequence/backwards 3 sequence',
    ]);
    const other = { ...event(1, 'test.result'), streamId: 'g' };
    expect((await of(other, { ...other, sequence: 2 })).filter((text) => text.includes('sequence'))).toEqual(
      [],
    );
  });

  test('WF-005: a time is ISO 8601', async () => {
    expect(await of(event(2, 'test.result', undefined, { timestamp: 'noon' }))).toEqual([
      'error event/timestamp 2 timestamp',
    ]);
  });

  test('WF-006: a type has dots', async () => {
    expect(await of(event(2, 'completed'))).toEqual(['error event/type-format 2 type']);
  });

  test('WF-007: a query by correlation gathers what is joined', async () => {
    const joined = (sequence: number, correlationId: string) =>
      event(sequence, 'test.result', undefined, { correlationId });
    const events = [joined(1, 'a'), joined(2, 'b'), joined(3, 'a')];
    expect(await selected(events, {}, { own: [{ name: 'correlation', values: ['a'] }] })).toEqual([1, 3]);
  });

  test('WF-008: a cause is followed to the event it names, by its place or its key', async () => {
    const events = [
      event(1, 'task.assigned', undefined, { idempotencyKey: 'key-1' }),
      event(2, 'test.result', undefined, { causationId: '1' }),
      event(3, 'test.result', undefined, { causationId: 'key-1' }),
      event(4, 'test.result', undefined, { causationId: 'f:3' }),
    ];
    expect(await selected(events, { chain: '4' })).toEqual([4, 3, 1]);
    expect(await selected(events, { descendants: 'f:1' })).toEqual([1, 2, 3, 4]);
  });

  test('WF-009: a query by agent', async () => {
    const events = [event(1, 'test.result', undefined, { agentId: 'ada' }), event(2, 'test.result')];
    expect(await selected(events, {}, { agents: ['a*'] })).toEqual([1]);
  });

  test('WF-010: an event without a version has the first one', async () => {
    const { schemaVersion: _, ...rest } = transition(2, 'ideate', 'plan');
    expect(await of(rest)).toEqual(['warn event/missing-field 2 schemaVersion']);
    expect(stateOf(started(), rest)).toMatchObject({ phase: 'plan' });
  });

  test('WF-011: the payload of a type is checked', async () => {
    expect(await of(event(2, 'test.result', { passed: 'yes', passCount: 1, failCount: 0 }))).toEqual([
      'warn event/payload 2 data.passed',
    ]);
  });
});

describe('sources and built-in types', () => {
  test('WF-013: each type has one of four sources, and the tool lists it', async () => {
    const types = (await exarchos.eventTypes?.()) ?? [];
    expect(types).toHaveLength(EVENT_TYPES.size);
    for (const { source } of types) expect(['auto', 'model', 'hook', 'planned']).toContain(source);
  });

  test.each([
    ['workflow.started', 'auto'],
    ['gate.executed', 'auto'],
    ['team.spawned', 'model'],
    ['review.finding', 'model'],
    ['benchmark.completed', 'hook'],
    ['eval.run.started', 'planned'],
  ])('WF-014, WF-015: %s is %s, and a log that contains it is read', async (name, source) => {
    expect(EVENT_TYPES.get(name)?.source).toBe(source);
    const found =
      name === 'workflow.started' ? told(await verifyEvents([event(1, name)])) : await of(event(2, name));
    expect(found).toEqual([]);
  });

  test('WF-017: the catalogue has 60 types in 14 families', () => {
    const counts = Object.fromEntries(
      [
        ...new Set(
          [...EVENT_TYPES.values()].filter(({ documented }) => documented).map(({ group }) => group),
        ),
      ].map((group) => [group, built(group).length]),
    );
    expect(counts).toEqual({
      workflow: 13,
      task: 5,
      quality: 4,
      evaluation: 4,
      stack: 4,
      telemetry: 3,
      benchmark: 1,
      team: 7,
      review: 3,
      remediation: 2,
      shepherd: 4,
      session: 8,
      oneshot: 1,
      other: 1,
    });
  });

  test('WF-018: the workflow types are all auto', () => {
    const names =
      'started transition fix-cycle guard-failed checkpoint compound-entry compound-exit cancel cleanup compensation circuit-open cas-failed pruned';
    expect(sources('workflow')).toEqual(all('auto', ...names.split(' ').map((name) => `workflow.${name}`)));
  });

  test('WF-021 to WF-029: the other families have their types and sources', () => {
    expect(sources('task'), 'WF-021').toEqual({
      ...all('model', 'task.assigned', 'task.progressed'),
      ...all('auto', 'task.claimed', 'task.completed', 'task.failed'),
    });
    expect(sources('quality'), 'WF-022').toEqual({
      ...all('auto', 'gate.executed', 'quality.hint.generated', 'quality.refinement.suggested'),
      ...all('model', 'quality.regression'),
    });
    expect(sources('evaluation'), 'WF-023').toEqual({
      ...all('planned', 'eval.run.started', 'eval.case.completed', 'eval.run.completed'),
      ...all('auto', 'eval.judge.calibrated'),
    });
    expect(sources('stack'), 'WF-024').toEqual({
      ...all('auto', 'stack.position-filled', 'stack.restacked', 'stack.enqueued'),
      ...all('model', 'stack.submitted'),
    });
    expect({ ...sources('telemetry'), ...sources('benchmark') }, 'WF-025').toEqual({
      ...all('auto', 'tool.invoked', 'tool.completed', 'tool.errored'),
      ...all('hook', 'benchmark.completed'),
    });
    const team =
      'spawned task.assigned task.completed task.failed task.planned teammate.dispatched disbanded';
    expect(sources('team'), 'WF-026').toEqual(all('model', ...team.split(' ').map((name) => `team.${name}`)));
    expect({ ...sources('review'), ...sources('remediation') }, 'WF-027').toEqual(
      all(
        'model',
        'review.routed',
        'review.finding',
        'review.escalated',
        'remediation.attempted',
        'remediation.succeeded',
      ),
    );
    expect(sources('shepherd'), 'WF-028').toEqual({
      ...all('auto', 'shepherd.started', 'shepherd.approval_requested', 'shepherd.completed'),
      ...all('model', 'shepherd.iteration'),
    });
    const session =
      'session.tagged worktree.created worktree.baseline test.result typecheck.result ci.status comment.posted comment.resolved';
    expect(sources('session'), 'WF-029').toEqual(all('model', ...session.split(' ')));
  });

  const oneshot = (data: object = {}) =>
    event(1, 'workflow.started', { featureId: 'f', workflowType: 'oneshot', ...data });
  const request = (sequence: number) =>
    event(sequence, 'synthesize.requested', { featureId: 'f', timestamp: '2026-04-01T10:00:00Z' });

  test('WF-019: the policy of a oneshot survives the rebuilding, and is compared with the state', () => {
    const events = [oneshot({ synthesisPolicy: 'never' })];
    expect(stateOf(...events)).toMatchObject({ oneshot: { synthesisPolicy: 'never' } });
    const state = stateOf(...events);
    expect(project(events).compare(state).differences).toEqual([]);
    expect(project(events).compare({ ...state, oneshot: { synthesisPolicy: 'always' } }).differences).toEqual(
      [
        {
          path: 'oneshot.synthesisPolicy',
          projected: 'never',
          stored: 'always',
          evidence: { eventId: 'f:1', line: 1 },
        },
      ],
    );
    const { oneshot: _, ...without } = state;
    expect(project(events).compare(without).differences).toMatchObject([
      { path: 'oneshot', evidence: { line: 1 } },
    ]);
  });

  test('WF-019: a policy that is not one of the three is reported', async () => {
    const found = await verifyEvents([oneshot({ synthesisPolicy: 'maybe' })]);
    expect(told(found)).toEqual(['warn event/payload 1 data.synthesisPolicy']);
  });

  test('WF-020: workflow.pruned says what was stale, for how long, and who asked', async () => {
    const pruned = (data: object) =>
      of(
        event(2, 'workflow.pruned', { featureId: 'f', stalenessMinutes: 90, triggeredBy: 'manual', ...data }),
      );
    expect(await pruned({})).toEqual([]);
    expect(await pruned({ triggeredBy: 'scheduled', skippedSafeguards: ['dirty-worktree'] })).toEqual([]);
    expect(await pruned({ triggeredBy: 'cron' })).toEqual(['warn event/payload 2 data.triggeredBy']);
    expect(await pruned({ stalenessMinutes: 'long' })).toEqual([
      'warn event/payload 2 data.stalenessMinutes',
    ]);
  });

  test('WF-021: the events of a task have descriptions', async () => {
    for (const tddPhase of ['red', 'green', 'refactor'])
      expect(await of(event(2, 'task.progressed', { taskId: '', tddPhase }))).toEqual([]);
    expect(await of(event(2, 'task.progressed', { taskId: '', tddPhase: 'blue' }))).toEqual([
      'warn event/payload 2 data.tddPhase',
    ]);
  });

  test('WF-030: synthesize.requested names the feature and its time', async () => {
    const inOneshot = async (one: object) =>
      told(await verifyEvents([oneshot({ synthesisPolicy: 'on-request' }), one]));
    expect(await inOneshot(request(2))).toEqual([]);
    expect(await inOneshot(event(2, 'synthesize.requested', { featureId: 'f' }))).toEqual([
      'warn event/payload 2 data.timestamp',
    ]);
    expect(EVENT_TYPES.get('synthesize.requested')?.source).toBe('auto');
  });

  test('WF-031: a oneshot is opted in by at least one request', () => {
    const optedIn = (...events: object[]) => stateOf(oneshot(), ...(events as never[]))['oneshot'] as object;
    expect(optedIn()).toEqual({ synthesisRequested: false });
    expect(optedIn(request(2))).toEqual({ synthesisRequested: true });
    expect(optedIn(request(2), request(3))).toEqual(optedIn(request(2)));
    expect(stateOf(started(), request(2))).not.toHaveProperty('oneshot');
  });

  test('WF-032: state.patched changes the state directly', () => {
    expect(EVENT_TYPES.get('state.patched')?.source).toBe('auto');
    expect(stateOf(started(), patched(2, { 'artifacts.plan': 'p.md' }))).toMatchObject({
      artifacts: { plan: 'p.md' },
    });
  });

  test.each([
    'workflow.fix-cycle',
    'shepherd.approval_requested',
    'team.task.assigned',
    'eval.judge.calibrated',
  ])('WF-033: %s is a type like any other', async (type) => expect(await of(event(2, type))).toEqual([]));
});

describe('queries', () => {
  const events = ['task.assigned', 'team.task.completed', 'task.completed', 'workflow.transition'].map(
    (type, index) => event(index + 1, type),
  );

  test('WF-034: a stream is selected by its name', async () => {
    const mixed = [...events, { ...event(1, 'task.assigned'), streamId: 'g' }];
    expect(await selected(mixed, {}, { own: [{ name: 'stream', values: ['g'] }] })).toEqual([5]);
  });

  test('WF-035: a type is selected by its name, and without one all events are shown', async () => {
    expect(await selected(events, {}, { types: ['task.completed'] })).toEqual([3]);
    expect(await selected(events, {})).toEqual([1, 2, 3, 4]);
  });

  test('WF-036: a wildcard selects the types with that beginning, and no others', async () => {
    expect(await selected(events, {}, { types: ['workflow.*'] })).toEqual([4]);
    expect(await selected(events, {}, { types: ['task.*'] })).toEqual([1, 3]);
    expect(await selected(events, {}, { types: ['team.*'] })).toEqual([2]);
  });

  test('WF-037: a limit is the maximum number of events', async () => {
    expect(await selected(events, { limit: 2 })).toEqual([1, 2]);
    expect(await selected(events, { last: 2 })).toEqual([3, 4]);
    expect(await selected(events, { limit: 9 })).toHaveLength(4);
  });
});

describe('types of a project', () => {
  test('WF-039: an event reads back as it was given', async () => {
    const data = { teamSize: 3, teammateNames: ['ada', 'ben', 'cy'], taskCount: 5, dispatchMode: 'parallel' };
    expect(await of(event(2, 'team.spawned', data))).toEqual([]);
    expect(await of(event(2, 'team.spawned', { ...data, teamSize: '3' }))).toEqual([
      'warn event/payload 2 data.teamSize',
    ]);
  });

  test('WF-041: a registered type is known', async () => {
    const own = event(2, 'deploy.started');
    expect(await of(own)).toEqual(['info event/unknown-type 2 type']);
    const types = new Set(['deploy.started', 'deploy.roll_back']);
    expect(told(await verifyEvents([started(), own, event(3, 'deploy.roll_back')], { types }))).toEqual([]);
  });

  test.each(['foo', 'workflow.started', 'Deploy.x', 'deploy.'])('WF-042: %s cannot be registered', (name) => {
    expect(customNameFault(name, new Set())).toBeDefined();
  });
});
