import { describe, expect, test } from 'vitest';
import { event, patched, project, started, stateOf, transition } from './support.ts';

describe('next to the stored state', () => {
  const stored = {
    ...stateOf(started(), patched(2, { tasks: [{ id: 'a', title: 'T', status: 'pending' }] })),
    createdAt: 'x',
    more: 1,
  };

  test('clocks and values that no event can contain are left out', () => {
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
        projected: 'failed',
        stored: 'complete',
        evidence: { eventId: 'f:3', line: 3 },
      },
    ]);
  });

  test('what only the log has is named, and the fold that knows more explains a difference', () => {
    const assigned = event(2, 'task.assigned', { taskId: 'a', title: 'T', branch: 'b' });
    const log = [started(), assigned, event(3, 'task.failed', { taskId: 'a' })];
    const { differences, not_compared: rest } = project(log).compare({ ...stored, tasks: [] });
    expect(differences).toEqual([]);
    expect(rest).toContainEqual({
      path: 'tasks[0]',
      reason: 'the log has more here, which the program does not put into its file',
      line: 3,
    });
    const forged = { ...stored, tasks: [{ id: 'a', title: 'T', status: 'complete', branch: 'b' }] };
    expect(project(log).compare(forged).differences).toEqual([
      {
        path: 'tasks[0].status',
        projected: 'failed',
        stored: 'complete',
        evidence: { eventId: 'f:3', line: 3 },
      },
    ]);
  });

  test('a list is not equal to a map, even if both are empty', () => {
    const paths = (change: object) =>
      project([started()])
        .compare({ ...stateOf(started()), ...change })
        .differences.map(({ path }) => path);
    expect(paths({})).toEqual([]);
    expect(paths({ tasks: {} })).toEqual(['tasks']);
    expect(paths({ reviews: [] })).toEqual(['reviews']);
  });

  test('the phase of a checkpoint is that of its event, or the current one', () => {
    const log = [
      started(),
      event(2, 'workflow.checkpoint', { counter: 7, phase: 'ideate', featureId: 'f' }),
      transition(3, 'ideate', 'plan'),
    ];
    const of = (phase: string) =>
      project(log).compare({
        ...stored,
        phase: 'plan',
        tasks: [],
        _checkpoint: { phase, operationsSince: 99 },
      });
    expect(of('ideate').differences).toEqual([]);
    expect(of('plan').differences).toEqual([]);
    expect(of('synthesize').differences.map(({ path }) => path)).toEqual(['_checkpoint.phase']);
    expect(of('plan').not_compared).toContainEqual({
      path: '_checkpoint.operationsSince',
      reason: 'not compared by noesis',
    });
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

  test('a value below one that an event set belongs to that event, whether it exists or not', () => {
    const log = [started(), patched(2, { 'reviews.spec': { checks: { lint: 'pass' } } })];
    expect(project(log).compare({ ...stateOf(...log), reviews: { spec: {} } }).differences).toEqual([
      {
        path: 'reviews.spec.checks',
        projected: { lint: 'pass' },
        evidence: { eventId: 'f:2', line: 2 },
      },
    ]);
  });

  test('compares every part of a oneshot', () => {
    const log = [started(1, 'oneshot'), patched(2, { 'oneshot.note': 'x' })];
    const state = stateOf(started(1, 'oneshot'));
    expect(project(log).compare({ ...state, oneshot: { note: 'y' } }).differences).toMatchObject([
      { path: 'oneshot.note', projected: 'x', stored: 'y' },
    ]);
    expect(
      project(log).compare({ ...state, oneshot: { note: 'x', synthesisPolicy: 'always' } }).differences,
    ).toMatchObject([{ path: 'oneshot.synthesisPolicy', stored: 'always' }]);
    const asked = [...log, event(3, 'synthesize.requested', {})];
    expect(
      project(asked).compare({ ...state, oneshot: { note: 'x', synthesisRequested: false } }).differences,
    ).toMatchObject([{ path: 'oneshot.synthesisRequested', projected: true, stored: false }]);
  });

  test('compares every key that a patch has set, and names the event', () => {
    const log = [
      started(),
      patched(2, { planReview: { approved: true }, track: 'thorough', 'explore.startedAt': 'now' }),
    ];
    const state = stateOf(...log);
    expect(state).toMatchObject({
      planReview: { approved: true },
      track: 'thorough',
      explore: { startedAt: 'now' },
    });
    const forged = {
      ...state,
      planReview: { approved: false },
      track: 'hotfix',
      explore: { startedAt: 'now', by: 'x' },
    };
    expect(project(log).compare(forged).differences).toEqual([
      { path: 'planReview.approved', projected: true, stored: false, evidence: { eventId: 'f:2', line: 2 } },
      { path: 'track', projected: 'thorough', stored: 'hotfix', evidence: { eventId: 'f:2', line: 2 } },
      { path: 'explore.by', stored: 'x' },
    ]);
  });

  test('an empty default of the program is named, but is not a difference', () => {
    const log = [started(), patched(2, { planReview: { approved: true, gaps: [] } })];
    const { artifacts, ...state } = stateOf(...log);
    const { not_compared, differences } = project(log).compare({
      ...state,
      artifacts: { ...(artifacts as object), plan: undefined },
      planReview: { approved: true, notes: null },
    });
    expect(differences).toEqual([]);
    expect(not_compared).toMatchObject([
      { path: 'artifacts.plan', reason: 'empty by default, and no event says more', line: 1 },
      { path: 'planReview.gaps', line: 2 },
      { path: 'planReview.notes' },
      { path: 'createdAt', reason: 'the program reads the clock again when it writes the file', line: 1 },
      { path: 'updatedAt', line: 2 },
    ]);
  });

  test('a noted sequence number above the last one of the log is a difference', () => {
    const log = [started(), transition(2, 'ideate', 'plan')];
    const state = stateOf(...log);
    expect(project(log).compare({ ...state, _eventSequence: 99 }).differences).toEqual([
      { path: '_eventSequence', projected: 2, stored: 99, evidence: { eventId: 'f:2', line: 2 } },
    ]);
    for (const noted of [1, 2, 'two']) {
      const { differences, not_compared } = project(log).compare({
        ...state,
        _eventSequence: noted,
        _events: [],
      });
      expect(differences).toEqual([]);
      expect(not_compared.map(({ path }) => path)).toEqual([
        'createdAt',
        'updatedAt',
        '_eventSequence',
        '_events',
      ]);
    }
  });

  test('a part without evidence is listed if the file has it', () => {
    expect(project([transition(1, 'a', 'b')]).compare({ phase: 'b', createdAt: 'x' }).not_compared).toEqual([
      { path: 'createdAt', reason: 'no event in the log mentions it' },
    ]);
    expect(project([transition(1, 'a', 'b')]).compare({ phase: 'b', tasks: [], track: 'x' })).toEqual({
      compared: ['phase'],
      not_compared: [
        { path: 'tasks', reason: 'no event in the log mentions it' },
        { path: 'track', reason: 'not compared by noesis' },
      ],
      differences: [],
      underivable: ['tasks'],
    });
    expect(project([started()]).compare('no state').differences).toHaveLength(8);
  });
});
