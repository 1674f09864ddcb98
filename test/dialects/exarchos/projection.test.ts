import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { ExarchosProjector } from '../../../src/dialects/exarchos/projection/projector.ts';
import { event, patched, project, started, stateOf, transition } from './support.ts';

const tasksOf = (...events: JsonObject[]) => stateOf(started(), ...events)['tasks'];
const assigned = (sequence: number, taskId: string, more: object = {}) =>
  event(sequence, 'task.assigned', { taskId, title: 'T', ...more });
const cleanup = event(9, 'workflow.cleanup', { featureId: 'f', previousPhase: 'plan', mergeVerified: true });
const cancel = event(9, 'workflow.cancel', { from: 'plan', to: 'cancelled', trigger: 't', featureId: 'f' });

describe('the state of a workflow', () => {
  test('begins empty', () => {
    expect(stateOf(started())).toEqual({
      featureId: 'f',
      workflowType: 'feature',
      phase: 'ideate',
      createdAt: '2026-04-01T10:00:01.000Z',
      updatedAt: '2026-04-01T10:00:01.000Z',
      artifacts: { design: null, plan: null, pr: null },
      tasks: [],
      worktrees: {},
      reviews: {},
      synthesis: { integrationBranch: null, mergeOrder: [], mergedBranches: [], prUrl: null, prFeedback: [] },
    });
  });

  test('a workflow of unknown type begins in an unknown phase', () => {
    expect(project([started(1, 'of-our-own')]).result().underivable).toEqual(['phase']);
    expect(stateOf(started(1, 'discovery'))['phase']).toBe('gathering');
  });

  test('cancel and cleanup are the end, even without a transition', () => {
    expect(stateOf(started(), transition(2, 'ideate', 'plan'), cleanup)).toMatchObject({
      phase: 'completed',
    });
    expect(stateOf(started(), transition(2, 'ideate', 'plan'), cancel)).toMatchObject({
      phase: 'cancelled',
      updatedAt: '2026-04-01T10:00:09.000Z',
    });
  });

  test('patches follow paths', () => {
    const patch = {
      'artifacts.design': 'd.md',
      tasks: [{ id: 't1', status: 'pending' }],
      planReview: { approved: true },
    };
    expect(
      stateOf(started(), patched(2, patch), patched(3, { 'tasks[0].status': 'complete' })),
    ).toMatchObject({
      artifacts: { design: 'd.md', plan: null, pr: null },
      tasks: [{ id: 't1', status: 'complete', blockedBy: [] }],
    });
  });

  test('the policy of a oneshot survives', () => {
    const start = event(1, 'workflow.started', {
      featureId: 'f',
      workflowType: 'oneshot',
      synthesisPolicy: 'on-request',
    });
    expect(stateOf(start)).toMatchObject({ phase: 'plan', oneshot: { synthesisPolicy: 'on-request' } });
  });

  test('a second start resets ids and phase', () => {
    expect(
      stateOf(
        started(),
        transition(2, 'ideate', 'plan'),
        patched(3, { 'artifacts.pr': 'u' }),
        started(4, 'debug'),
      ),
    ).toMatchObject({
      phase: 'triage',
      workflowType: 'debug',
      artifacts: { pr: 'u' },
    });
  });

  test('values without an event are left out', () => {
    const { value, underivable } = project([event(1, 'gate.executed')]).result();
    expect(value).toEqual({});
    expect(underivable).toHaveLength(10);
  });

  test('payloads of any form do no harm', () => {
    const odd = [
      'x',
      null,
      7,
      [],
      { patch: [] },
      { patch: 'x' },
      { to: 5 },
      { taskId: 7 },
      { pr: 'x' },
    ] as const;
    const types = [
      'workflow.started',
      'workflow.transition',
      'state.patched',
      'task.assigned',
      'task.completed',
      'review.routed',
    ];
    const events = types.flatMap((type) =>
      odd.map((data) => ({ ...event(1, type), data }) as unknown as JsonObject),
    );
    expect(stateOf(...events)).toMatchObject({ tasks: [] });
    expect(stateOf(started(), patched(2, { tasks: 'none', reviews: null }), assigned(3, 't'))).toMatchObject({
      tasks: 'none',
    });
  });
});

describe('tasks', () => {
  test('go through their events', () => {
    expect(
      tasksOf(
        assigned(2, 'a', { branch: 'b', worktree: '/w' }),
        assigned(3, 'b'),
        event(4, 'task.failed', { taskId: 'b' }),
      ),
    ).toEqual([
      { id: 'a', title: 'T', status: 'pending', branch: 'b', worktreePath: '/w', blockedBy: [] },
      { id: 'b', title: 'T', status: 'failed', blockedBy: [] },
    ]);
    expect(tasksOf(assigned(2, 'a'), event(3, 'task.completed', { taskId: 'a' }), assigned(4, 'a'))).toEqual([
      { id: 'a', title: 'T', status: 'pending', completedAt: '2026-04-01T10:00:03.000Z', blockedBy: [] },
    ]);
    expect(tasksOf(event(2, 'task.completed', { taskId: 'nobody' }))).toEqual([]);
  });

  test('are found where patches put them', () => {
    const list = [{ id: 'a' }, { id: 'b' }];
    const done = (sequence: number, taskId: string) => event(sequence, 'task.completed', { taskId });
    expect(
      tasksOf(
        patched(2, { tasks: list }),
        done(3, 'b'),
        patched(4, { 'tasks[1].id': 'c' }),
        done(5, 'c'),
        done(6, 'b'),
      ),
    ).toMatchObject([{ id: 'a' }, { id: 'c', status: 'complete', completedAt: '2026-04-01T10:00:05.000Z' }]);
    // Another task has replaced the first, which is added again.
    const moved = [patched(4, { 'tasks[0].id': 'c' }), patched(5, { 'tasks[2]': { id: 'a' } }), done(6, 'a')];
    expect(tasksOf(patched(2, { tasks: list }), done(3, 'b'), ...moved)).toMatchObject([
      { id: 'c' },
      { id: 'b', status: 'complete' },
      { id: 'a', status: 'complete' },
    ]);
    expect(tasksOf(assigned(2, 'a'), patched(3, { 'tasks[1]': { id: 'z' } }), done(4, 'z'))).toMatchObject([
      {},
      { status: 'complete' },
    ]);
  });

  test('take a branch from the stack, and reviews their route', () => {
    const filled = event(3, 'stack.position-filled', { position: 1, taskId: 'a', branch: 'x' });
    expect(tasksOf(assigned(2, 'a'), filled)).toMatchObject([{ branch: 'x' }]);
    expect(stateOf(started(), event(2, 'review.routed', { pr: 7, destination: 'both' }))).toMatchObject({
      reviews: { 7: { destination: 'both' } },
    });
  });
});

const anyEvent = fc.oneof(
  fc
    .record({ from: fc.constant('x'), to: fc.constantFrom('plan', 'review', 'delegate') })
    .map((data) => event(1, 'workflow.transition', data)),
  fc.constantFrom(cancel, cleanup, started(1), started(1, 'debug')),
  fc
    .constantFrom('a', 'b', 'c')
    .chain((taskId) =>
      fc
        .constantFrom('task.assigned', 'task.completed', 'task.failed')
        .map((type) => event(1, type, { taskId, title: taskId })),
    ),
  fc
    .dictionary(
      fc.constantFrom(
        'artifacts.design',
        'tasks',
        'tasks[0].status',
        'tasks[1].id',
        'tasks[0]',
        'reviews',
        'reviews.a.b',
        'phase',
        'x.y',
      ),
      fc.oneof(
        fc.string({ maxLength: 2 }),
        fc.constant([{ id: 'a' }, { id: 'b', status: 'pending' }]),
        fc.constant({ id: 'c', k: { l: 1 } }),
      ),
      { noNullPrototype: true },
    )
    .map((patch) => patched(1, patch)),
);

test('any history: the phase is that of the last event about it, and the state agrees with itself', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 30 }), (events) => {
      const projector = project(events);
      const { value, evidence } = projector.result();
      const said = events.flatMap(({ type, data }) => {
        const { to, patch, workflowType } = data as {
          to?: string;
          patch?: Record<string, unknown>;
          workflowType?: string;
        };
        if (type === 'workflow.started') return [workflowType === 'debug' ? 'triage' : 'ideate'];
        if (type === 'workflow.cancel') return ['cancelled'];
        if (type === 'workflow.cleanup') return ['completed'];
        if (patch && 'phase' in patch) return [patch['phase']];
        return type === 'workflow.transition' ? [to] : [];
      });
      if (said.every((phase) => typeof phase === 'string')) expect(value['phase']).toEqual(said.at(-1));
      expect(projector.compare(structuredClone(value)).differences).toEqual([]);
      for (const part of Object.keys(value)) {
        const line = evidence.of(part)?.line;
        if (line !== undefined) expect(line).toBeLessThanOrEqual(events.length);
      }
    }),
  );
});

test('any history: each prefix gives what a stop at its end would', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 20 }), (events) => {
      const stepwise = new ExarchosProjector();
      for (const [index, one] of events.entries()) {
        stepwise.addEvent(one, index + 1);
        const whole = project(events.slice(0, index + 1)).result();
        expect(JSON.stringify(stepwise.result().value)).toBe(JSON.stringify(whole.value));
      }
    }),
    { numRuns: 30 },
  );
});
