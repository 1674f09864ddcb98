import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { RehydrationFold } from '../../../src/dialects/exarchos/projection/rehydration.ts';
import { event, patched, started, transition } from './support.ts';

function documentOf(...events: JsonObject[]) {
  const fold = new RehydrationFold();
  for (const one of events) fold.add(one);
  return fold.result();
}

const tasks = (...list: unknown[]) => patched(2, { tasks: list });

test('the document has the values of the handled events', () => {
  expect(
    documentOf(
      started(),
      transition(2, 'ideate', 'plan'),
      event(3, 'task.assigned', { taskId: 't1' }),
      patched(4, {
        artifacts: { plan: 'p.md', design: 'd.md' },
        tasks: [{ id: 't2', status: 'in_progress' }],
      }),
      patched(5, { artifacts: { design: null, pr: 7 } }),
      event(6, 'workflow.guard-failed', { from: 'plan', to: 'review' }),
      event(7, 'review.completed', { stage: 's', verdict: 'blocked', summary: 'no' }),
      event(8, 'review.escalated', { reason: 'r' }),
      event(9, 'task.completed', { taskId: 't1' }),
    ),
  ).toEqual({
    v: 1,
    projectionSequence: 9,
    behavioralGuidance: { skill: '', skillRef: '' },
    workflowState: { featureId: 'f', phase: 'plan', workflowType: 'feature' },
    taskProgress: [
      { id: 't1', status: 'completed' },
      { id: 't2', status: 'assigned' },
    ],
    decisions: [],
    artifacts: { plan: 'p.md' },
    blockers: [
      { source: 'workflow.guard-failed', guard: 'unknown-guard', from: 'plan', to: 'review' },
      { source: 'review.completed', stage: 's', summary: 'no' },
      { source: 'review.escalated', reason: 'r' },
    ],
  });
});

test.each([
  event(1, 'task.assigned', {}),
  event(1, 'task.failed', { taskId: '' }),
  event(1, 'workflow.started', { featureId: 'f' }),
  event(1, 'workflow.started', { featureId: '', workflowType: 'feature' }),
  event(1, 'workflow.transition', { to: 7 }),
  event(1, 'state.patched', { patch: 'x' }),
  event(1, 'state.patched', { patch: { phase: 'plan' } }),
  event(1, 'review.completed', { verdict: 'pass' }),
  event(1, 'tool.invoked', { tool: 't' }),
  event(1, 'task.assigned'),
])('%j is not handled', (one) => {
  expect(documentOf(one)).toEqual(documentOf());
});

test('a patched task moves up and never down; items that are not tasks with an id are skipped', () => {
  const progress = (...events: JsonObject[]) => documentOf(...events).taskProgress;
  expect(progress(tasks({ id: 'a', status: 'odd' }))).toEqual([{ id: 'a', status: 'pending' }]);
  expect(progress(tasks({ id: 'a', status: 'failed' }), tasks({ id: 'a', status: 'in_progress' }))).toEqual([
    { id: 'a', status: 'failed' },
  ]);
  expect(progress(tasks({ id: 'a' }, 'b', { id: 7, status: 'complete' }))).toEqual([
    { id: 'a', status: 'pending' },
  ]);
});
