import type { Statement } from './statement.ts';

/** The log of a coordinator. */
export const COORDINATOR_STATEMENTS: readonly Statement[] = [
  {
    id: 'CO-001',
    wording:
      'Append-only event store, JSONL, one object per line, at a configurable path (template placeholder for the log file name).',
  },
  { id: 'CO-002', wording: 'Every coordinator operation and every agent result adds exactly one line.' },
  { id: 'CO-003', wording: 'timestamp — string, ISO 8601.' },
  {
    id: 'CO-004',
    wording:
      'sequence — integer (example 1). (Monotonic/gap-free and its scope, file or session, are not said.)',
  },
  {
    id: 'CO-005',
    wording:
      'session_id — string (UUID of the current session), mandatory on every event: missing or empty → violation.',
  },
  {
    id: 'CO-006',
    wording:
      "Filter by session_id gives that session's events only; work can be followed over resumes by joining sessions.",
  },
  {
    id: 'CO-007',
    wording: 'event_type — string, one of the 53 below. (Whether unknown types are errors is not said.)',
  },
  {
    id: 'CO-008',
    wording: 'agent_id — string or null. task_id — string or null. Both keys present in the record shape.',
  },
  { id: 'CO-009', wording: 'details — object; fields depend on event_type; may be empty in shape.' },
  {
    id: 'CO-010',
    wording:
      'Events are only added at the end of the file; overwriting is forbidden since it destroys the audit trail: the earlier bytes stay a prefix after each…',
  },
  {
    id: 'CO-011',
    wording: 'After each state-changing operation its event is appended before the next step begins.',
  },
  {
    id: 'CO-012',
    wording:
      'Several details lists repeat agent_id/task_id of the envelope: accept them in either place and report contradictions.',
  },
  { id: 'CO-013', wording: 'session_start: fresh start with no state file; details plan_file, total_tasks.' },
  {
    id: 'CO-014',
    wording:
      'session_resumed: resume from existing state; details previous_session_id, state_saved_at, in_progress_tasks_count, pending_audit_count…',
  },
  {
    id: 'CO-015',
    wording:
      'task_restarted_on_resume: in-progress or pending-audit task put back to available; details previous_status, reason.',
  },
  {
    id: 'CO-016',
    wording:
      'task_reverification_required: completed task close to session end needs a new audit; details completed_at, last_event_time…',
  },
  {
    id: 'CO-017',
    wording: 'session_pause: session limit reached; details reason, remaining_percent, resets_at.',
  },
  { id: 'CO-018', wording: 'usage_check: usage script ran; details utilisation, remaining, resets_at.' },
  {
    id: 'CO-019',
    wording:
      'compaction_start: details compaction_number, context_remaining. compaction_complete: details compaction_number, full_reload; pairs with the start of…',
  },
  {
    id: 'CO-020',
    wording: 'agent_definition_created: missing definition made; details agent_type, definition_hash.',
  },
  {
    id: 'CO-021',
    wording:
      'expert_created: expert derived from the plan; details agent_id, agent_type, name, domain, capabilities, keyword_triggers, request_types…',
  },
  {
    id: 'CO-022',
    wording:
      'expert_request_received: expert request signal intercepted; details from_agent_id, from_agent_type, task_id, expert_name, question_summary.',
  },
  {
    id: 'CO-023',
    wording:
      'expert_delegated: expert spawned; details run_id, agent_id, agent_type, from_agent_id, task_id, request_type, request_summary.',
  },
  {
    id: 'CO-024',
    wording:
      'delegation_queued: agent busy; details request_id, agent_id, from_agent_id, task_id, request_type, queue_position.',
  },
  {
    id: 'CO-025',
    wording:
      'expert_complete: result returned; details run_id, agent_id, from_agent_id, task_id, duration_seconds, confidence_level, deliverables_count.',
  },
  {
    id: 'CO-026',
    wording:
      'expert_failed (error or timeout): details run_id, agent_id, from_agent_id, task_id, error_reason. expert_out_of_scope: details run_id, agent_id…',
  },
  {
    id: 'CO-027',
    wording:
      'delegation_results_delivered: results handed to the delegating agent; details agent_id, from_agent_id, task_id, request_type.',
  },
  { id: 'CO-028', wording: 'developer_dispatched: details task_id, agent_id, blocked_by.' },
  { id: 'CO-029', wording: 'developer_checkpoint: progress; details task_id, agent_id, status, checkpoint.' },
  {
    id: 'CO-030',
    wording:
      'developer_ready_for_review: ready for the critic; does not complete the task; details task_id, agent_id, files_modified.',
  },
  {
    id: 'CO-031',
    wording: 'developer_blocked: infrastructure issue; details task_id, agent_id, issue_type, issue_details.',
  },
  {
    id: 'CO-032',
    wording:
      'developer_incomplete: details task_id, agent_id, blocker, attempted, needed, attempt_number, escalate.',
  },
  {
    id: 'CO-033',
    wording:
      'signal_rejected: developer signal refused for an incomplete matrix; details task_id, agent_id, signal_type, reason, missing_environments.',
  },
  { id: 'CO-034', wording: 'critic_dispatched: details task_id, agent_id, files_to_review.' },
  {
    id: 'CO-035',
    wording: 'critic_pass: details task_id, agent_id, review_summary; does not complete the task.',
  },
  { id: 'CO-036', wording: 'critic_fail: details task_id, agent_id, issues_found, required_fixes.' },
  { id: 'CO-037', wording: 'critic_timeout: details task_id, agent_id, timeout_ms, attempt_number.' },
  { id: 'CO-038', wording: 'auditor_dispatched: details task_id, agent_id, files_to_audit.' },
  {
    id: 'CO-039',
    wording:
      'task_complete: auditor confirms; the only event that completes a task in a projection; details task_id, agent_id, evidence_summary.',
  },
  {
    id: 'CO-040',
    wording:
      'auditor_fail: task goes back to the developer; details task_id, agent_id, failures, required_fixes.',
  },
  {
    id: 'CO-041',
    wording:
      'auditor_blocked: failures that existed before; details task_id, agent_id, pre_existing_failures.',
  },
  {
    id: 'CO-042',
    wording:
      'environment_verification_passed: all verified; details task_id, environments_tested, all_passed. environment_verification_failed: one or more failed…',
  },
  {
    id: 'CO-043',
    wording:
      'remediation_dispatched: details agent_id, issue_type, issue_details, attempt_number. remediation_complete: agent_id, fixes_applied, summary.…',
  },
  {
    id: 'CO-044',
    wording:
      'health_audit_dispatched: details agent_id, attempt_number. health_audit_pass (healthy): agent_id. health_audit_fail (unhealthy): agent_id, failures.…',
  },
  {
    id: 'CO-045',
    wording:
      'remediation_exhausted: attempts above the limit; details attempt_count, issue_type, escalation_required.',
  },
  {
    id: 'CO-046',
    wording: 'infrastructure_blocked: assignments halted; details reported_by, issue_type, blocked_tasks.',
  },
  {
    id: 'CO-047',
    wording:
      'infrastructure_restored: assignments resumed; details attempts_used, fixes_applied; lifts an earlier block in a projection.',
  },
  {
    id: 'CO-048',
    wording:
      'agent_seeks_guidance: details agent_id, task_id, question, options. agent_resumes_with_guidance: details agent_id, task_id, guidance_summary.',
  },
  {
    id: 'CO-049',
    wording:
      'coordinator_prays (question put to the user): details agent_id, task_id, question. divine_response_received (guidance came): details agent_id…',
  },
  {
    id: 'CO-050',
    wording:
      'task_quality_assessment: details implementable_count, needs_expansion_count, needs_clarification_count.',
  },
  {
    id: 'CO-051',
    wording:
      'business_analyst_dispatched: details task_id, agent_id, missing_criteria. task_expanded: task_id, confidence, expansion_summary.…',
  },
  {
    id: 'CO-052',
    wording:
      'workflow_complete (all tasks done): details total_tasks, compactions, session_resumes. workflow_failed (unrecoverable): details reason, last_state.',
  },
];
