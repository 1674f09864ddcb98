import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { coordinator } from '../../../src/dialects/coordinator/index.ts';
import { verifyCoordinator } from '../../../src/dialects/coordinator/verify.ts';
import { EVENT_TYPES } from '../../../src/dialects/coordinator/vocabulary.ts';
import { selectLines } from '../../../src/read/select/select.ts';
import { tempFile } from '../../support/temp.ts';
import { brief, verifyEvents } from '../verify-events.ts';
import { complete, detailOf, dispatch, happened, log, project, resume, start, wholeTask } from './logs.ts';

// The statements of the documents about a coordinator's log.

const findings = async (events: readonly JsonObject[]) =>
  brief(await verifyEvents(verifyCoordinator, log(events)));

/** The findings about the shape of one event, after the start of a session. */
const ofEvent = async (event: JsonObject) =>
  (await findings([start, dispatch('1-1-1', 'd'), event])).filter((text) => text.includes(' event/'));

/** The findings about an event of a type without one of its members. */
async function without(key: string): Promise<string[]> {
  const events = log([start, ...wholeTask('1')]);
  const { [key]: _, ...rest } = events[1] as JsonObject;
  return brief(await verifyEvents(verifyCoordinator, events.with(1, rest)));
}

const tasks = (...events: JsonObject[]) => project(log([start, ...events])).value['tasks'];
const infrastructure = (...events: JsonObject[]) => project(log([start, ...events])).value['infrastructure'];

/** Every type with the details that the documents give it. */
const DETAILS: Readonly<Record<string, string>> = {
  'CO-013 session_start': 'plan_file total_tasks',
  'CO-014 session_resumed':
    'previous_session_id state_saved_at in_progress_tasks_count pending_audit_count completed_tasks_count',
  'CO-015 task_restarted_on_resume': 'previous_status reason',
  'CO-016 task_reverification_required': 'completed_at last_event_time time_since_completion_minutes',
  'CO-017 session_pause': 'reason remaining_percent resets_at',
  'CO-018 usage_check': 'utilisation remaining resets_at',
  'CO-019 compaction_start': 'compaction_number context_remaining',
  'CO-019 compaction_complete': 'compaction_number full_reload',
  'CO-020 agent_definition_created': 'agent_type definition_hash',
  'CO-021 expert_created':
    'agent_id agent_type name domain capabilities keyword_triggers request_types definition_hash',
  'CO-022 expert_request_received': 'from_agent_id from_agent_type task_id expert_name question_summary',
  'CO-023 expert_delegated': 'run_id agent_id agent_type from_agent_id task_id request_type request_summary',
  'CO-024 delegation_queued': 'request_id agent_id from_agent_id task_id request_type queue_position',
  'CO-025 expert_complete':
    'run_id agent_id from_agent_id task_id duration_seconds confidence_level deliverables_count',
  'CO-026 expert_failed': 'run_id agent_id from_agent_id task_id error_reason',
  'CO-026 expert_out_of_scope': 'run_id agent_id from_agent_id task_id suggested_alternative',
  'CO-027 delegation_results_delivered': 'agent_id from_agent_id task_id request_type',
  'CO-028 developer_dispatched': 'task_id agent_id blocked_by',
  'CO-029 developer_checkpoint': 'task_id agent_id status checkpoint',
  'CO-030 developer_ready_for_review': 'task_id agent_id files_modified',
  'CO-031 developer_blocked': 'task_id agent_id issue_type issue_details',
  'CO-032 developer_incomplete': 'task_id agent_id blocker attempted needed attempt_number escalate',
  'CO-033 signal_rejected': 'task_id agent_id signal_type reason missing_environments',
  'CO-034 critic_dispatched': 'task_id agent_id files_to_review',
  'CO-035 critic_pass': 'task_id agent_id review_summary',
  'CO-036 critic_fail': 'task_id agent_id issues_found required_fixes',
  'CO-037 critic_timeout': 'task_id agent_id timeout_ms attempt_number',
  'CO-038 auditor_dispatched': 'task_id agent_id files_to_audit',
  'CO-039 task_complete': 'task_id agent_id evidence_summary',
  'CO-040 auditor_fail': 'task_id agent_id failures required_fixes',
  'CO-041 auditor_blocked': 'task_id agent_id pre_existing_failures',
  'CO-042 environment_verification_passed': 'task_id environments_tested all_passed',
  'CO-042 environment_verification_failed': 'task_id failed_environments error_details',
  'CO-043 remediation_dispatched': 'agent_id issue_type issue_details attempt_number',
  'CO-043 remediation_complete': 'agent_id fixes_applied summary',
  'CO-043 remediation_failed': 'agent_id reason attempt_number',
  'CO-044 health_audit_dispatched': 'agent_id attempt_number',
  'CO-044 health_audit_pass': 'agent_id',
  'CO-044 health_audit_fail': 'agent_id failures',
  'CO-044 health_audit_unexpected': 'agent_id attempt_number response_summary',
  'CO-045 remediation_exhausted': 'attempt_count issue_type escalation_required',
  'CO-046 infrastructure_blocked': 'reported_by issue_type blocked_tasks',
  'CO-047 infrastructure_restored': 'attempts_used fixes_applied',
  'CO-048 agent_seeks_guidance': 'agent_id task_id question options',
  'CO-048 agent_resumes_with_guidance': 'agent_id task_id guidance_summary',
  'CO-049 coordinator_prays': 'agent_id task_id question',
  'CO-049 divine_response_received': 'agent_id task_id question response',
  'CO-050 task_quality_assessment': 'implementable_count needs_expansion_count needs_clarification_count',
  'CO-051 business_analyst_dispatched': 'task_id agent_id missing_criteria',
  'CO-051 task_expanded': 'task_id confidence expansion_summary',
  'CO-051 expansion_needs_clarification': 'task_id questions options',
  'CO-052 workflow_complete': 'total_tasks compactions session_resumes',
  'CO-052 workflow_failed': 'reason last_state',
};

const TYPES = Object.entries(DETAILS).map(([title, fields]) => {
  const [statement = '', type = ''] = title.split(' ');
  return { statement, type, fields: fields.split(' ') };
});

describe('the details of each type', () => {
  test('CO-007: the types are these 53, and the tool lists them with their details', async () => {
    expect(TYPES).toHaveLength(53);
    const listed = (await coordinator.eventTypes?.()) ?? [];
    for (const { type, fields } of TYPES) {
      const entry = listed.find((one) => one.type === type);
      expect([...(entry?.fields ?? [])].sort(), type).toEqual([...fields].sort());
    }
  });

  test.each(TYPES)('$statement: $type has its details, and each is missed', async ({ type, fields }) => {
    const values = Object.fromEntries(
      fields.map((name) => [name, name === 'task_id' ? '1-1-1' : detailOf(name)]),
    );
    const whole = happened(type, { ...values, agent_id: 'x', task_id: '1-1-1' });
    expect((await ofEvent(whole)).filter((text) => !text.startsWith('info'))).toEqual([]);
    for (const field of fields) {
      if (field === 'task_id' || field === 'agent_id') continue;
      const { [field]: _, ...rest } = whole['details'] as JsonObject;
      expect(await ofEvent({ ...whole, details: rest }), field).toEqual(['warn event/payload 3']);
    }
  });
});

describe('log and record', () => {
  test('CO-001: a line is one object, and anything else is an error', async () => {
    expect(coordinator.logFiles(['event-log.jsonl', 'state.json'])).toEqual(['event-log.jsonl']);
    expect(await findings([start, ...wholeTask('1')])).toEqual([]);
  });

  test('CO-002: each operation is one line, and each line is counted', async () => {
    const report = await verifyEvents(verifyCoordinator, log([start, ...wholeTask('1')]));
    expect(report.events).toBe(7);
  });

  test('CO-003: a time is a text in ISO 8601', async () => {
    const at = (timestamp: unknown) => ofEvent({ ...dispatch('2', 'e'), timestamp } as JsonObject);
    expect(await at('2026-01-17T09:00:02.123456')).toEqual([]);
    expect(await at('soon')).toEqual(['error event/timestamp 3']);
    expect(await at(5)).toEqual(['error event/wrong-type 3']);
  });

  test('CO-004: a sequence is an integer; a missing one is info', async () => {
    expect(await ofEvent({ ...dispatch('2', 'e'), sequence: 1.5 })).toEqual(['warn event/wrong-type 3']);
    expect(await without('sequence')).toContain('info event/missing-field 2');
    expect(await ofEvent({ ...dispatch('2', 'e'), sequence: null })).toEqual(['info event/missing-field 3']);
  });

  test.each([undefined, null, ''])('CO-005: without a session (%j) an event is wrong', async (session) => {
    const event = { ...dispatch('2', 'e'), session_id: session } as JsonObject;
    expect((await ofEvent(event)).some((text) => text.startsWith('error event/'))).toBe(true);
  });

  test('CO-006: a filter by session selects only its events, and a resume joins sessions', async () => {
    const events = log([
      start,
      { ...resume('s1', 's2'), session_id: 's2' },
      { ...dispatch('1', 'd'), session_id: 's2' },
    ]);
    const path = tempFile(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    const filters = { phases: [], types: [], agents: [], own: [{ name: 'session', values: ['s2'] }] };
    const { lines } = await selectLines(path, { filters }, coordinator);
    expect(Array.from({ length: lines.length }, (_, index) => lines.line(index))).toEqual([2, 3]);
    expect(project(events).value['sessions']).toMatchObject([
      { session_id: 's1' },
      { session_id: 's2', previous_session_id: 's1' },
    ]);
  });

  test('CO-007: a type that is in no document is a warning', async () => {
    expect(await ofEvent(happened('task_compleeted'))).toEqual(['warn event/unknown-type 3']);
  });

  test('CO-008: agent and task are texts or null; a missing key is info', async () => {
    expect(
      await ofEvent(happened('session_pause', { reason: 'x', remaining_percent: 1, resets_at: 'y' })),
    ).toEqual([]);
    expect(await ofEvent({ ...dispatch('2', 'e'), agent_id: 5 })).toEqual(['warn event/wrong-type 3']);
    const { agent_id: _, ...rest } = happened('usage_check', {
      utilisation: 1,
      remaining: 2,
      resets_at: 'u',
    });
    expect(await ofEvent(rest)).toEqual(['info event/missing-field 3']);
  });

  test('CO-009: details are an object; null is info, another type a warning', async () => {
    const pass = happened('health_audit_pass', { agent_id: 'h' });
    expect(await ofEvent({ ...pass, details: {} })).toEqual([]);
    expect(await ofEvent({ ...pass, details: null })).toEqual(['info event/missing-field 3']);
    expect(await ofEvent({ ...pass, details: [] })).toEqual(['warn event/wrong-type 3']);
  });

  test('CO-004, CO-008, CO-009: missing members are reported once per log', async () => {
    const bare = log([start, ...wholeTask('1')]).map(({ sequence: _, ...rest }) => rest);
    const report = await verifyEvents(verifyCoordinator, bare);
    expect(brief(report)).toEqual(['info event/missing-field 1']);
    expect(report.findings[0]?.message).toMatch(/^sequence is missing in 7 events/);
  });

  test('CO-008, CO-009: a member that the envelope lacks is not also reported as missing in the details', async () => {
    const { agent_id: _, ...nobody } = dispatch('2', 'e');
    expect(await ofEvent(nobody as JsonObject)).toEqual(['info event/missing-field 3']);
    expect(await ofEvent({ ...dispatch('2', 'e'), details: null })).toEqual(['info event/missing-field 3']);
    expect(await ofEvent({ ...dispatch('2', 'e'), details: {} })).toEqual(['warn event/payload 3']);
  });

  test('CO-012: ids may be in either place, and contradicting ones are reported', async () => {
    const inside: JsonObject = {
      event_type: 'developer_dispatched',
      details: { task_id: '2', agent_id: 'e', blocked_by: [] },
    };
    expect(await ofEvent(inside)).toEqual([]);
    expect(tasks(inside)).toMatchObject({ 2: { status: 'in_progress', agent: 'e' } });
    const both = { ...dispatch('2', 'e'), details: { task_id: '3', blocked_by: [] } };
    expect(await ofEvent(both)).toEqual(['warn event/conflict 3']);
  });
});

describe('sessions', () => {
  test('CO-013: a session opens with its plan', () => {
    expect(project(log([start])).value['sessions']).toMatchObject([
      { opened_by: 'session_start', plan_file: 'p.md', total_tasks: 1 },
    ]);
  });

  test('CO-014: a resumed session names one before it', async () => {
    expect(await findings([start, resume('s1', 's2')])).toEqual([]);
    expect(await findings([start, resume('s9', 's2')])).toEqual(['warn lineage/session 2']);
  });

  test('CO-015: a restarted task is available again', () => {
    const restarted = happened('task_restarted_on_resume', {
      task_id: '1',
      previous_status: 'implementing',
      reason: 'x',
    });
    expect(tasks(dispatch('1', 'd'), restarted)).toMatchObject({ 1: { status: 'available', restarts: 1 } });
  });

  test('CO-016: a completed task may need a new audit', () => {
    const again = happened('task_reverification_required', { task_id: '1' });
    expect(tasks(...wholeTask('1'), again)).toMatchObject({ 1: { status: 'awaiting_audit' } });
  });

  test('CO-017: a pause ends the session for now', () => {
    expect(project(log([start, happened('session_pause', {})])).value['sessions']).toMatchObject([
      { end: 'paused' },
    ]);
  });

  test('CO-019: a compaction is complete when one of its number had started', async () => {
    const at = (type: string, number: number) =>
      happened(type, { compaction_number: number, context_remaining: 1, full_reload: true });
    const pairs = async (...events: JsonObject[]) =>
      (await findings([start, ...events])).filter((text) => text.includes('end-without-start'));
    expect(await pairs(at('compaction_start', 1), at('compaction_complete', 1))).toEqual([]);
    expect(await pairs(at('compaction_start', 1), at('compaction_complete', 2))).toEqual([
      'info order/end-without-start 3',
    ]);
  });
});

describe('tasks', () => {
  const standing = (...events: JsonObject[]) => tasks(dispatch('1', 'd'), ...events);

  test.each([
    ['CO-028', [], 'in_progress'],
    ['CO-030', [happened('developer_ready_for_review', { task_id: '1' })], 'awaiting_review'],
    ['CO-031', [happened('developer_blocked', { task_id: '1', issue_type: 'lint' })], 'blocked'],
    ['CO-032', [happened('developer_incomplete', { task_id: '1', escalate: true })], 'awaiting_guidance'],
    ['CO-034', [happened('critic_dispatched', { task_id: '1', agent_id: 'c' })], 'in_review'],
    ['CO-035', [happened('critic_pass', { task_id: '1' })], 'awaiting_audit'],
    ['CO-036', [happened('critic_fail', { task_id: '1' })], 'in_progress'],
    ['CO-037', [happened('critic_timeout', { task_id: '1' })], 'awaiting_review'],
    ['CO-038', [happened('auditor_dispatched', { task_id: '1', agent_id: 'a' })], 'in_audit'],
    ['CO-039', [complete('1')], 'complete'],
    ['CO-040', [happened('auditor_fail', { task_id: '1' })], 'in_progress'],
    ['CO-041', [happened('auditor_blocked', { task_id: '1', pre_existing_failures: ['x'] })], 'blocked'],
    [
      'CO-048',
      [happened('agent_seeks_guidance', { task_id: '1', agent_id: 'd', question: '?' })],
      'awaiting_guidance',
    ],
  ])('%s sets the status of a task', (_, events, status) => {
    expect(standing(...events)).toMatchObject({ 1: { status } });
  });

  test('CO-039: only task_complete completes a task', () => {
    const others = [...EVENT_TYPES.keys()].filter(
      (type) => type !== 'task_complete' && type !== 'state_checkpoint',
    );
    for (const type of others)
      expect(standing(happened(type, { task_id: '1', agent_id: 'x' })), type).not.toMatchObject({
        1: { status: 'complete' },
      });
  });

  test('CO-046, CO-047: a block halts the tasks it names, and is lifted again', () => {
    const block = happened('infrastructure_blocked', {
      reported_by: 'd',
      issue_type: 'lint',
      blocked_tasks: ['1'],
    });
    const restored = happened('infrastructure_restored', { attempts_used: 1, fixes_applied: [] });
    expect(infrastructure(block)).toMatchObject({ blocked: true, issue: 'lint', reported_by: 'd' });
    expect(standing(block)).toMatchObject({ 1: { status: 'blocked' } });
    expect(infrastructure(block, restored)).toMatchObject({ blocked: false, issue: null });
    expect(standing(block, restored)).toMatchObject({ 1: { status: 'in_progress' } });
  });

  test('CO-048, CO-049: a question is asked, passed on and answered, and the work continues', () => {
    const question = { task_id: '1', agent_id: 'd', question: 'clamp?' };
    const value = project(
      log([
        start,
        dispatch('1', 'd'),
        happened('agent_seeks_guidance', question),
        happened('coordinator_prays', question),
        happened('divine_response_received', { ...question, response: 'reject' }),
        happened('agent_resumes_with_guidance', { task_id: '1', agent_id: 'd', guidance_summary: 'reject' }),
      ]),
    ).value;
    expect(value['guidance']).toMatchObject([{ question: 'clamp?', response: 'reject' }]);
    expect(value['tasks']).toMatchObject({ 1: { status: 'in_progress' } });
  });

  test('CO-052: a workflow is complete or has failed', () => {
    const ends = (type: string) => project(log([start, happened(type)])).value['sessions'];
    expect(ends('workflow_complete')).toMatchObject([{ end: 'complete' }]);
    expect(ends('workflow_failed')).toMatchObject([{ end: 'failed' }]);
  });
});
