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
    meaning:
      'A task was completed by the agent that worked on it, or by nobody, and no auditor was sent to it.',
    why: 'Only an auditor completes a task. A developer that completes its own task has skipped the review and the audit.',
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
    meaning: 'The event that ends a workflow contradicts the events before it.',
    why: 'The event says that all tasks are done, and how many sessions and compactions that took. Reports that use its numbers are wrong, or work was left undone.',
    example:
      'A `workflow_complete` with "total_tasks":3 in a log in which two tasks are complete and one is in progress.',
    fix: 'Compare the status of each task, as `noesis state <log>` shows it, with the plan.',
  },
  {
    code: 'order/redispatched',
    severity: 'warn',
    meaning: 'An agent was sent to a task that was complete.',
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
    code: 'lineage/session',
    severity: 'warn',
    meaning: 'A resumed session names a previous session that the log does not have.',
    why: 'The chain of sessions is broken: what the earlier session did cannot be followed from here.',
    example:
      '"event_type":"session_resumed","details":{"previous_session_id":"9c1f0002"} in a log without that session.',
    fix: 'Look for the log of the earlier session: the plan may have been renamed, or the log was started again.',
  },
] as const satisfies readonly CatalogueEntry[];

declare module '../../findings/codes.ts' {
  interface FindingCodes extends Record<(typeof COORDINATOR)[number]['code'], unknown> {}
}
