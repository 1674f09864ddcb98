import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { CoordinatorProjector } from '../../../src/dialects/coordinator/projection.ts';
import { unaccounted } from '../../support/every-member.ts';
import { runHere } from '../../support/in-process.ts';
import { writeTree } from '../../support/temp.ts';
import { complete, dispatch, happened, log, resume, start, wholeTask } from './logs.ts';

const SAMPLES = 'test/samples/coordinator';

function projectorOf(events: readonly JsonObject[]): CoordinatorProjector {
  const projector = new CoordinatorProjector();
  for (const [index, event] of events.entries()) projector.addEvent(event, index + 1);
  return projector;
}

const read = (name: string): JsonObject[] =>
  readFileSync(join(SAMPLES, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);

/** A log in which each list of a state has a task: 1 is complete, 2 at work, 3 waits for review, 4 for audit. */
const EVENTS = log([
  start,
  ...wholeTask('1'),
  ...[2, 3, 4].map((task) => dispatch(`${task}`, `dev-${task}`)),
  happened('developer_ready_for_review', { task_id: '3', agent_id: 'dev-3', files_modified: [] }),
  happened('developer_ready_for_review', { task_id: '4', agent_id: 'dev-4', files_modified: [] }),
  happened('critic_dispatched', { task_id: '4', agent_id: 'crit-4', files_to_review: [] }),
  happened('critic_fail', { task_id: '4', agent_id: 'crit-4', issues_found: [], required_fixes: [] }),
  happened('critic_pass', { task_id: '4', agent_id: 'crit-4', review_summary: 'ok' }),
  happened('expert_delegated', { run_id: 'x1', agent_id: 'ex', task_id: '2' }),
  happened('expert_complete', { run_id: 'x1', agent_id: 'ex', task_id: '2', duration_seconds: 3 }),
  happened('compaction_start', { compaction_number: 1, context_remaining: 9 }),
  happened('compaction_complete', { compaction_number: 1, full_reload: false }),
  resume('s1', 's2'),
  { ...dispatch('2', 'dev-9'), session_id: 's2' },
]);

const STATE: JsonObject = {
  session_id: 's2',
  session_started_at: '2026-01-17T09:00:20Z',
  previous_session_id: 's1',
  session_resume_count: 1,
  compaction_count: 1,
  saved_at: '2026-01-17T10:00:00Z',
  save_reason: 'compaction',
  plan_file: 'p.md',
  total_tasks: 4,
  completed_tasks: ['1'],
  in_progress_tasks: [
    { task_id: '2', agent_id: 'dev-9', status: 'implementing', dispatched_at: '2026-01-17T09:00:21Z' },
    { task_id: '3', agent_id: null, status: 'awaiting-review' },
    { task_id: '4', status: 'awaiting-audit' },
  ],
  available_tasks: ['5'],
  blocked_tasks: { 6: ['5'] },
  pending_critique: ['3'],
  pending_audit: ['4'],
  active_developers: { 'dev-9': { task_id: '2', dispatched_at: '2026-01-17T09:00:21Z' } },
  active_critics: {},
  active_auditors: {},
  critique_failures: { 4: 1 },
  critic_timeouts: {},
  audit_failures: {},
  expert_stats: { ex: { completions: 1, failures: 0 } },
  infrastructure_blocked: false,
  infrastructure_issue: null,
  remediation_attempt_count: 0,
  active_remediation: null,
};

const compare = (change: JsonObject, events = EVENTS) => projectorOf(events).compare({ ...STATE, ...change });
const different = (change: JsonObject, events = EVENTS) =>
  compare(change, events).differences.map(({ path }) => path);

test('a state that matches the log is equal in every compared part', () => {
  const { differences, not_compared: rest, compared } = compare({});
  expect(differences).toEqual([]);
  expect(compared).toContain('completed_tasks[0]');
  const clock = 'the program reads the clock again when it writes the file';
  const plan = 'only the plan says which tasks are available, and which task waits for which';
  expect(
    rest
      .filter(({ reason }) => reason !== 'state.json does not have it')
      .map(({ path, reason }) => [path, reason]),
  ).toEqual([
    ['available_tasks', plan],
    ['session_started_at', clock],
    ['saved_at', clock],
    ['save_reason', 'not compared by noesis'],
    ['total_tasks', 'after a resume the plan may have other tasks'],
    ['in_progress_tasks[0].dispatched_at', clock],
    ['in_progress_tasks[1].agent_id', 'not compared by noesis'],
    ['blocked_tasks', plan],
    ['active_developers.dev-9.dispatched_at', clock],
  ]);
});

test.each<[string, JsonObject, string[]]>([
  ['emptied', { completed_tasks: [] }, ['completed_tasks[0]']],
  ['a task that was never complete', { completed_tasks: ['1', '2'] }, ['completed_tasks[1]']],
  ['a task twice', { completed_tasks: ['1', '1'] }, ['completed_tasks[1]']],
  ['no list', { completed_tasks: 7 }, ['completed_tasks']],
  ['a map', { completed_tasks: { 1: { completed_at: 'x' } } }, []],
  ['a map that lacks one', { completed_tasks: {} }, ['completed_tasks.1']],
  ['a complete task that is available', { available_tasks: ['1'] }, ['available_tasks[0]']],
  ['rows of available tasks', { available_tasks: { 2: {}, 7: {} } }, ['available_tasks.2']],
  ['another queue', { pending_critique: ['4'] }, ['pending_critique[0]', 'pending_critique[1]']],
  ['another session', { session_id: 's9' }, ['session_id']],
  ['another count of resumes', { session_resume_count: 4 }, ['session_resume_count']],
  ['another count of compactions', { compaction_count: 4 }, ['compaction_count']],
  [
    'another agent',
    { active_developers: { 'dev-1': '2' } },
    ['active_developers.dev-1', 'active_developers.dev-9'],
  ],
  ['an agent without more', { active_developers: { 'dev-9': '2' } }, []],
  ['no map of agents', { active_developers: [] }, ['active_developers']],
  ['other failures', { critique_failures: { 4: 2 } }, ['critique_failures.4']],
  ['other experts', { expert_stats: { ex: 3 } }, ['expert_stats.ex', 'expert_stats.ex.completions']],
  ['a count of nothing left out', { expert_stats: { ex: { completions: 1 } } }, []],
  ['a block that nobody reported', { infrastructure_blocked: true }, ['infrastructure_blocked']],
])('a state with %s', (_, change, expected) => expect(different(change)).toEqual(expected));

test('names the event that the value comes from', () => {
  expect(compare({ completed_tasks: [] }).differences).toEqual([
    { path: 'completed_tasks[0]', projected: '1', evidence: { line: 7 } },
  ]);
});

describe('parts that cannot be compared are named', () => {
  test('changes after the state was saved, with the line of the event', () => {
    const before = compare({ saved_at: '2026-01-17T09:00:05Z', completed_tasks: [], pending_audit: [] });
    expect(before.differences).toEqual([]);
    const saved = 'the state was saved before this event';
    expect(before.not_compared).toContainEqual({ path: 'completed_tasks[0]', reason: saved, line: 7 });
    expect(before.not_compared).toContainEqual({ path: 'pending_audit[0]', reason: saved, line: 15 });
    // Two clocks cannot be compared, so the state counts as saved after all of them.
    expect(different({ saved_at: '2026-01-17T09:00:05', completed_tasks: [] })).toEqual([
      'completed_tasks[0]',
    ]);
    // A day alone has no offset, although it ends like one.
    expect(different({ saved_at: '2026-01-17', completed_tasks: [] })).toEqual(['completed_tasks[0]']);
  });

  test('the session of a state that was rebuilt after a loss', () => {
    const made = compare({ session_id: 'new', previous_session_id: 'recovered', session_resume_count: 0 });
    expect(made.differences).toEqual([]);
    expect(made.not_compared.slice(0, 3).map(({ path }) => path)).toEqual([
      'session_id',
      'previous_session_id',
      'session_resume_count',
    ]);
  });

  test('members that a state lacks and the log does not mention', () => {
    const { differences, not_compared: rest } = projectorOf(log([start])).compare({ completed_tasks: [] });
    expect(differences).toEqual([]);
    expect(rest).toContainEqual({ path: 'pending_audit', reason: 'state.json does not have it' });
    expect(projectorOf(log([start])).compare('forged').differences).toEqual([]);
  });
});

/** A state file that says of tasks and sessions what the log says. */
function stateFor(events: readonly JsonObject[]): JsonObject {
  const { tasks = {}, sessions = [] } = projectorOf(events).result().value as {
    tasks?: Record<string, { status: string; agent?: string; audit_failures?: number }>;
    sessions?: { session_id: string; previous_session_id?: string; plan_file?: string }[];
  };
  const ids = (...statuses: string[]) =>
    Object.keys(tasks).filter((id) => statuses.includes(tasks[id]?.status ?? ''));
  const last = sessions.at(-1);
  return {
    session_id: last?.session_id ?? null,
    previous_session_id: last?.previous_session_id ?? null,
    session_resume_count: sessions.length - 1,
    plan_file: sessions.find(({ plan_file: file }) => file !== undefined)?.plan_file ?? 'unknown',
    saved_at: '2099-01-01T00:00:00Z',
    completed_tasks: ids('complete'),
    pending_critique: ids('awaiting_review'),
    pending_audit: ids('awaiting_audit'),
    audit_failures: Object.fromEntries(
      Object.entries(tasks).flatMap(([id, row]) => (row.audit_failures ? [[id, row.audit_failures]] : [])),
    ),
    active_developers: Object.fromEntries(
      Object.entries(tasks).flatMap(([id, row]) =>
        row.status === 'in_progress' && row.agent ? [[row.agent, { task_id: id, dispatched_at: 'x' }]] : [],
      ),
    ),
  };
}

const blocked = happened('developer_blocked', { task_id: '1', agent_id: 'd', issue_type: 'net' });

test.each<[string, JsonObject[], JsonObject]>([
  ['of every list', EVENTS, STATE],
  [
    'of blocked work',
    log([start, dispatch('1', 'd'), blocked, ...wholeTask('2')]),
    {
      infrastructure_blocked: true,
      infrastructure_issue: 'net',
      completed_tasks: { 2: { completed_at: 'x' } },
      in_progress_tasks: [{ task_id: '1', status: 'blocked', more: { inner: 1 } }],
    },
  ],
  ...['nested-two-sessions.jsonl', 'interrupted-session1.jsonl', 'old-names-2026-01-11.jsonl'].map(
    (name): [string, JsonObject[], JsonObject] => [`of ${name}`, read(name), stateFor(read(name))],
  ),
])('a changed member of a state %s is a difference or is named as not compared', (_, events, state) => {
  const projector = projectorOf(events);
  expect(projector.compare(state).differences).toEqual([]);
  expect(unaccounted(state, (edited) => projector.compare(edited))).toEqual([]);
});

test('project --diff and verify say the same of a forged state', async () => {
  const dir = writeTree({
    'event-log.jsonl': log([start, dispatch('1', 'd'), complete('1')])
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(''),
    'state.json': JSON.stringify({ ...STATE, session_id: 's1', completed_tasks: [] }),
  });
  const diff = await runHere(['project', dir, '--diff', '-j']);
  expect(diff.code).toBe(1);
  const { differences } = JSON.parse(diff.stdout) as { differences: { path: string }[] };
  const verified = JSON.parse((await runHere(['verify', dir, '-f', 'json'])).stdout) as {
    episodes: { findings: { code: string; path?: string }[] }[];
  };
  const found = verified.episodes.flatMap(({ findings }) =>
    findings.filter(({ code }) => code === 'projection/state').map(({ path }) => path),
  );
  expect(found.toSorted()).toEqual(differences.map(({ path }) => path).toSorted());
  expect(found).toContain('completed_tasks[0]');
});

test.each([
  [{ id: 'evil-9-9' }, 'in_progress_tasks[0].id'],
  [{ id: 2 }, undefined],
])('each id of a row is compared, whatever others it has: %j', (more, path) => {
  const [first, ...rest] = STATE['in_progress_tasks'] as JsonObject[];
  const forged = { ...STATE, in_progress_tasks: [{ ...first, ...more }, ...rest] };
  const { differences } = projectorOf(EVENTS).compare(forged);
  expect(differences.map((difference) => difference.path)).toEqual(path === undefined ? [] : [path]);
});

test.each([['s2'], ['forged'], [7]])(
  'a state saved long before its session excuses nothing: %j',
  (session) => {
    const forged = { session_id: session, saved_at: '1970-01-01T00:00:00Z', completed_tasks: [] };
    const paths = compare(forged).differences.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['saved_at', 'completed_tasks[0]']));
  },
);
