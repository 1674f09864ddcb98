import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { RehydrationFold } from '../../../src/dialects/exarchos/projection/rehydration.ts';
import { ReconcileProjector } from '../../support/origin/exarchos.ts';
import { eachRecord, event, patched, started, toLog, transition } from './support.ts';

const assigned = (sequence: number, taskId: string) =>
  event(sequence, 'task.assigned', { taskId, title: 'T' });
const cancel = event(9, 'workflow.cancel', { from: 'plan', to: 'cancelled', trigger: 't', featureId: 'f' });

describe("the program's own rebuild", () => {
  const rebuilt = async (...events: JsonObject[]) => {
    const projector = new ReconcileProjector();
    await eachRecord(toLog(events), (record) => projector.add(record));
    return projector.result().value;
  };

  test('replays neither patches nor tasks, cancel or cleanup', async () => {
    const value = await rebuilt(
      started(1, 'discovery'),
      patched(2, { phase: 'x' }),
      assigned(3, 'a'),
      cancel,
    );
    expect(value).toMatchObject({ phase: 'gathering', tasks: [], _eventSequence: 9 });
  });

  test('needs a first event', async () => {
    expect(await rebuilt(transition(1, 'a', 'b'))).toEqual({});
  });

  test.each([
    ['merge.preflight', { passed: false }, { phase: 'aborted' }],
    ['merge.preflight', { passed: true }, undefined],
    ['merge.executed', { mergeSha: 's' }, { phase: 'completed' }],
    ['merge.rollback', { reason: 'timeout' }, { phase: 'rolled-back' }],
  ])('%s %j', async (type, data, expected) => {
    const { mergeOrchestrator } = await rebuilt(started(), event(2, type, data));
    if (expected === undefined) expect(mergeOrchestrator).toBeUndefined();
    else expect(mergeOrchestrator).toMatchObject(expected);
  });
});

describe('rehydration documents', () => {
  const rehydrated = (...events: JsonObject[]) => {
    const fold = new RehydrationFold();
    for (const one of events) fold.add(one);
    return fold.result();
  };

  test('tasks in patches move up and never down', () => {
    const words = ['pending', 'in_progress', 'complete', 'failed', 'anything'].map((status, index) => ({
      id: `t${index}`,
      status,
    }));
    const result = rehydrated(
      patched(1, { tasks: words }),
      patched(2, { tasks: words.map(({ id }) => ({ id, status: 'in_progress' })) }),
    );
    expect(result.taskProgress.map(({ status }) => status)).toEqual([
      'assigned',
      'assigned',
      'completed',
      'failed',
      'assigned',
    ]);
  });

  test('artifacts come and go, paths are no artifacts', () => {
    const result = rehydrated(
      patched(1, { artifacts: { a: 'x', b: 'y', c: 7 } }),
      patched(2, { artifacts: { a: null }, 'artifacts.d': 'z' }),
      patched(3, { 'artifacts.d': 'z' }),
    );
    expect(result).toMatchObject({ artifacts: { b: 'y' }, projectionSequence: 2 });
  });

  test('blockers stay', () => {
    const result = rehydrated(
      event(1, 'workflow.guard-failed', {}),
      event(2, 'review.completed', { stage: 's', verdict: 'blocked', summary: 'no', findingsCount: 1 }),
      event(3, 'review.completed', { verdict: 'pass' }),
      event(4, 'review.escalated', { pr: 1, reason: 'r', triggeringFinding: 't' }),
      transition(5, 'a', 'b'),
    );
    expect(result.blockers).toEqual([
      { source: 'workflow.guard-failed', guard: 'unknown-guard' },
      { source: 'review.completed', stage: 's', summary: 'no' },
      { source: 'review.escalated', reason: 'r', triggeringFinding: 't' },
    ]);
    expect(result.projectionSequence).toBe(4);
  });
});
