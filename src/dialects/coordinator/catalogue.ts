import type { CatalogueEntry } from '../../findings/catalogue-entry.ts';

/** Findings for coordinator logs: details, sessions, and agents sent to tasks. */
export const COORDINATOR = [
  {
    code: 'event/flat-details',
    severity: 'warn',
    meaning: 'Fields that belong to the details of an event are at its top level.',
    why: 'Some documents put them there, others in `details`. A reader that follows only one of them sees empty fields.',
    example: '{"event_type":"critic_fail","task_id":"1-1-1","issues_found":["naming"],"details":{}}',
    fix: 'noesis reads both places. Have the writer use `details`, as the event structure shows it. Reported once per log.',
  },
  {
    code: 'event/conflict',
    severity: 'warn',
    meaning: 'A field is both at the top level of an event and in its details, with different values.',
    why: 'Readers disagree about which value to use, so the same event is counted for two tasks or two agents.',
    example: '{"event_type":"task_complete","task_id":"1-1-1","details":{"task_id":"1-1-2"}}',
    fix: 'Look at the events around it to see which task or agent was meant. Ids belong at the top, everything else in `details`.',
  },
  {
    code: 'order/undispatched',
    severity: 'warn',
    meaning: 'A task was reviewed, audited or completed, although no agent was ever sent to work on it.',
    why: 'Either the log lacks the event, or work was signed off that nobody did under this name.',
    example: 'A `task_complete` of task 2-1-3 in a log without a `developer_dispatched` for it.',
    fix: 'Search the plan for the id: a misspelt one is the usual case. A log that was rebuilt from the state lacks its beginning.',
  },
  {
    code: 'order/unaudited',
    severity: 'warn',
    varies: 'info for a task that a review refused and nobody worked on since.',
    meaning:
      'A task was completed by an agent that was not sent to audit it, or whose audit had failed, or by nobody, or after a review refused it and nobody worked on it since.',
    why: 'Only an auditor completes a task. A developer that completes a task has skipped the review and the audit.',
    example:
      'agent dev-1 dispatched to 1-1-1 on line 3, and a `task_complete` of it by dev-1 on line 5, with no `auditor_dispatched` between them.',
    fix: 'Look for an audit of the task that the log does not have. If there was none, audit the task now.',
  },
  {
    code: 'order/while-blocked',
    severity: 'info',
    meaning:
      'An agent was sent to a task while the infrastructure was blocked, or to a task that waits for an incomplete one.',
    why: 'The documents halt all assignments while the infrastructure is blocked, and a task is available only if all tasks that it waits for are complete. The work may have to be done again.',
    example:
      'A `developer_dispatched` of 1-1-2 with "blocked_by":["1-1-1"], and no `task_complete` of 1-1-1 before it.',
    fix: 'Compare the task with the plan. Nothing checks this while the coordinator runs, so this may be the only fault.',
  },
  {
    code: 'projection/totals',
    severity: 'warn',
    meaning:
      'The numbers in the event that ends a workflow or resumes a session contradict the events before it.',
    why: 'The event says how many tasks are complete or in progress, and how many sessions and compactions that took. Reports that use its numbers are wrong, or work was left undone.',
    example:
      'A `workflow_complete` with "total_tasks":3 in a log in which two tasks are complete and one is in progress.',
    fix: 'Compare the status of each task, as `noesis state <log>` shows it, with the plan.',
  },
  {
    code: 'order/redispatched',
    severity: 'warn',
    meaning: 'An agent was sent to a task that was complete, or reported a result of work on it.',
    why: 'Agents work on a completed task again only if a resume asks for it, and the log has no such event. Work may have been done twice.',
    example: 'A `task_complete` of task 1-1-1 on line 41, and a `developer_dispatched` for it on line 60.',
    fix: 'Look for a `task_reverification_required` or `task_restarted_on_resume` that should be between the two.',
  },
  {
    code: 'order/agent-busy',
    severity: 'warn',
    meaning: 'An agent was sent to a task before it was released from another one.',
    why: 'Its results cannot be assigned to one of the tasks, and the state forgets the first task.',
    example: 'agent dev-1 dispatched to 1-1-1 on line 7, and to 1-1-2 on line 9.',
    fix: 'Each dispatch of an agent needs its own id. If the first one had ended, the log lacks the event that says so.',
  },
  {
    code: 'order/session-unopened',
    severity: 'warn',
    meaning: 'Events belong to a session that was never started or resumed.',
    why: 'The head of the session is missing, and with it the plan it worked on and the session it came from.',
    example: 'A new session_id on line 50, and no `session_start` or `session_resumed` with it.',
    fix: 'Compare the log with a backup around the line where the session begins.',
  },
  {
    code: 'order/end-without-start',
    severity: 'info',
    meaning: 'An event ends something that never began.',
    why: 'The event that began it was not written, or its line is lost. Until the end, readers assumed that work continued although it was halted, or that a compacted context was complete.',
    example:
      'A `compaction_complete` of number 3 without a `compaction_start` of that number; an `infrastructure_restored` without a block before it; an `expert_complete` of a run that was never delegated.',
    fix: 'Look at the events before it for work that stops without a reason. The documents do not demand the first event, so this may be the only fault.',
  },
  {
    code: 'order/delegation',
    severity: 'info',
    meaning: 'A run of an expert began or ended twice, or its end names another expert, task or asker.',
    why: 'The state knows a delegation by its run. With two of one name, the result of one is taken for that of the other.',
    example:
      'An `expert_delegated` of run r1 to exp-1 on line 20, and an `expert_complete` of r1 by exp-2 on line 24.',
    fix: 'Each delegation needs its own run_id. Search the log for the id to see which events belong together.',
  },
  {
    code: 'consistency/verification',
    severity: 'info',
    meaning: 'The result of a verification of environments contradicts its details.',
    why: 'The type of the event says whether the environments were verified. A reader of the details gets the opposite answer.',
    example:
      '{"event_type":"environment_verification_passed","details":{"environments_tested":["ci"],"all_passed":false}}',
    fix: 'Compare it with the next events of the task: a `signal_rejected` means that an environment failed.',
  },
  {
    code: 'lineage/session',
    severity: 'warn',
    meaning: 'A resumed session names no previous session, or one that the log does not have.',
    why: 'The chain of sessions is broken: what the earlier session did cannot be followed from here.',
    example:
      '"event_type":"session_resumed","details":{"previous_session_id":"9c1f0002"} in a log without that session.',
    fix: 'Look for the log of the earlier session: the plan may have been renamed, or the log was started again.',
  },
] as const satisfies readonly CatalogueEntry[];

declare module '../../findings/codes.ts' {
  interface FindingCodes extends Record<(typeof COORDINATOR)[number]['code'], unknown> {}
}
