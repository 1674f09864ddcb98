import { describe, expect, expectTypeOf, test } from 'vitest';
import { EMISSION_SOURCES, EVENT_TYPES } from '../../../src/dialects/exarchos/event-types.ts';
import { type ExarchosEvent, eventSchema } from '../../../src/dialects/exarchos/schema/event.ts';
import {
  type EventData,
  isKnownDeviation,
  PAYLOADS,
  strictPayload,
} from '../../../src/dialects/exarchos/schema/payloads.ts';
import { event } from './support.ts';

describe('the catalogue of types', () => {
  const types = [...EVENT_TYPES.values()];
  const countBySource = (of: typeof types) =>
    Object.fromEntries(
      EMISSION_SOURCES.map((source) => [source, of.filter((type) => type.source === source).length]),
    );

  test('has 84 built-in types, 60 of them documented', () => {
    expect(types).toHaveLength(84);
    expect(countBySource(types)).toEqual({ auto: 54, model: 26, hook: 1, planned: 3 });
    const documented = types.filter((type) => type.documented);
    expect(documented).toHaveLength(60);
    expect(countBySource(documented)).toEqual({ auto: 31, model: 25, hook: 1, planned: 3 });
  });

  test('has a payload for every type, of which the store checks 75', () => {
    expect(new Set(Object.keys(PAYLOADS))).toEqual(new Set(EVENT_TYPES.keys()));
    expect([...EVENT_TYPES.keys()].filter((type) => strictPayload(type) !== undefined)).toHaveLength(75);
    expect(strictPayload('__proto__')).toBeUndefined();
  });

  test.each([
    ['workflow.started', 'auto'],
    ['team.spawned', 'model'],
    ['benchmark.completed', 'hook'],
    ['eval.run.started', 'planned'],
  ])('%s is meant for %s', (type, source) => {
    expect(EVENT_TYPES.get(type)?.source).toBe(source);
  });
});

describe('payloads', () => {
  test('are typed by their schemas', () => {
    expectTypeOf<EventData<'team.spawned'>>().toExtend<{ teamSize: number; teammateNames: string[] }>();
    expectTypeOf<ExarchosEvent['sequence']>().toEqualTypeOf<number>();
  });

  test.each([
    [
      'team.spawned',
      { teamSize: 3, teammateNames: ['impl-1', 'impl-2', 'impl-3'], taskCount: 3, dispatchMode: 'parallel' },
    ],
    ['workflow.pruned', { featureId: 'f', stalenessMinutes: 90.5, triggeredBy: 'scheduled' }],
    ['synthesize.requested', { featureId: 'f', timestamp: '2026-04-01T10:00:00Z' }],
    [
      'review.finding',
      {
        pr: 1,
        source: 'coderabbit',
        severity: 'major',
        filePath: 'a.ts',
        lineRange: [1, 9],
        message: 'm',
        more: 1,
      },
    ],
    [
      'command.resolved',
      { field: 'test', repoRoot: '/r', source: 'unresolved', command: null, remediation: 'install it' },
    ],
    ['init.executed', { runtimes: [], vcs: null, durationMs: 0 }],
  ])('%s is accepted', (type, data) => {
    expect(strictPayload(type)?.safeParse(data).success).toBe(true);
  });

  test.each([
    ['team.spawned', { teamSize: -1, teammateNames: [], taskCount: 0, dispatchMode: 'x' }],
    ['workflow.pruned', { featureId: 'f', stalenessMinutes: 1, triggeredBy: 'cron' }],
    ['task.progressed', { taskId: 't', tddPhase: 'blue' }],
    ['benchmark.completed', { taskId: 't', results: [] }],
    ['command.resolved', { field: 'test', repoRoot: '/r', source: 'config', command: null }],
  ])('%s is refused', (type, data) => {
    expect(strictPayload(type)?.safeParse(data).success).toBe(false);
    expect(isKnownDeviation(type, data)).toBe(false);
  });

  test.each([
    [
      'workflow.fix-cycle',
      { from: 'review', to: 'delegate', trigger: 't', featureId: 'f', compoundStateId: 'implementation' },
    ],
    ['workflow.compound-exit', { from: 'implementation', to: 'synthesize', trigger: 't', featureId: 'f' }],
    ['workflow.cleanup', { featureId: 'f', previousPhase: 'delegate', mergeVerified: true }],
    ['task.failed', { taskId: 't', error: 'x'.repeat(501) }],
    ['gate.executed', { dimension: 'D1', passed: true }],
    ['gate.executed', {}],
    ['stack.restacked', { affectedPositions: [1, 2] }],
    ['shepherd.started', { prUrl: 'u', stackSize: 2, ciStatus: 'passing' }],
    ['shepherd.completed', { prUrl: 'u', merged: true, iterations: 2, duration: 5 }],
    [
      'eval.judge.calibrated',
      {
        skill: 's',
        rubricName: 'r',
        split: 'test',
        tpr: 1,
        tnr: 1,
        accuracy: 1,
        f1: 1,
        goldStandardVersion: '1',
        rubricVersion: '1',
      },
    ],
  ])('%s in the form the program itself writes, or wrote, is known', (type, data) => {
    expect(strictPayload(type)?.safeParse(data).success).toBe(false);
    expect(isKnownDeviation(type, data)).toBe(true);
  });
});

test('the envelope keeps what later versions add', () => {
  expect(eventSchema.safeParse({ ...event(1, 'a.b'), eventId: 'e', operationId: 'o' }).success).toBe(true);
});
