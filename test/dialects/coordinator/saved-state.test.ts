import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue } from '../../../src/base/json/value.ts';
import { CoordinatorProjector } from '../../../src/dialects/coordinator/projection.ts';
import { times } from '../../support/length.ts';
import { complete, dispatch, happened, log, start, wholeTask } from './logs.ts';

const SAMPLE = 'test/samples/coordinator/whole-state';
const sampleEvents = readFileSync(`${SAMPLE}/event-log.jsonl`, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as JsonObject);
const sampleState = JSON.parse(readFileSync(`${SAMPLE}/state.json`, 'utf8')) as JsonObject;

function projectorOf(events: readonly JsonObject[]): CoordinatorProjector {
  const projector = new CoordinatorProjector();
  for (const [index, event] of events.entries()) projector.addEvent(event, index + 1);
  return projector;
}

const compare = (state: JsonObject, events: readonly JsonObject[] = sampleEvents) =>
  projectorOf(events).compare(state);

/** The members that no event determines, and why. */
const CLOCK = 'the program reads the clock again when it writes the file';
const OURS = 'not compared by noesis';
const PLAN = 'only the plan says which tasks are available, and which task waits for which';
const NOT_COMPARED: Readonly<Record<string, string>> = {
  session_started_at: CLOCK,
  saved_at: CLOCK,
  save_reason: OURS,
  total_tasks: 'after a resume the plan may have other tasks',
  tokens_remaining_percent: OURS,
  last_usage_check: CLOCK,
  available_tasks: PLAN,
  blocked_tasks: PLAN,
  active_agents: OURS,
  paused_agents: OURS,
  pending_delegation_requests: OURS,
  queued_for_file_conflict: OURS,
  queue_retry_tracker: OURS,
};

test('a state with every documented member equals its log', () => {
  const { differences, not_compared: rest } = compare(sampleState);
  expect(differences).toEqual([]);
  const top = rest.filter(({ path }) => !/[.[]/.test(path)).map(({ path, reason }) => [path, reason]);
  expect(Object.fromEntries(top)).toEqual(NOT_COMPARED);
});

/** Other values for a member: each a forgery of another kind. */
function forgeries(value: JsonValue | undefined): JsonValue[] {
  const others: JsonValue[] = [
    'forged',
    99,
    { forged: 'x' },
    ['forged'],
    typeof value === 'boolean' ? !value : true,
  ];
  return others.filter((other) => JSON.stringify(other) !== JSON.stringify(value));
}

test.each(Object.keys(sampleState).filter((name) => !Object.hasOwn(NOT_COMPARED, name)))(
  'no forged value of %s passes as equal',
  (name) => {
    for (const forged of forgeries(sampleState[name])) {
      const paths = compare({ ...sampleState, [name]: forged }).differences.map(({ path }) => path);
      expect(
        paths.some((path) => path.startsWith(name)),
        JSON.stringify(forged),
      ).toBe(true);
    }
  },
);

test.each<[string, JsonObject, string]>([
  [
    'hash of an expert',
    { experts: [{ ...row('experts'), definition_hash: 'other' }] },
    'experts[0].definition_hash',
  ],
  ['expert more', { experts: [row('experts'), { agent_id: 'exp-9' }] }, 'experts[1]'],
  ['expert less', { experts: [] }, 'experts[0]'],
  [
    'hash of a definition',
    { agent_files_created: { developer: { definition_hash: 'x' } } },
    'agent_files_created.developer.definition_hash',
  ],
  [
    'answer to an open question',
    { pending_divine_questions: [{ ...row('pending_divine_questions'), response: 'a' }] },
    'pending_divine_questions[0].response',
  ],
  [
    'question that nobody asked',
    { pending_divine_questions: [row('pending_divine_questions'), { task_id: 't1', question: 'q' }] },
    'pending_divine_questions[1]',
  ],
  [
    'task of a delegation',
    { active_experts: { r2: { agent_id: 'exp-1', task_id: 't9' } } },
    'active_experts.r2.task_id',
  ],
  [
    'delegation that is over',
    { active_experts: { r1: {}, r2: { agent_id: 'exp-1', task_id: 't2' } } },
    'active_experts.r1',
  ],
  ['task of an analyst', { active_business_analysts: { 'ba-1': 't1' } }, 'active_business_analysts.ba-1'],
  ['expansion that was not made', { expanded_tasks: { t6: { confidence: 'high' } } }, 'expanded_tasks.t6'],
  ['agent that repairs', { active_remediation: 'rem-2' }, 'active_remediation'],
  ['agent that repairs left out', { active_remediation: null }, 'active_remediation'],
])('another %s is a difference', (_, change, path) => {
  expect(compare({ ...sampleState, ...change }).differences.map((one) => one.path)).toContain(path);
});

function row(name: string): JsonObject {
  const [first] = sampleState[name] as JsonObject[];
  return first ?? {};
}

const held: readonly [string, string, string, JsonObject[]][] = [
  [
    'active_developers',
    'dev-b',
    'implementing',
    [happened('infrastructure_blocked', { reported_by: 'dev-b', issue_type: 'db', blocked_tasks: ['b'] })],
  ],
  [
    'active_developers',
    'dev-b',
    'implementing',
    [happened('developer_blocked', { task_id: 'b', agent_id: 'dev-b', issue_type: 'db' })],
  ],
  [
    'active_developers',
    'dev-b',
    'implementing',
    [happened('agent_seeks_guidance', { task_id: 'b', agent_id: 'dev-b', question: 'q', options: [] })],
  ],
  [
    'active_developers',
    'dev-b',
    'awaiting-divine-guidance',
    [happened('developer_incomplete', { task_id: 'b', agent_id: 'dev-b', escalate: true })],
  ],
  [
    'active_critics',
    'crit-b',
    'awaiting-review',
    [
      happened('developer_ready_for_review', { task_id: 'b', agent_id: 'dev-b', files_modified: [] }),
      happened('critic_dispatched', { task_id: 'b', agent_id: 'crit-b', files_to_review: [] }),
      happened('critic_timeout', { task_id: 'b', agent_id: 'crit-b', timeout_ms: 1, attempt_number: 1 }),
    ],
  ],
  [
    'active_auditors',
    'aud-b',
    'awaiting-audit',
    [
      happened('auditor_dispatched', { task_id: 'b', agent_id: 'aud-b', files_to_audit: [] }),
      happened('auditor_blocked', { task_id: 'b', agent_id: 'aud-b', pre_existing_failures: ['x'] }),
    ],
  ],
];

test.each(held)('%s may still have %s when its task is held, because the program keeps it', (...of) => {
  const [name, agent, status, rest] = of;
  const events = log([start, dispatch('b', 'dev-b'), ...rest]);
  const state = (listed: string, task: string) => ({
    session_id: 's1',
    saved_at: '2099-01-01T00:00:00Z',
    in_progress_tasks: [{ task_id: 'b', status }],
    pending_critique: [],
    [name]: { [listed]: { task_id: task } },
  });
  const pathsOf = (listed: string, task: string) =>
    compare(state(listed, task), events).differences.map(({ path }) => path);
  expect(pathsOf(agent, 'b')).toEqual([]);
  expect(pathsOf(agent, 'c')).toEqual([`${name}.${agent}.task_id`]);
  expect(pathsOf('somebody', 'b')).toEqual([`${name}.somebody`]);
});

test('an agent that went on, or whose session is over, is no longer listed', () => {
  const ready = happened('developer_ready_for_review', {
    task_id: 'b',
    agent_id: 'dev-b',
    files_modified: [],
  });
  const events = log([start, dispatch('b', 'dev-b'), ...(held[0]?.[3] ?? []), ready]);
  const state = { session_id: 's1', saved_at: '2099-01-01T00:00:00Z', active_developers: { 'dev-b': {} } };
  expect(compare(state, events).differences.map(({ path }) => path)).toEqual(['active_developers.dev-b']);
});

test('an answered question may stay with its answer, or be removed', () => {
  const answer = (response: string) =>
    happened('divine_response_received', { agent_id: 'dev-5', task_id: 't5', question: 'which?', response });
  const events = log([...sampleEvents, answer('b')]);
  const saved = { ...sampleState, saved_at: '2099-01-01T00:00:00Z', session_id: 's1' };
  const paths = (questions: JsonValue) =>
    compare({ ...saved, pending_divine_questions: questions }, events)
      .differences.map(({ path }) => path)
      .filter((path) => path.startsWith('pending_divine'));
  expect(paths([])).toEqual([]);
  expect(paths([{ ...row('pending_divine_questions'), response: 'b' }])).toEqual([]);
  expect(paths([{ ...row('pending_divine_questions'), response: 'a' }])).toHaveLength(1);
});

/** The state that a coordinator saves after these events, with every member that events determine. */
function stateAfter(events: readonly JsonObject[]): JsonObject {
  const { tasks, experts, infrastructure, guidance } = projectorOf(events).result().value as {
    tasks: Record<
      string,
      { status: string; agent?: string; attempts: number; reverifications?: number } & JsonObject
    >;
    experts: Record<string, { completions: number; failures: number; active_runs: string[] } & JsonObject>;
    infrastructure: {
      blocked: boolean;
      issue: JsonValue;
      remediation: { attempt: number; agent?: string } | null;
    };
    guidance: JsonObject[];
  };
  const rows = Object.entries(tasks);
  const ids = (...statuses: string[]) =>
    rows.filter(([, task]) => statuses.includes(task.status)).map(([id]) => id);
  const at = (status: string) =>
    Object.fromEntries(
      rows.flatMap(([id, task]) =>
        task.status === status && task.agent !== undefined ? [[task.agent, { task_id: id }]] : [],
      ),
    );
  const counts = (name: string) =>
    Object.fromEntries(
      rows.flatMap(([id, task]) => (task[name] === undefined ? [] : [[id, task[name] as JsonValue]])),
    );
  const WORDS: Record<string, string> = {
    in_progress: 'implementing',
    awaiting_review: 'awaiting-review',
    in_review: 'awaiting-review',
    awaiting_audit: 'awaiting-audit',
    in_audit: 'awaiting-audit',
    awaiting_guidance: 'awaiting-divine-guidance',
    blocked: 'blocked',
  };
  const ofType = (type: string) => events.filter((event) => event['event_type'] === type);
  const last = events.at(-1);
  return {
    session_id: last?.['session_id'] ?? null,
    saved_at: last?.['timestamp'] ?? null,
    compaction_count: ofType('compaction_complete').length,
    completed_tasks: ids('complete'),
    in_progress_tasks: rows
      .filter(([, task]) => WORDS[task.status] !== undefined && task.attempts > 0)
      .map(([id, task]) => ({
        task_id: id,
        status: WORDS[task.status] ?? '',
        ...(task.agent && { agent_id: task.agent }),
      })),
    pending_critique: ids('awaiting_review'),
    pending_audit: ids('awaiting_audit'),
    active_developers: at('in_progress'),
    active_critics: at('in_review'),
    active_auditors: at('in_audit'),
    critique_failures: counts('critique_failures'),
    critic_timeouts: counts('critic_timeouts'),
    audit_failures: counts('audit_failures'),
    infrastructure_blocked: infrastructure.blocked,
    infrastructure_issue: infrastructure.issue,
    remediation_attempt_count: infrastructure.remediation?.attempt ?? 0,
    active_remediation: infrastructure.remediation?.agent ?? null,
    experts: Object.keys(experts).filter((id) => experts[id]?.['created_at'] !== undefined),
    expert_stats: Object.fromEntries(
      Object.entries(experts)
        .filter(([, expert]) => expert.completions + expert.failures > 0)
        .map(([id, { completions, failures }]) => [id, { completions, failures }]),
    ),
    active_experts: Object.fromEntries(
      Object.entries(experts).flatMap(([id, expert]) =>
        expert.active_runs.map((run) => [run, { agent_id: id }]),
      ),
    ),
    pending_divine_questions: guidance
      .filter(({ response }) => response === null)
      .map(({ task, question }) => ({ task_id: task ?? null, question: question ?? null, response: null })),
    agent_files_created: Object.fromEntries(
      ofType('agent_definition_created').map(({ details }) => [
        String(isObject(details) ? details['agent_type'] : ''),
        { definition_hash: (isObject(details) ? details['definition_hash'] : null) ?? null },
      ]),
    ),
    pending_expansions: Object.fromEntries(
      rows.flatMap(([id, { expansion }]) =>
        isObject(expansion) && expansion['status'] === 'pending' ? [[id, expansion['agent'] ?? null]] : [],
      ),
    ),
    task_quality_assessed: ofType('task_quality_assessment').length > 0,
    session_remaining: lastDetail(events, 'usage_check', 'remaining'),
  };
}

function lastDetail(events: readonly JsonObject[], type: string, name: string): JsonValue {
  const event = events.findLast((one) => one['event_type'] === type);
  return isObject(event?.['details']) ? (event['details'][name] ?? null) : null;
}

/** Steps of a plan in which every part of a state changes. */
const STEPS: readonly JsonObject[][] = [
  wholeTask('a'),
  [
    dispatch('b', 'dev-b'),
    happened('developer_checkpoint', { task_id: 'b', agent_id: 'dev-b', status: 'x', checkpoint: 'y' }),
  ],
  [happened('developer_ready_for_review', { task_id: 'b', agent_id: 'dev-b', files_modified: [] })],
  [happened('critic_dispatched', { task_id: 'b', agent_id: 'crit-b', files_to_review: [] })],
  [happened('critic_fail', { task_id: 'b', agent_id: 'crit-b', issues_found: [], required_fixes: [] })],
  [happened('critic_timeout', { task_id: 'b', agent_id: 'crit-b', timeout_ms: 1, attempt_number: 1 })],
  [happened('auditor_dispatched', { task_id: 'b', agent_id: 'aud-b', files_to_audit: [] })],
  [happened('auditor_fail', { task_id: 'b', agent_id: 'aud-b', failures: [], required_fixes: [] })],
  [complete('b', 'aud-b')],
  [happened('infrastructure_blocked', { reported_by: 'dev-b', issue_type: 'db', blocked_tasks: [] })],
  [
    happened('remediation_dispatched', {
      agent_id: 'rem',
      issue_type: 'db',
      issue_details: 'x',
      attempt_number: 1,
    }),
  ],
  [happened('remediation_complete', { agent_id: 'rem', fixes_applied: [], summary: 's' })],
  [happened('infrastructure_restored', { attempts_used: 1, fixes_applied: [] })],
  [
    happened('expert_created', {
      agent_id: 'ex',
      agent_type: 't',
      name: 'n',
      domain: 'd',
      definition_hash: 'h',
    }),
  ],
  [happened('expert_delegated', { run_id: 'r', agent_id: 'ex', task_id: 'b', from_agent_id: 'dev-b' })],
  [happened('expert_complete', { run_id: 'r', agent_id: 'ex', task_id: 'b', duration_seconds: 1 })],
  [happened('agent_seeks_guidance', { task_id: 'c', agent_id: 'dev-c', question: 'q', options: [] })],
  [happened('divine_response_received', { task_id: 'c', agent_id: 'dev-c', question: 'q', response: 'r' })],
  [happened('business_analyst_dispatched', { task_id: 'e', agent_id: 'ba', missing_criteria: [] })],
  [happened('task_expanded', { task_id: 'e', agent_id: 'ba', confidence: 'high', expansion_summary: 's' })],
  [happened('agent_definition_created', { agent_type: 'critic', definition_hash: 'h' })],
  [
    happened('task_quality_assessment', {
      implementable_count: 1,
      needs_expansion_count: 0,
      needs_clarification_count: 0,
    }),
  ],
  [happened('usage_check', { utilisation: 1, remaining: 99, resets_at: 'unknown' })],
  [
    happened('compaction_start', { compaction_number: 1, context_remaining: 9 }),
    happened('compaction_complete', { compaction_number: 1, full_reload: false }),
  ],
];

test('a state that was saved before the log went on is never blamed, whatever came then', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 14 }),
      fc.nat(),
      (steps, cut) => {
        const events = log([start, ...steps.flat()]);
        const at = 1 + (cut % events.length);
        const state = stateAfter(events.slice(0, at));
        const { differences } = compare(state, events);
        expect(differences.map(({ path }) => [events[at - 1]?.['event_type'] ?? '', path])).toEqual([]);
      },
    ),
    { numRuns: times(600, 200) },
  );
});

test('docs/limits.md names every member that is not compared', () => {
  const page = readFileSync('docs/limits.md', 'utf8');
  const [, named = ''] = /\n- \*\*All of a workflow's state\.\*\*([\s\S]*?)\n- \*\*/.exec(page) ?? [];
  const names = [...named.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name ?? '');
  expect(Object.keys(NOT_COMPARED).filter((name) => !names.includes(name))).toEqual([]);
});
