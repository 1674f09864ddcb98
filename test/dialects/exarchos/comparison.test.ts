import { describe, expect, test } from 'vitest';
import { event, patched, project, started, stateOf, transition } from './support.ts';

describe('beside the stored state', () => {
  const stored = {
    ...stateOf(started(), patched(2, { tasks: [{ id: 'a', title: 'T', status: 'pending' }] })),
    createdAt: 'x',
    more: 1,
  };

  test('the clocks and what no event can say are left out', () => {
    expect(
      project([started(), patched(2, { tasks: [{ id: 'a', title: 'T', status: 'pending' }] })]).compare(
        stored,
      ),
    ).toMatchObject({
      differences: [],
      underivable: [],
    });
  });

  test('events that the program only logs may show in the file or not', () => {
    const log = [
      started(),
      patched(2, { tasks: [{ id: 'a', title: 'T', status: 'pending' }] }),
      event(3, 'task.failed', { taskId: 'a' }),
    ];
    expect(project(log).compare(stored).differences).toEqual([]);
    expect(
      project(log).compare({ ...stored, tasks: [{ id: 'a', title: 'T', status: 'failed' }] }).differences,
    ).toEqual([]);
    expect(
      project(log).compare({ ...stored, tasks: [{ id: 'a', title: 'T', status: 'complete' }] }).differences,
    ).toEqual([
      {
        path: 'tasks[0].status',
        projected: 'pending',
        stored: 'complete',
        evidence: { eventId: 'f:2', line: 2 },
      },
    ]);
  });

  test('a difference names the event that the value comes from', () => {
    const log = [
      started(),
      patched(2, { 'reviews.spec': { status: 'fail' } }),
      patched(3, { reviews: { spec: { status: 'pass' } } }),
    ];
    expect(
      project(log).compare({ ...stateOf(...log), reviews: { spec: { status: 'fail' } } }).differences,
    ).toEqual([
      {
        path: 'reviews.spec.status',
        projected: 'pass',
        stored: 'fail',
        evidence: { eventId: 'f:3', line: 3 },
      },
    ]);
  });

  test('what lies below a value that one event gave is of that event, be it there or not', () => {
    const log = [started(), patched(2, { 'reviews.spec': { checks: { lint: 'pass' } } })];
    expect(project(log).compare({ ...stateOf(...log), reviews: { spec: {} } }).differences).toEqual([
      {
        path: 'reviews.spec.checks',
        projected: { lint: 'pass' },
        evidence: { eventId: 'f:2', line: 2 },
      },
    ]);
  });

  test('of a oneshot without a policy nothing is compared but the policy', () => {
    const log = [started(1, 'oneshot'), patched(2, { 'oneshot.note': 'x' })];
    const state = stateOf(started(1, 'oneshot'));
    expect(project(log).compare({ ...state, oneshot: { note: 'y' } }).differences).toEqual([]);
    expect(
      project(log).compare({ ...state, oneshot: { synthesisPolicy: 'always' } }).differences,
    ).toMatchObject([{ path: 'oneshot.synthesisPolicy', stored: 'always' }]);
  });

  test('a part without evidence is listed, where the file has it', () => {
    expect(project([transition(1, 'a', 'b')]).compare({ phase: 'b', tasks: [], track: 'x' })).toEqual({
      compared: ['phase'],
      not_compared: ['tasks', 'track'].map((path) => ({
        path,
        reason: 'no event of the log tells of it',
      })),
      differences: [],
      underivable: ['tasks'],
    });
    expect(project([started()]).compare('no state').differences).toHaveLength(8);
  });
});
