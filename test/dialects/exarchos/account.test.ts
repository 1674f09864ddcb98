import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { exarchos } from '../../../src/dialects/exarchos/index.ts';
import { accountOf } from '../account-of.ts';
import { event, patched, started, transition } from './support.ts';

const gate = (sequence: number, passed: boolean, gateName?: string) =>
  event(sequence, 'gate.executed', { gateName, layer: 'CI', passed, taskId: 't1', durationMs: 40 });

test('shows the tasks and gates of a merged workflow, and the failures that it recovered from', async () => {
  const account = await accountOf(exarchos, [
    started(),
    event(2, 'task.assigned', { taskId: 't1', title: 'One' }),
    gate(3, false, 'lint'),
    gate(4, true, 'lint'),
    gate(5, true),
    event(6, 'task.completed', { taskId: 't1', duration: 60 }),
    event(7, 'workflow.cleanup', { mergeVerified: true, prUrl: 'https://x/1' }),
  ]);
  expect(account).toEqual({
    task: 'f',
    status: 'completed',
    tone: 'good',
    isOver: true,
    why: [{ kind: 'cleanup', text: 'merged https://x/1', tone: 'good', line: 7 }],
    onTheWay: [{ kind: 'gate failed', text: 'lint', tone: 'bad', line: 3, facts: [['layer', 'CI']] }],
    steps: [{ id: 't1', status: 'complete', tone: 'good', text: 'One', durationMs: 180, line: 6 }],
    facts: {
      gates: [
        { gate: 'lint', passed: 1, failed: 1, line: 4 },
        { gate: 'unnamed', passed: 1, failed: 0, line: 5 },
      ],
    },
    sections: [
      {
        title: 'Gates',
        table: {
          columns: ['LINE', 'PASSED', 'FAILED', 'GATE'],
          rows: [
            [{ text: '4', tone: 'muted' }, { text: '1' }, { text: '1', tone: 'bad' }, { text: 'lint' }],
            [{ text: '5', tone: 'muted' }, { text: '1' }, { text: '0' }, { text: 'unnamed' }],
          ],
        },
      },
    ],
  });
});

test.each<[string, JsonObject[], object]>([
  [
    'has no event about its work',
    [event(1, 'tool.invoked', { tool: 't' })],
    { status: 'unknown', isOver: false, why: [] },
  ],
  [
    'was cancelled',
    [started(), event(2, 'workflow.cancel', { reason: 'late' })],
    { status: 'cancelled', isOver: true, why: [{ kind: 'cancelled', text: 'late', line: 2 }] },
  ],
  [
    'was cancelled without a word',
    [started(), event(2, 'workflow.cancel', {})],
    { why: [{ kind: 'cancelled', text: 'no reason given' }] },
  ],
  [
    'was cancelled by a trigger, without a reason',
    [started(), event(2, 'workflow.cancel', { trigger: 'cancel' })],
    { why: [{ kind: 'cancelled', text: 'trigger cancel' }] },
  ],
  [
    'was cancelled by two events of which one has the reason',
    [
      started(),
      event(2, 'workflow.cancel', { trigger: 'cancel' }),
      event(3, 'workflow.cancel', { reason: 'late' }),
      event(4, 'workflow.cancel', { trigger: 'cancel' }),
    ],
    { why: [{ kind: 'cancelled', text: 'late', line: 3 }] },
  ],
  [
    'was pruned',
    [
      started(),
      event(2, 'workflow.cancel', { trigger: 'cancel' }),
      event(3, 'workflow.pruned', { stalenessMinutes: 90, triggeredBy: 'manual', skippedSafeguards: ['x'] }),
    ],
    {
      status: 'cancelled',
      isOver: true,
      why: [
        { kind: 'pruned', text: 'no activity for 90 min (manual)', line: 3, facts: [['skipped', ['x']]] },
      ],
    },
  ],
  [
    'was pruned, and nothing says after how long',
    [started(), event(2, 'workflow.pruned', {})],
    { status: 'cancelled', isOver: true, why: [{ kind: 'pruned', text: 'no activity' }] },
  ],
  [
    'was completed without a merge',
    [started(), event(2, 'workflow.cleanup', { mergeVerified: false })],
    { status: 'completed', why: [{ kind: 'cleanup', text: 'completed' }] },
  ],
  [
    'was refused a step, and whose gate has no name',
    [
      started(),
      event(2, 'workflow.guard-failed', { guard: 'plan-approved', from: 'plan', to: 'review' }),
      gate(3, false),
    ],
    {
      status: 'ideate',
      isOver: false,
      why: [
        { kind: 'workflow.guard-failed', text: 'plan-approved', tone: 'doubtful', line: 2 },
        { kind: 'gate failed', text: 'a gate', tone: 'bad', line: 3 },
      ],
    },
  ],
  [
    'has tasks of which little is known',
    [started(), patched(2, { tasks: [{ branch: 'b' }, { id: 'x', status: 'failed', title: 'X' }] })],
    {
      steps: [
        { id: '', status: 'unknown', text: '' },
        { id: 'x', status: 'failed', tone: 'bad', text: 'X' },
      ],
    },
  ],
])('a workflow that %s', async (_, events, expected) => {
  expect(await accountOf(exarchos, events)).toMatchObject(expected);
});

test.each<[string, object, string]>([
  ['workflow.compensation', { actionId: 'drop', status: 'failed', message: 'm' }, 'error m'],
  ['workflow.compensation', { actionId: 'drop', status: 'executed', message: 'm' }, 'ok m'],
  ['workflow.cas-failed', { phase: 'plan', retries: 3 }, 'error 3 retries in phase plan'],
  ['ci.status', { pr: 1, status: 'failing' }, 'error PR 1 failing'],
  ['ci.status', { pr: 1, status: 'pending' }, 'ok'],
  [
    'benchmark.completed',
    { taskId: 't', results: [{ passed: true }, { passed: false }] },
    'error t: 2 results',
  ],
  ['worktree.baseline', { taskId: 't', status: 'failed' }, 'error t failed'],
  ['team.task.completed', { taskId: 't', testsPassed: false }, 'error t, tests failed'],
  ['task.completed', { taskId: 't', evidence: { type: 'test', passed: false } }, 'error t test failed'],
  ['review.completed', { stage: 's', verdict: 'fail' }, 'error s fail'],
  ['review.completed', { stage: 's', verdict: 'blocked' }, 'veto s blocked'],
  ['pr.merged', { prId: '1', merged: false }, 'error 1, not merged'],
  ['quality.regression', { gate: 'lint' }, 'error lint'],
  ['merge.rollback', { reason: 'timeout' }, 'error timeout'],
  ['eval.run.completed', { passed: 1, failed: 0 }, 'ok'],
])('%s %j went %s', (type, data, expected) => {
  const { status, reason } = exarchos.span?.(event(1, type, data)) ?? {};
  expect([status, reason].filter((part) => part !== undefined).join(' ')).toBe(expected);
});

test.each<[string, JsonObject, object]>([
  [
    'a call that begins',
    event(1, 'tool.invoked', { tool: 'view' }),
    { name: 'tool.invoked view', operation: undefined },
  ],
  ['a team that was dissolved', event(1, 'team.disbanded', { totalDurationMs: 10 }), { durationMs: 10 }],
  [
    'a call of a tool that failed',
    event(1, 'tool.errored', { tool: 'view', errorMessage: 'no file', durationMs: 3 }),
    {
      name: 'tool.errored view',
      durationMs: 3,
      status: 'error',
      reason: 'no file',
      operation: { kind: 'tool', tool: 'view' },
    },
  ],
  [
    'a gate that passed',
    event(1, 'gate.executed', { gateName: 'lint', passed: true, duration: 5 }),
    {
      name: 'gate.executed lint',
      durationMs: 5,
      status: 'ok',
      operation: { kind: 'evaluation', name: 'lint', label: 'passed' },
    },
  ],
  [
    'a gate that failed',
    event(1, 'gate.executed', { gateName: 'lint', passed: false }),
    { status: 'error', operation: { label: 'failed' } },
  ],
  [
    'a gate without a verdict',
    event(1, 'gate.executed', { gateName: 'lint' }),
    { status: 'ok', operation: undefined },
  ],
  ['a step', transition(1, 'a', 'b'), { name: 'workflow.transition', status: 'ok' }],
  ['a guard', event(1, 'workflow.guard-failed', { guard: 'g' }), { status: 'veto', reason: 'g' }],
])('when %s was, and how it went', (_, one, expected) => {
  const time = '2026-04-01T10:00:01.000Z';
  const span = exarchos.span?.(one);
  expect(span).toMatchObject({
    [span?.durationMs === undefined ? 'start' : 'end']: time,
    ...expected,
  });
});

test('a task that its team ended is not pending, and the teammate holds it', async () => {
  const given = event(3, 'team.task.assigned', { taskId: 't1', teammateName: 'ann' });
  const account = await accountOf(exarchos, [
    started(),
    event(2, 'task.assigned', { taskId: 't1', title: 'One' }),
    given,
    event(4, 'team.task.completed', { taskId: 't1', teammateName: 'ann' }),
    event(5, 'task.assigned', { taskId: 't2', title: 'Two' }),
    event(6, 'team.task.failed', { taskId: 't2', teammateName: 'bob' }),
  ]);
  expect(account?.steps).toEqual([
    { id: 't1', status: 'complete', tone: 'good', text: 'One, held by ann', line: 4 },
    { id: 't2', status: 'failed', tone: 'bad', text: 'Two', line: 6 },
  ]);
});
