import type { EventTypeEntry } from '../kit/record-view.ts';

/** The members that every event may have (coordinator.md §2). */
export const ENVELOPE: ReadonlySet<string> = new Set([
  'timestamp',
  'sequence',
  'session_id',
  'event_type',
  'agent_id',
  'task_id',
  'details',
]);

/** The members of an envelope that some documents list as details. */
export const IDS: readonly string[] = ['agent_id', 'task_id'];

/** The documented details of an event type. */
export interface TypeSpec {
  /** The details that the document lists. They are expected, not required (coordinator.md §3, S). */
  readonly fields: readonly string[];
  /** The details that a second document lists (E). */
  readonly otherFields: readonly string[];
  /** When the coordinator writes it. */
  readonly trigger?: string;
}

const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

/**
 * The documented types: when each is written (`-`: unknown), and its details; after a slash, those in the second document.
 * Only the algorithm that rebuilds a state knows the last three, which have no details.
 */
const TABLE = `
session_start | Fresh coordinator start (no state file) | plan_file total_tasks
session_resumed | Coordinator resumes from existing state | previous_session_id state_saved_at in_progress_tasks_count pending_audit_count completed_tasks_count / previous_session_id in_progress_tasks_count completed_tasks_count
session_pause | Session limit reached, coordinator pausing | reason remaining_percent resets_at
task_restarted_on_resume | In-progress or pending-audit task moved back to available | previous_status reason
task_reverification_required | Completed task needs re-audit (near session end) | completed_at last_event_time time_since_completion_minutes / completed_at time_since_completion_minutes
compaction_start | Context compaction begins | compaction_number context_remaining
compaction_complete | Compaction finished | compaction_number full_reload
usage_check | Usage script executed | utilisation remaining resets_at
workflow_complete | All tasks done | total_tasks compactions session_resumes
workflow_failed | Unrecoverable error | reason last_state
agent_definition_created | Missing agent definition created | agent_type definition_hash
expert_created | Plan-derived expert created | agent_id agent_type name domain capabilities keyword_triggers request_types definition_hash / agent_id name domain definition_hash
expert_request_received | Coordinator intercepts EXPERT_REQUEST signal | from_agent_id from_agent_type task_id expert_name question_summary / from_agent_id task_id expert_name
expert_delegated | Expert spawned for delegation | run_id agent_id agent_type from_agent_id task_id request_type request_summary / run_id agent_id from_agent_id task_id
delegation_queued | Delegation request queued (agent busy) | request_id agent_id from_agent_id task_id request_type queue_position / request_id agent_id queue_position
expert_complete | Expert returns result | run_id agent_id from_agent_id task_id duration_seconds confidence_level deliverables_count / run_id agent_id task_id duration_seconds
expert_failed | Expert errored or timed out | run_id agent_id from_agent_id task_id error_reason / run_id agent_id error_reason
expert_out_of_scope | Expert signals request out of scope | run_id agent_id from_agent_id task_id suggested_alternative / run_id agent_id suggested_alternative
delegation_results_delivered | Results delivered to delegating agent | agent_id from_agent_id task_id request_type / agent_id from_agent_id task_id
task_quality_assessment | Plan tasks assessed for implementability | implementable_count needs_expansion_count needs_clarification_count
business_analyst_dispatched | BA agent spawned to expand task | task_id agent_id missing_criteria
task_expanded | BA successfully expanded task | task_id confidence expansion_summary
expansion_needs_clarification | BA expansion requires divine guidance | task_id questions options
developer_dispatched | Developer agent spawned | task_id agent_id blocked_by
developer_checkpoint | Developer reports progress | task_id agent_id status checkpoint
developer_ready_for_review | Developer signals ready for Critic review (NOT complete) | task_id agent_id files_modified
developer_blocked | Developer reports infrastructure issue | task_id agent_id issue_type issue_details / task_id agent_id issue_type
developer_incomplete | Developer signals task incomplete | task_id agent_id blocker attempted needed attempt_number escalate / task_id agent_id blocker attempted
signal_rejected | Developer signal rejected (incomplete matrix) | task_id agent_id signal_type reason missing_environments / task_id agent_id signal_type reason
environment_verification_passed | All environments verified | task_id environments_tested all_passed / task_id environments_tested
environment_verification_failed | One or more environments failed | task_id failed_environments error_details / task_id failed_environments errors
critic_dispatched | Critic agent spawned for code review | task_id agent_id files_to_review / task_id agent_id
critic_pass | Critic passes code quality review | task_id agent_id review_summary / task_id agent_id quality_assessment
critic_fail | Critic fails code quality review | task_id agent_id issues_found required_fixes / task_id agent_id issues failures
critic_timeout | Critic agent timed out | task_id agent_id timeout_ms attempt_number / task_id agent_id
auditor_dispatched | Auditor agent spawned | task_id agent_id files_to_audit / task_id agent_id
task_complete | Auditor confirms task complete (ONLY completion event) | task_id agent_id evidence_summary
auditor_fail | Auditor rejects task, returns to developer | task_id agent_id failures required_fixes / task_id agent_id failures
auditor_blocked | Auditor finds pre-existing failures | task_id agent_id pre_existing_failures / task_id agent_id blocking_failures
remediation_dispatched | Remediation agent spawned | agent_id issue_type issue_details attempt_number / agent_id issue attempt_count
remediation_complete | Remediation agent signals done | agent_id fixes_applied summary
remediation_failed | Remediation agent failed (no completion signal) | agent_id reason attempt_number
remediation_exhausted | Remediation attempts exceeded limit | attempt_count issue_type escalation_required
health_audit_dispatched | Health auditor spawned | agent_id attempt_number
health_audit_pass | Codebase verified healthy | agent_id
health_audit_fail | Codebase still unhealthy | agent_id failures
health_audit_unexpected | Health auditor returned unexpected response | agent_id attempt_number response_summary
infrastructure_blocked | Assignments halted | reported_by issue_type blocked_tasks / issue blocking_failures
infrastructure_restored | Assignments resumed | attempts_used fixes_applied
agent_seeks_guidance | Agent signals need for clarification | task_id agent_id question options
coordinator_prays | Coordinator invokes AskUserQuestionTool | task_id agent_id question
divine_response_received | God provides guidance | task_id agent_id question response
agent_resumes_with_guidance | Agent continues with divine guidance | task_id agent_id guidance_summary
event_log_reconstructed | - | reason state_file_timestamp
state_checkpoint | - | completed_tasks in_progress_tasks available_tasks
task_queued_for_conflict | - |
queue_timeout | - |
task_unqueued | - |
`;

export const EVENT_TYPES: ReadonlyMap<string, TypeSpec> = new Map(
  TABLE.trim()
    .split('\n')
    .map((line) => {
      const [type = '', trigger = '', details = ''] = line.split('|').map((part) => part.trim());
      const [fields = '', otherFields = fields] = details.split('/');
      const spec = { fields: words(fields), otherFields: words(otherFields) };
      return [type, trigger === '-' ? spec : { ...spec, trigger }];
    }),
);

/** Types that neither table lists, although other documents use them. They are legal (coordinator.md §3). */
const OTHER_TYPES: ReadonlySet<string> = new Set(
  words(
    'agent_dispatched agent_checkpoint agent_complete agent_timeout agent_crashed agent_stalled stalled_agent_recovered ' +
      'agent_failure agent_signal_failure signal_parse_failure unknown_signal_recovery developer_timeout ' +
      'developer_redispatched developer_rework_dispatched critic_redispatched critic_bypassed ' +
      'critic_missed_quality_issue auditor_timeout auditor_redispatched review_audit_disagreement ' +
      'environment_disagreement checkpoint_requested checkpoint_timeout task_repeated_timeout task_unblocked ' +
      'task_unqueued_blocker_failed queue_retry_exhausted file_conflict_escalated merge_conflict ' +
      'delegation_dequeued expert_deleted expert_file_missing baseline_agent_created agent_file_recovered ' +
      'critic_agent_recovered research_essay_generated prompt_quality_verified existence_check resume_agent_check ' +
      'plan_rejected cycle_detection_passed dynamic_task_rejected plan_file_missing invalid_blockers_detected ' +
      'transient_error_retry transient_error_resolved transient_error_escalated configuration_error ' +
      'remediation_divine_retry remediation_divine_override remediation_divine_unknown_option workflow_halted ' +
      'escalation_counters_reset divine_clarification_received pre_existing_baseline_captured ' +
      'using_existing_baseline baseline_check_timeout failure_classification event_log_recovered ' +
      'event_log_created_from_state state_recovered_from_event_log session_recovery_completed ' +
      'coordinator_recovered orphan_agent_detected state_reconciled',
  ),
);

/** Whether other documents use a type that neither table lists. */
export function isOtherType(type: string): boolean {
  return OTHER_TYPES.has(type) || type.endsWith('_processed');
}

/** Types that are written flat and without a session when a lost log is rebuilt (coordinator.md §6, §8). */
export const RECOVERY_TYPES: ReadonlySet<string> = new Set(
  words('event_log_reconstructed state_checkpoint event_log_created_from_state'),
);

/** Types that say that a log was rebuilt, so that what began in the lost one is missing. */
export const REBUILT_TYPES: ReadonlySet<string> = new Set(
  words('event_log_reconstructed event_log_created_from_state'),
);

/** Other names for details in some documents (coordinator.md §3). */
export const ALIASES: ReadonlyMap<string, readonly string[]> = new Map([
  ['issue_type', ['issue']],
  ['attempt_number', ['attempt', 'attempt_count']],
  ['pre_existing_failures', ['blocking_failures']],
  ['issues_found', ['issues']],
  ['error_details', ['errors']],
  ['review_summary', ['quality_assessment']],
  ['time_since_completion_minutes', ['time_since_completion']],
  ['checkpoint', ['progress']],
  ['agent_id', ['developer_id', 'critic_id', 'auditor_id']],
  ['task_id', ['task']],
]);

/** Types that send an agent to a task, which must not be complete. */
export const TASK_DISPATCHES: ReadonlySet<string> = new Set(
  words('developer_dispatched critic_dispatched auditor_dispatched'),
);

/** Types that begin work on a task, including those that only some documents use (coordinator.md §8). */
export const TASK_BEGINNINGS: ReadonlySet<string> = new Set(
  words(
    'developer_dispatched developer_redispatched developer_rework_dispatched agent_dispatched ' +
      'task_restarted_on_resume task_reverification_required',
  ),
);

/** Types that send a developer to a task. */
export const DEVELOPER_DISPATCHES: ReadonlySet<string> = new Set(
  words('developer_dispatched developer_redispatched developer_rework_dispatched'),
);

/** Types that send an agent that may be an auditor. `agent_dispatched` does not say what the agent is. */
export const AUDITOR_DISPATCHES: ReadonlySet<string> = new Set(
  words('auditor_dispatched auditor_redispatched agent_dispatched'),
);

/** Types that block the infrastructure. Two events often report the same block (coordinator.md §8). */
export const BLOCKS: ReadonlySet<string> = new Set(
  words('developer_blocked auditor_blocked infrastructure_blocked'),
);

/** Types that end the run of an expert. */
export const EXPERT_ENDS: ReadonlySet<string> = new Set(
  words('expert_complete expert_failed expert_out_of_scope'),
);

/** Types that report the result of work on a task. None may follow its completion. */
export const RESULTS: ReadonlySet<string> = new Set(
  words(
    'developer_ready_for_review developer_blocked developer_incomplete critic_pass critic_fail auditor_fail ' +
      'auditor_blocked task_complete',
  ),
);

/** Whether a type implies earlier work on the task. */
export const isLaterWork = (type: string): boolean => /^(?:critic|auditor)_|^task_complete$/.test(type);

/** Types that make an agent busy. */
export const AGENT_DISPATCHES: ReadonlySet<string> = new Set(
  words(
    'developer_dispatched critic_dispatched auditor_dispatched business_analyst_dispatched ' +
      'remediation_dispatched health_audit_dispatched',
  ),
);

/** Types that make an agent free again. */
export const AGENT_RELEASES: ReadonlySet<string> = new Set(
  words(
    'developer_ready_for_review developer_blocked developer_incomplete developer_timeout critic_pass critic_fail ' +
      'critic_timeout critic_bypassed task_complete auditor_fail auditor_blocked auditor_timeout task_expanded ' +
      'expansion_needs_clarification remediation_complete remediation_failed remediation_exhausted ' +
      'health_audit_pass health_audit_fail health_audit_unexpected agent_complete agent_timeout agent_crashed ' +
      'agent_stalled agent_failure agent_signal_failure',
  ),
);

/** The types in the tables, then those that only other documents use. */
export function documentedTypes(): EventTypeEntry[] {
  const listed = [...EVENT_TYPES].map(([type, { fields, trigger }]) => {
    return { type, group: 'listed', ...(trigger !== undefined && { meaning: trigger }), fields };
  });
  return [...listed, ...[...OTHER_TYPES].map((type) => ({ type, group: 'other' }))];
}
