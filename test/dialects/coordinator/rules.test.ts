import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/value.ts';
import { RULES } from '../../../src/dialects/coordinator/rules.ts';
import { TYPED_DETAILS } from '../../../src/dialects/coordinator/schema/details.ts';
import { verifyCoordinator } from '../../../src/dialects/coordinator/verify.ts';
import { EVENT_TYPES, IDS } from '../../../src/dialects/coordinator/vocabulary.ts';
import { brief, verifyEvents } from '../verify-events.ts';
import { complete, detailOf, dispatch, happened, log, resume, start, wholeTask } from './logs.ts';

const report = (events: readonly JsonObject[]) => verifyEvents(verifyCoordinator, log(events));
const found = async (...events: JsonObject[]) => brief(await report(events));
const ready = (task: string, agent: string) =>
  happened('developer_ready_for_review', { task_id: task, agent_id: agent, files_modified: [] });
const critic = (task: string, agent: string) =>
  happened('critic_dispatched', { task_id: task, agent_id: agent, files_to_review: [] });
const audit = (task: string, agent: string | null) =>
  happened('auditor_dispatched', { task_id: task, agent_id: agent, files_to_audit: [] });
const rejects = (task: string, agent: string, type = 'auditor_fail') =>
  happened(type, {
    task_id: task,
    agent_id: agent,
    failures: ['x'],
    required_fixes: ['y'],
    pre_existing_failures: ['z'],
  });
const again = (task: string) =>
  happened('task_reverification_required', {
    task_id: task,
    completed_at: 'x',
    last_event_time: 'y',
    time_since_completion_minutes: 1,
  });
const done = (totals: JsonObject = {}) =>
  happened('workflow_complete', { total_tasks: 1, compactions: 0, session_resumes: 0, ...totals });

describe('only an auditor of the task completes it (CO-039)', () => {
  test.each<[string, JsonObject[], number]>([
    ['the developer of another task', [dispatch('1', 'd'), dispatch('2', 'e'), complete('1', 'e')], 4],
    [
      'an agent with only a checkpoint',
      [
        dispatch('1', 'd'),
        happened('developer_checkpoint', { task_id: '1', agent_id: 'x', status: 's', checkpoint: 'c' }),
        complete('1', 'x'),
      ],
      4,
    ],
    ['the critic', [dispatch('1', 'd'), critic('1', 'c'), audit('1', 'a'), complete('1', 'c')], 5],
    [
      'the auditor of another task',
      [dispatch('1', 'd'), dispatch('2', 'e'), audit('2', 'a'), complete('1', 'a')],
      5,
    ],
    [
      'the auditor that rejected it',
      [dispatch('1', 'd'), audit('1', 'a'), rejects('1', 'a'), complete('1', 'a')],
      5,
    ],
    [
      'the auditor that found older failures',
      [dispatch('1', 'd'), audit('1', 'a'), rejects('1', 'a', 'auditor_blocked'), complete('1', 'a')],
      5,
    ],
    [
      'the auditor of the work before',
      [
        dispatch('1', 'd'),
        ready('1', 'd'),
        audit('1', 'a'),
        rejects('1', 'a'),
        dispatch('1', 'd'),
        ready('1', 'd'),
        complete('1', 'a'),
      ],
      8,
    ],
    ['the developer, whoever else audits', [dispatch('1', 'd'), audit('1', 'a'), complete('1', 'd')], 4],
  ])('not %s', async (_, events, line) => {
    expect(await found(start, ...events)).toEqual([`warn order/unaudited ${line}`]);
  });

  test.each<[string, JsonObject[]]>([
    ['the auditor that was sent', [dispatch('1', 'd'), audit('1', 'a'), complete('1', 'a')]],
    ['an agent that the log does not know', [dispatch('1', 'd'), complete('1', 'a')]],
    [
      'somebody, if the dispatch of the auditor names nobody',
      [dispatch('1', 'd'), audit('1', null), complete('1', 'd')],
    ],
    [
      'an auditor that is sent again after it failed',
      [
        dispatch('1', 'd'),
        ready('1', 'd'),
        audit('1', 'a'),
        rejects('1', 'a'),
        dispatch('1', 'd'),
        ready('1', 'd'),
        audit('1', 'a'),
        complete('1', 'a'),
      ],
    ],
    [
      'another auditor than the one that failed',
      [dispatch('1', 'd'), audit('1', 'a'), audit('1', 'b'), rejects('1', 'a'), complete('1', 'b')],
    ],
  ])('but %s', async (_, events) => {
    const others = (await found(start, ...events)).filter((line) => !line.includes('event/payload'));
    expect(others).toEqual([]);
  });

  test('and says why an auditor may not', async () => {
    const { findings } = await report([
      start,
      dispatch('1', 'd'),
      audit('1', 'a'),
      rejects('1', 'a'),
      complete('1', 'a'),
    ]);
    expect(findings[0]?.message).toBe(
      'task 1 is completed by a, but its audit ended with auditor_fail on line 4',
    );
  });
});

describe('work on a complete task needs an event that asks for it (CO-016)', () => {
  test.each<[string, JsonObject]>([
    ['completed again', complete('1', 'aud-1')],
    ['reviewed again', critic('1', 'c2')],
    ['rejected afterwards', rejects('1', 'aud-1')],
    ['handed over again', ready('1', 'dev-1')],
  ])('a task that is %s', async (_, event) => {
    expect(await found(start, ...wholeTask('1'), event)).toEqual(['warn order/redispatched 8']);
    expect(await found(start, ...wholeTask('1'), again('1'), audit('1', 'aud-1'), event)).not.toContainEqual(
      expect.stringContaining('redispatched'),
    );
  });
});

describe('the numbers of the end and of a resume are those of the log (CO-014, CO-052)', () => {
  const messages = async (...events: JsonObject[]) =>
    (await report(events)).findings
      .filter(({ code }) => code === 'projection/totals')
      .map(({ message }) => message);
  const five = happened('session_start', { plan_file: 'p.md', total_tasks: 5 });

  test('a total below that of the start', async () => {
    expect(await messages(five, ...wholeTask('1'), done({ total_tasks: 1 }))).toEqual([
      'total_tasks is 1, but the session started with 5 on line 1',
    ]);
    expect(await messages(five, ...wholeTask('1'), done({ total_tasks: 5 }))).toEqual([
      'total_tasks is 5, but the log has 1 complete tasks',
    ]);
    // After a resume the plan may be another one.
    const resumed = resume('s1', 's2', { complete: 1 });
    const end = { ...done({ total_tasks: 1, session_resumes: 1 }), session_id: 's2' };
    expect(await messages(five, ...wholeTask('1'), resumed, end)).toEqual([]);
  });

  test('a total of another type is said, and switches nothing else off', async () => {
    expect(await found(five, ...wholeTask('1'), done({ total_tasks: '5' }))).toEqual([
      'warn event/field-type 8',
    ]);
    expect((await found(five, dispatch('1', 'd'), done({ total_tasks: '5' }))).toSorted()).toEqual([
      'warn event/field-type 3',
      'warn projection/totals 3',
    ]);
  });

  test.each<[string, JsonObject, string | undefined]>([
    ['right', { open: 1, complete: 1 }, undefined],
    [
      'too many in progress',
      { open: 7, complete: 1 },
      'in_progress_tasks_count is 7, but the log has 0 to 1 tasks in progress before this event',
    ],
    [
      'too many complete',
      { open: 1, complete: 2 },
      'completed_tasks_count is 2, but the log has 0 to 1 complete tasks before this event',
    ],
    ['those of the last save', { open: 0, complete: 0 }, undefined],
  ])('the counts of a resume: %s', async (_, counts, message) => {
    const events = [start, ...wholeTask('1'), dispatch('2', 'd'), resume('s1', 's2', counts)];
    expect(await messages(...events)).toEqual(message === undefined ? [] : [message]);
  });

  test('after a pause the state is that of the pause', async () => {
    const pause = happened('session_pause', { reason: 'limit', remaining_percent: 1, resets_at: 'x' });
    expect(await messages(start, ...wholeTask('1'), pause, resume('s1', 's2', { complete: 1 }))).toEqual([]);
    expect(await messages(start, ...wholeTask('1'), pause, resume('s1', 's2', { complete: 0 }))).toEqual([
      'completed_tasks_count is 0, but the log has 1 complete tasks before this event',
    ]);
  });
});

describe('sessions follow each other (CO-005, CO-006, CO-013, CO-014)', () => {
  const previous = (value: JsonValue) => {
    const event = resume('s1', 's2');
    return { ...event, details: { ...(event['details'] as JsonObject), previous_session_id: value } };
  };
  const pause = happened('session_pause', { reason: 'limit', remaining_percent: 1, resets_at: 'x' });
  const failed = happened('workflow_failed', { reason: 'r', last_state: 's' });
  const check = happened('usage_check', { utilisation: 1, remaining: 2, resets_at: 'x' });

  test.each<[string, JsonObject[], string[]]>([
    ['a resume of a session that is a number', [start, previous(5)], ['warn event/field-type 2']],
    ['a resume of nothing', [start, previous(null)], ['warn lineage/session 2']],
    ['a resume of another log', [start, previous('s0')], ['warn lineage/session 2']],
    ['a resume of the session before', [start, previous('s1')], []],
    ['a second start', [start, start], ['warn order/start-repeated 2']],
    [
      'a second start in another session',
      [start, { ...start, session_id: 's2' }],
      ['warn order/start-repeated 2'],
    ],
    [
      'the old session after a resume',
      [start, resume('s1', 's2'), dispatch('1', 'd')],
      ['warn order/after-terminate 3'],
    ],
    ['work after the workflow failed', [start, failed, dispatch('1', 'd')], ['warn order/after-terminate 3']],
    ['work after a pause', [start, pause, dispatch('1', 'd')], ['warn order/after-terminate 3']],
    ['a check of the usage after a pause', [start, pause, check], []],
    [
      'work after a pause and a resume under the same id',
      [start, pause, { ...resume('s0', 's1') }, dispatch('1', 'd')],
      ['warn lineage/session 3'],
    ],
    [
      'work after a pause in a new session',
      [start, pause, resume('s1', 's2'), { ...dispatch('1', 'd'), session_id: 's2' }],
      [],
    ],
  ])('%s', async (_, events, expected) => expect(await found(...events)).toEqual(expected));
});

describe('events agree with their details and with each other (CO-023, CO-025, CO-042)', () => {
  const verified = (type: string, details: JsonObject) =>
    happened(type, {
      task_id: '1',
      environments_tested: ['ci'],
      all_passed: type.endsWith('passed'),
      failed_environments: type.endsWith('passed') ? [] : ['ci'],
      error_details: 'e',
      ...details,
    });
  const delegated = (agent: string) =>
    happened('expert_delegated', {
      run_id: 'r',
      agent_id: agent,
      agent_type: 't',
      from_agent_id: 'd',
      task_id: '1',
      request_type: 'q',
      request_summary: 's',
    });
  const ended = (agent: string) =>
    happened('expert_complete', {
      run_id: 'r',
      agent_id: agent,
      from_agent_id: 'd',
      task_id: '1',
      duration_seconds: 1,
      confidence_level: 'high',
      deliverables_count: 1,
    });

  test.each<[string, JsonObject[], string[]]>([
    [
      'passed, but not everywhere',
      [verified('environment_verification_passed', { all_passed: false })],
      ['info consistency/verification 2'],
    ],
    ['passed', [verified('environment_verification_passed', {})], []],
    [
      'failed nowhere',
      [verified('environment_verification_failed', { failed_environments: [] })],
      ['info consistency/verification 2'],
    ],
    ['failed', [verified('environment_verification_failed', {})], []],
    ['delegated twice', [delegated('a'), delegated('a')], ['info order/delegation 3']],
    ['ended by another expert', [delegated('a'), ended('b')], ['info order/delegation 3']],
    ['ended twice', [delegated('a'), ended('a'), ended('a')], ['info order/delegation 4']],
    ['delegated and ended', [delegated('a'), ended('a')], []],
  ])('%s', async (_, events, expected) => expect(await found(start, ...events)).toEqual(expected));
});

test('null is a value of an agent and a task in the envelope (CO-008)', async () => {
  const asks = happened('expansion_needs_clarification', { task_id: 't', questions: ['q'], options: ['a'] });
  expect(
    await found(
      start,
      asks,
      happened('coordinator_prays', { task_id: 't', question: 'q' }),
      happened('divine_response_received', { task_id: 't', question: 'q', response: 'r' }),
      happened('task_expanded', { task_id: 't', confidence: 'high', expansion_summary: 's' }),
    ),
  ).toEqual([]);
});

test('a gap in the numbers is a warning, because events are missing or were removed (CO-004)', async () => {
  const events = log([start, ...wholeTask('1'), dispatch('2', 'd')]);
  const cut = events.filter((_, index) => index < 3 || index > 6);
  expect(brief(await verifyEvents(verifyCoordinator, cut))).toContain('warn sequence/gap 4');
});

const CASES = [...EVENT_TYPES].flatMap(([type, { fields }]) =>
  fields.filter((name) => !IDS.includes(name)).map((name): [string, string] => [type, name]),
);

describe('every documented detail has a type (CO-009)', () => {
  test('and none is left out', () => {
    expect(CASES.filter(([, name]) => !TYPED_DETAILS.has(name))).toEqual([]);
    expect(CASES.length).toBeGreaterThan(120);
  });

  test.each(CASES)('%s: %s of another type is said, and null too', async (type, changed) => {
    const spec = EVENT_TYPES.get(type)?.fields ?? [];
    const details = {
      ...Object.fromEntries(spec.map((name) => [name, detailOf(name)])),
      ...(type === 'session_resumed' && { previous_session_id: 's0' }),
    };
    const before = { ...start, session_id: 's0' };
    const opens = type === 'session_start' ? [] : type === 'session_resumed' ? [before] : [start];
    const codes = async (value: JsonValue) =>
      brief(await report([...opens, happened(type, { ...details, [changed]: value })])).filter((line) =>
        /field-type|lineage\/session/.test(line),
      );
    const wrong = [true, 'word', 1.5, [], {}].filter(
      (value) => TYPED_DETAILS.get(changed)?.safeParse(value).success === false,
    );
    expect(wrong.length).toBeGreaterThan(1);
    for (const value of wrong) {
      const lines = await codes(value);
      expect([JSON.stringify(value), ...lines]).toEqual([
        JSON.stringify(value),
        `warn event/field-type ${opens.length + 1}`,
      ]);
    }
    expect(await codes(null)).toHaveLength(changed === 'suggested_alternative' ? 0 : 1);
  });
});

const pauses = happened('session_pause', { reason: 'limit', remaining_percent: 1, resets_at: 'x' });
const compaction = (type: string, number: number) =>
  happened(`compaction_${type}`, { compaction_number: number, context_remaining: 1, full_reload: true });
const block = happened('infrastructure_blocked', { reported_by: 'd', issue_type: 'i', blocked_tasks: [] });
const restored = happened('infrastructure_restored', { attempts_used: 1, fixes_applied: [] });
const expert = (type: string, agent = 'x', more: object = {}) =>
  happened(type, {
    run_id: 'r',
    agent_id: agent,
    agent_type: 't',
    from_agent_id: 'd',
    task_id: '1',
    request_type: 'q',
    request_summary: 's',
    duration_seconds: 1,
    confidence_level: 'high',
    deliverables_count: 1,
    ...more,
  });
const waits = (by: string[]) =>
  happened('developer_dispatched', { task_id: '2', agent_id: 'e', blocked_by: by });
const verifies = (type: string, passed: boolean, failed: string[]) =>
  happened(`environment_verification_${type}`, {
    task_id: '1',
    environments_tested: ['ci'],
    all_passed: passed,
    failed_environments: failed,
    error_details: 'e',
  });
const inSession = (id: string, ...events: JsonObject[]) =>
  events.map((event) => ({ ...event, session_id: id }));

/** For each rule: its finding, logs that break it, and logs that keep it. */
const RULE_CASES: Readonly<Record<string, readonly [string, JsonObject[][], JsonObject[][]]>> = {
  'a session is started or resumed': [
    'order/session-unopened',
    [[dispatch('1', 'd')], [start, ...inSession('s2', dispatch('1', 'd'))]],
    [[start, resume('s1', 's2'), ...inSession('s2', dispatch('1', 'd'))]],
  ],
  'nothing follows the end of a session': [
    'order/after-terminate',
    [
      [start, pauses, dispatch('1', 'd')],
      [start, resume('s1', 's2'), dispatch('1', 'd')],
    ],
    [[start, pauses, resume('s1', 's2'), ...inSession('s2', dispatch('1', 'd'))]],
  ],
  'a plan starts once': ['order/start-repeated', [[start, start]], [[start, resume('s1', 's2')]]],
  'a session resumes an earlier one': [
    'lineage/session',
    [
      [start, resume('s9', 's2')],
      [start, resume('s1', 's1')],
    ],
    [[start, resume('s1', 's2')]],
  ],
  'the counts of a resumed session are right': [
    'projection/totals',
    [
      [start, pauses, resume('s1', 's2', { open: 1 })],
      [start, dispatch('1', 'd'), pauses, resume('s1', 's2', { open: 0 })],
    ],
    [[start, dispatch('1', 'd'), pauses, resume('s1', 's2', { open: 1 })]],
  ],
  'every task that was begun is complete': [
    'projection/totals',
    [[start, ...wholeTask('1'), dispatch('2', 'd'), done()]],
    [[start, ...wholeTask('1'), done()]],
  ],
  'the totals are right': [
    'projection/totals',
    [
      [start, ...wholeTask('1'), done({ total_tasks: 2 })],
      [start, ...wholeTask('1'), done({ total_tasks: 0 })],
      [start, ...wholeTask('1'), done({ compactions: 1 })],
      [start, compaction('start', 1), compaction('complete', 1), ...wholeTask('1'), done()],
    ],
    [[start, ...wholeTask('1'), done()]],
  ],
  'an auditor completes a task': [
    'order/unaudited',
    [[start, dispatch('1', 'd'), complete('1', 'd')]],
    [[start, ...wholeTask('1')]],
  ],
  'no work on a complete task': [
    'order/redispatched',
    [[start, ...wholeTask('1'), dispatch('1', 'd')]],
    [[start, ...wholeTask('1'), again('1'), audit('1', 'b')]],
  ],
  'a task is reviewed after work on it': [
    'order/undispatched',
    [[start, critic('1', 'c')]],
    [[start, dispatch('1', 'd'), critic('1', 'c')]],
  ],
  'a task waits for complete tasks': [
    'order/while-blocked',
    [[start, waits(['1'])]],
    [
      [start, ...wholeTask('1'), waits(['1'])],
      [start, waits([])],
    ],
  ],
  'an agent is sent when it is free': [
    'order/agent-busy',
    [[start, dispatch('1', 'd'), dispatch('2', 'd')]],
    [[start, dispatch('1', 'd'), ready('1', 'd'), dispatch('2', 'd')]],
  ],
  'no work while the infrastructure is blocked': [
    'order/while-blocked',
    [[start, block, dispatch('1', 'd')]],
    [[start, block, restored, dispatch('1', 'd')]],
  ],
  'a compaction ends after its start': [
    'order/end-without-start',
    [
      [start, compaction('complete', 1)],
      [start, compaction('start', 1), compaction('complete', 2)],
    ],
    [[start, compaction('start', 1), compaction('complete', 1)]],
  ],
  'only what is blocked is restored': [
    'order/end-without-start',
    [
      [start, restored],
      [start, block, restored, restored],
    ],
    [[start, block, restored]],
  ],
  'a run of an expert begins once': [
    'order/delegation',
    [[start, expert('expert_delegated'), expert('expert_delegated')]],
    [[start, expert('expert_delegated')]],
  ],
  'a run of an expert ends after its delegation': [
    'order/end-without-start',
    [[start, expert('expert_complete')]],
    [[start, expert('expert_delegated'), expert('expert_complete')]],
  ],
  'the expert of a run ends it, once': [
    'order/delegation',
    [
      [start, expert('expert_delegated'), expert('expert_complete', 'y')],
      [start, expert('expert_delegated'), expert('expert_complete'), expert('expert_complete')],
      [start, expert('expert_delegated'), expert('expert_failed', 'x', { task_id: '2' })],
      [start, expert('expert_delegated'), expert('expert_complete', 'x', { from_agent_id: 'e' })],
    ],
    [[start, expert('expert_delegated'), expert('expert_complete')]],
  ],
  'a verification that passed passed everywhere': [
    'consistency/verification',
    [
      [start, verifies('passed', false, [])],
      [start, verifies('passed', true, ['ci'])],
    ],
    [[start, verifies('passed', true, [])]],
  ],
  'a verification that failed names an environment': [
    'consistency/verification',
    [
      [start, verifies('failed', false, [])],
      [start, verifies('failed', true, ['ci'])],
    ],
    [[start, verifies('failed', false, ['ci'])]],
  ],
};

/** The names of the rules, without the types that they are for. */
const NAMES = [...new Set(RULES.names.map((name) => name.replace(/^[a-z_]+: /, '')))];

test('each rule has cases, and a row in the table of its page', () => {
  expect(Object.keys(RULE_CASES).toSorted()).toEqual(NAMES.toSorted());
  const page = readFileSync('docs/formats/coordinator.md', 'utf8');
  const rows = [...page.matchAll(/^\| ([^|]+) \| ((?:CO-\d{3}|§\d+)[^|]*) \| [^|]+ \|$/gm)];
  expect(rows.map(([, name]) => name ?? '').toSorted()).toEqual(NAMES.toSorted());
});

test.each(Object.entries(RULE_CASES))('the rule is broken and kept: %s', async (_, [code, broken, kept]) => {
  const codes = async (events: JsonObject[]) =>
    (await report(events)).findings.map((finding) => finding.code);
  for (const events of broken) expect(await codes(events)).toContain(code);
  for (const events of kept) expect(await codes(events)).not.toContain(code);
});
