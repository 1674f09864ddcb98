import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { coordinator } from '../../../src/dialects/coordinator/index.ts';
import { accountOf } from '../account-of.ts';
import { complete, dispatch, happened, log, start, wholeTask } from './logs.ts';

const told = (...events: JsonObject[]) => accountOf(coordinator, log(events));

test('shows the tasks of a complete plan with their attempts, and earlier failures', async () => {
  const failed = happened('critic_fail', {
    task_id: '1',
    agent_id: 'crit-1',
    required_fixes: ['names', 'tests'],
  });
  const timed = happened('agent_complete', { task_id: '1', duration_seconds: 1.5 });
  const account = await told(
    start,
    ...wholeTask('1').slice(0, 3),
    failed,
    ...wholeTask('1'),
    timed,
    dispatch('2', 'dev-2'),
    complete('2'),
    happened('workflow_complete'),
  );
  expect(account).toEqual({
    task: 'p.md',
    status: 'complete',
    tone: 'good',
    isOver: true,
    why: [{ kind: 'workflow_complete', text: 'every task is complete', tone: 'good', line: 15 }],
    onTheWay: [
      {
        kind: 'critic_fail',
        text: 'names, tests',
        tone: 'bad',
        line: 5,
        facts: [
          ['task', '1'],
          ['agent', 'crit-1'],
        ],
      },
    ],
    steps: [
      { id: '1', status: 'complete', tone: 'good', text: '2 attempts', durationMs: 1500, line: 12 },
      { id: '2', status: 'complete', tone: 'good', text: '1 attempt', durationMs: undefined, line: 14 },
    ],
  });
});

test('shows who works on a task', async () => {
  expect((await told(start, dispatch('1', 'dev-1')))?.steps).toMatchObject([
    { id: '1', status: 'in_progress', text: '1 attempt, dev-1' },
  ]);
});

test.each<[string, JsonObject[], object]>([
  ['goes on', [start], { status: 'running', isOver: false, why: [] }],
  ['has no event about its work', [happened('usage_check')], { status: 'unknown', isOver: false, why: [] }],
  [
    'is paused without a word',
    [start, happened('session_pause')],
    { status: 'paused', isOver: false, why: [{ kind: 'pause', text: 'no reason given', line: 2 }] },
  ],
  [
    'went on after a pause',
    [start, happened('session_pause', { reason: 'late' }), happened('session_resumed')],
    { status: 'running', isOver: false, why: [] },
  ],
  [
    'failed',
    [start, happened('workflow_failed', { reason: 'no compiler' })],
    {
      status: 'failed',
      tone: 'bad',
      isOver: true,
      why: [{ kind: 'workflow_failed', text: 'no compiler', line: 2 }],
    },
  ],
  [
    'failed for no reason',
    [start, happened('workflow_failed')],
    { status: 'failed', why: [{ kind: 'workflow_failed', text: 'no reason given' }] },
  ],
])('a plan that %s', async (_, events, expected) => {
  expect(await told(...events)).toMatchObject(expected);
});
