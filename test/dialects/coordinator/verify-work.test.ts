import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { verifyCoordinator } from '../../../src/dialects/coordinator/verify.ts';
import { runHere } from '../../support/in-process.ts';
import { writeTree } from '../../support/temp.ts';
import { brief, verifyEvents } from '../verify-events.ts';
import { complete, dispatch, happened, log, resume, start, wholeTask } from './logs.ts';

const report = (events: readonly JsonObject[], first = start) =>
  verifyEvents(verifyCoordinator, log([first, ...events]));
const found = async (...events: JsonObject[]) => brief(await report(events));

const send = (type: string, task: string, agent: string) =>
  happened(type, { task_id: task, agent_id: agent, files_to_review: [], files_to_audit: [], blocked_by: [] });
const done = (totals: JsonObject = {}) =>
  happened('workflow_complete', { total_tasks: 1, compactions: 0, session_resumes: 0, ...totals });

test.each<[string, JsonObject[], string[]]>([
  ['its developer', [dispatch('1', 'd'), complete('1', 'd')], ['warn order/unaudited 3']],
  [
    'its critic',
    [dispatch('1', 'd'), send('critic_dispatched', '1', 'c'), complete('1', 'c')],
    ['warn order/unaudited 4'],
  ],
  [
    'the developer to whom it was sent first',
    [dispatch('1', 'd'), dispatch('1', 'e'), complete('1', 'd')],
    ['warn order/unaudited 4'],
  ],
  ['another agent, whose dispatch was not logged', [dispatch('1', 'd'), complete('1', 'aud')], []],
  [
    'its developer, after an audit',
    [dispatch('1', 'd'), send('auditor_dispatched', '1', 'a'), complete('1', 'd')],
    ['warn order/unaudited 4'],
  ],
  [
    'its developer, when an audit is asked for again',
    [
      ...wholeTask('1'),
      happened('task_reverification_required', {
        task_id: '1',
        completed_at: 'x',
        last_event_time: 'x',
        time_since_completion_minutes: 1,
      }),
      complete('1', 'dev-1'),
    ],
    ['warn order/unaudited 9'],
  ],
  [
    'its earlier auditor, when an audit is asked for again',
    [
      dispatch('1', 'd'),
      send('auditor_dispatched', '1', 'a'),
      complete('1', 'a'),
      happened('task_reverification_required', {
        task_id: '1',
        completed_at: 'x',
        last_event_time: 'x',
        time_since_completion_minutes: 1,
      }),
      complete('1', 'a'),
    ],
    ['warn order/unaudited 6'],
  ],
  [
    'its auditor, although the critic refused it',
    [
      dispatch('1', 'd'),
      send('critic_dispatched', '1', 'c'),
      happened('critic_fail', { task_id: '1', agent_id: 'c', issues_found: ['x'], required_fixes: ['y'] }),
      send('auditor_dispatched', '1', 'a'),
      complete('1', 'a'),
    ],
    ['info order/unaudited 6'],
  ],
])('a task that is completed by %s', async (_, events, expected) => {
  expect(await found(...events)).toEqual(expected);
});

test('a task that nobody completed is unaudited', async () => {
  const nobody = happened('task_complete', { task_id: '1', evidence_summary: 'x' });
  const { findings } = await report([dispatch('1', 'd'), nobody]);
  expect(findings).toContainEqual(
    expect.objectContaining({
      code: 'order/unaudited',
      message: 'task 1 is completed by nobody, but no auditor was sent to it',
    }),
  );
});

const none = happened('session_start', { plan_file: 'p.md', total_tasks: 0 });

const compaction = [
  happened('compaction_start', { compaction_number: 1, context_remaining: 9 }),
  happened('compaction_complete', { compaction_number: 1, full_reload: false }),
];

test('an end of the workflow that matches the log', async () => {
  const resumed = resume('s1', 's2', { complete: 1 });
  const later = done({ compactions: 1, session_resumes: 1 });
  expect(await found(...wholeTask('1'), ...compaction, resumed, { ...later, session_id: 's2' })).toEqual([]);
});

test.each<[string, JsonObject[], string]>([
  ['an open task', [...wholeTask('1'), dispatch('2', 'd'), done()], 'and not completed: 2'],
  [
    'many open tasks',
    [...[1, 2, 3, 4, 5, 6, 7].map((task) => dispatch(`${task}`, `d${task}`)), done({ total_tasks: 0 })],
    'and not completed: 1, 2, 3, 4, 5 and 2 more',
  ],
  [
    'another total',
    [...wholeTask('1'), done({ total_tasks: 3 })],
    'total_tasks is 3, but the log has 1 complete tasks',
  ],
  ['compactions that were none', [...wholeTask('1'), done({ compactions: 2 })], 'compactions is 2'],
  ['resumes that were none', [...wholeTask('1'), done({ session_resumes: 1 })], 'session_resumes is 1'],
])('an end of the workflow with %s', async (what, events, message) => {
  const { findings } = await report(events, what === 'many open tasks' ? none : start);
  expect(findings).toMatchObject([
    { code: 'projection/totals', severity: 'warn', message: expect.stringContaining(message) },
  ]);
});

test('a recreated log counts from its middle, so totals are not compared', async () => {
  const remade = happened('event_log_reconstructed', { reason: 'x', state_file_timestamp: 'x' });
  const checkpoint = {
    event_type: 'state_checkpoint',
    completed_tasks: ['1'],
    in_progress_tasks: [],
    available_tasks: [],
  };
  expect(await found(remade, checkpoint, done({ total_tasks: 9 }))).not.toContainEqual(
    expect.stringContaining('projection/totals'),
  );
  expect(await found(checkpoint, done())).not.toContainEqual(expect.stringContaining('projection/totals'));
});

const block = happened('infrastructure_blocked', { reported_by: 'd', issue_type: 'net', blocked_tasks: [] });
const restored = happened('infrastructure_restored', { attempts_used: 1, fixes_applied: [] });
const healthy = happened('health_audit_pass', { agent_id: 'h' });
const expert = (type: string, run: string) =>
  happened(type, {
    run_id: run,
    agent_id: 'x',
    agent_type: 'expert',
    from_agent_id: 'd',
    task_id: '1',
    request_type: 'q',
    request_summary: 's',
    duration_seconds: 1,
    confidence_level: 1,
    deliverables_count: 0,
    error_reason: 'e',
    suggested_alternative: 'a',
  });

test.each<[string, JsonObject[], string[]]>([
  [
    'a dispatch while the infrastructure is blocked',
    [block, dispatch('1', 'd')],
    ['info order/while-blocked 3'],
  ],
  ['a dispatch after it was restored', [block, restored, dispatch('1', 'd')], []],
  ['a dispatch after a health audit', [block, healthy, dispatch('1', 'd')], []],
  [
    'a task that waits for one that is not complete',
    [happened('developer_dispatched', { task_id: '2', agent_id: 'd', blocked_by: ['1'] })],
    ['info order/while-blocked 2'],
  ],
  [
    'a task that waits for one that is complete',
    [...wholeTask('1'), happened('developer_dispatched', { task_id: '2', agent_id: 'd', blocked_by: ['1'] })],
    [],
  ],
  [
    'an expert that was never delegated',
    [expert('expert_complete', 'r')],
    ['info order/end-without-start 2'],
  ],
  ['a failure of such an expert', [expert('expert_failed', 'r')], ['info order/end-without-start 2']],
  ['an expert that was delegated', [expert('expert_delegated', 'r'), expert('expert_complete', 'r')], []],
])('%s', async (_, events, expected) => expect(await found(...events)).toEqual(expected));

test('show lists open tasks if the workflow claims to be complete', async () => {
  const of = async (...events: JsonObject[]) => {
    const text = log([start, ...events])
      .map((event) => `${JSON.stringify(event)}\n`)
      .join('');
    const { stdout } = await runHere([
      'show',
      join(writeTree({ 'event-log.jsonl': text }), 'event-log.jsonl'),
      '-j',
    ]);
    const { why, onTheWay = [] } = JSON.parse(stdout) as Record<
      'why' | 'onTheWay',
      { kind: string; text: string }[]
    >;
    return [...why, ...onTheWay].map(({ kind, text: words }) => `${kind}: ${words}`);
  };
  expect(await of(...wholeTask('1'), done())).toEqual(['workflow_complete: every task is complete']);
  expect(await of(...wholeTask('1'), dispatch('2', 'd'), done())).toEqual([
    'workflow_complete: not every task is complete: 2 is in progress',
  ]);
  const many = [1, 2, 3, 4].map((task) => dispatch(`${task}`, `d${task}`));
  expect(await of(...many, done())).toEqual([expect.stringMatching(/3 is in progress and 1 more$/)]);
  const failed = happened('environment_verification_failed', {
    task_id: '1',
    failed_environments: ['ci'],
    error_details: 'no network',
  });
  expect(await of(...wholeTask('1'), failed)).toContain('environment_verification_failed: no network');
});
