import type { Stage } from './count-ranges.ts';
import { statusAfter } from './status.ts';
import { OF_INFRASTRUCTURE, RESTORES, TROUBLE } from './trouble.ts';
import {
  AGENT_DISPATCHES,
  AGENT_RELEASES,
  AUDITOR_DISPATCHES,
  DEVELOPER_DISPATCHES,
  EVENT_TYPES,
  EXPERT_ENDS,
  isLaterWork,
  RESULTS,
  TASK_BEGINNINGS,
  TASK_DISPATCHES,
} from './vocabulary.ts';

/** The stage of a task after events of a type. */
const STAGES: ReadonlyMap<string, Stage> = new Map([
  ...[...DEVELOPER_DISPATCHES].map((type) => [type, 'working'] as const),
  ['developer_blocked', 'held'],
  ['agent_seeks_guidance', 'held'],
  ['expansion_needs_clarification', 'none'],
  ['agent_resumes_with_guidance', 'working'],
  ['developer_ready_for_review', 'working'],
  ['critic_fail', 'working'],
  ['critic_pass', 'awaiting_audit'],
  ['critic_bypassed', 'awaiting_audit'],
  ['auditor_dispatched', 'in_audit'],
  ['auditor_redispatched', 'in_audit'],
  ['auditor_fail', 'working'],
  ['auditor_blocked', 'held'],
  ['task_complete', 'complete'],
  ['task_restarted_on_resume', 'none'],
  ['task_reverification_required', 'awaiting_audit'],
] as const);

/** Types after which the coordinator saves its state (coordinator.md §8). */
export const SAVES: ReadonlySet<string> = new Set([
  'session_start',
  'session_resumed',
  'session_pause',
  'compaction_start',
  'compaction_complete',
  'infrastructure_blocked',
]);

/** What an event type means: for tasks and agents, and which parts of the run it concerns. */
export interface Role {
  readonly sendsAgent: boolean;
  readonly freesAgent: boolean;
  /** Whether it sends an agent to a task, which must not be complete. */
  readonly sendsToTask: boolean;
  readonly sendsDeveloper: boolean;
  readonly sendsAuditor: boolean;
  /** Whether it ends an audit without success. */
  readonly failsAudit: boolean;
  /** Whether a review refuses the task, which must be worked on again. */
  readonly refuses: boolean;
  /** Whether it is work on the task, or accepts the task, after it was refused. */
  readonly answersRefusal: boolean;
  /** Whether it begins work on the task. */
  readonly begins: boolean;
  /** Whether the task must be worked on, or audited, again. */
  readonly reopens: boolean;
  /** Whether it reports what an agent did for the task. */
  readonly isResult: boolean;
  /** Whether it implies earlier work on the task. */
  readonly isLater: boolean;
  /** Whether it is about tasks or agents at all. */
  readonly isWork: boolean;
  readonly isOfSession: boolean;
  readonly isOfInfrastructure: boolean;
  readonly isOfExpert: boolean;
  readonly isTrouble: boolean;
  /** The stage of the task after it. */
  readonly stage: Stage | undefined;
  /** The status of the plan after it. */
  readonly status: string | undefined;
}

function makeRole(type: string): Role {
  const work = {
    sendsAgent: AGENT_DISPATCHES.has(type),
    freesAgent: AGENT_RELEASES.has(type),
    sendsToTask: TASK_DISPATCHES.has(type),
    sendsDeveloper: DEVELOPER_DISPATCHES.has(type),
    sendsAuditor: AUDITOR_DISPATCHES.has(type),
    failsAudit: type === 'auditor_fail' || type === 'auditor_blocked',
    refuses: type === 'critic_fail',
    answersRefusal:
      TASK_BEGINNINGS.has(type) ||
      type.startsWith('developer_') ||
      type === 'critic_pass' ||
      type === 'critic_bypassed',
    begins: TASK_BEGINNINGS.has(type),
    reopens: TASK_BEGINNINGS.has(type) && type !== 'agent_dispatched',
    isResult: RESULTS.has(type),
    isLater: isLaterWork(type),
  };
  const stage = STAGES.get(type);
  return {
    ...work,
    isWork: stage !== undefined || Object.values(work).includes(true),
    isOfSession: /^(?:session|compaction|workflow|event_log)_/.test(type),
    isOfInfrastructure: OF_INFRASTRUCTURE.has(type) || RESTORES.has(type) || SAVES.has(type),
    isOfExpert: type === 'expert_delegated' || EXPERT_ENDS.has(type),
    isTrouble: TROUBLE.has(type),
    stage,
    status: statusAfter(type),
  };
}

/** Computed once per documented type, because a log may have millions of events. */
const ROLES: ReadonlyMap<string, Role> = new Map(
  [...EVENT_TYPES.keys()].map((type) => [type, makeRole(type)]),
);

/** What an event type means. */
export const roleOf = (type: string): Role => ROLES.get(type) ?? makeRole(type);
