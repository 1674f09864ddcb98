import * as z from 'zod';

const text = z.string();
const words = z.union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown())]);

/** The kinds of values that details have, as their names and the documents show them. */
const KINDS = {
  text,
  /** A text, a list or an object: the documents only describe the content. */
  words,
  /** A word such as `high`, or a number. */
  degree: z.union([z.string(), z.number()]),
  /** An id. Some writers write numbers. */
  id: z.union([z.string(), z.number()]),
  list: z.array(z.unknown()),
  count: z.int().min(0),
  amount: z.number().min(0),
  flag: z.boolean(),
  summary: z.string().max(200),
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** The details of each kind. */
const TABLE: Readonly<Record<keyof typeof KINDS, string>> = {
  text:
    'plan_file previous_session_id state_saved_at reason resets_at previous_status completed_at last_event_time ' +
    'agent_type definition_hash name domain from_agent_id from_agent_type expert_name question_summary request_type ' +
    'request_summary error_reason suggested_alternative expansion_summary status issue_type blocker signal_type ' +
    'review_summary evidence_summary summary reported_by question response guidance_summary state_file_timestamp',
  words: 'last_state checkpoint issue_details attempted needed error_details',
  degree: 'confidence confidence_level',
  id: 'run_id request_id',
  list:
    'capabilities keyword_triggers request_types missing_criteria questions options blocked_by files_modified ' +
    'missing_environments environments_tested failed_environments files_to_review issues_found required_fixes ' +
    'files_to_audit failures pre_existing_failures fixes_applied blocked_tasks completed_tasks in_progress_tasks ' +
    'available_tasks',
  count:
    'total_tasks in_progress_tasks_count pending_audit_count completed_tasks_count compaction_number compactions ' +
    'session_resumes queue_position deliverables_count implementable_count needs_expansion_count ' +
    'needs_clarification_count attempt_number attempt_count attempts_used',
  amount:
    'remaining_percent time_since_completion_minutes context_remaining utilisation remaining duration_seconds timeout_ms',
  flag: 'full_reload all_passed escalate escalation_required',
  summary: 'response_summary',
};

/** The schema of each detail by its name. The documents state few types; the names show the others. */
export const TYPED_DETAILS: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries(TABLE).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, KINDS[kind as keyof typeof KINDS]] as const),
  ),
);

/** Details that null says something about: that there is none. In others it says nothing. */
export const MAY_BE_NULL: ReadonlySet<string> = new Set(['suggested_alternative']);
