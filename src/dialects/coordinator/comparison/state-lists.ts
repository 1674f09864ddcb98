import type { TaskRow, TaskStatus } from '../folds/tasks.ts';

/** The words of a task that somebody works on. */
const EARLIER = ['implementing', 'awaiting-review', 'awaiting-audit'];

/** The words of a state file for each task status (coordinator.md §4). */
export const WORDS: Readonly<Record<TaskStatus, readonly string[]>> = {
  available: [],
  complete: [],
  in_progress: ['implementing', 'dispatching'],
  awaiting_review: ['awaiting-review'],
  in_review: ['awaiting-review'],
  awaiting_audit: ['awaiting-audit'],
  in_audit: ['awaiting-audit'],
  // A held task may have kept its earlier word.
  awaiting_guidance: ['awaiting-divine-guidance', ...EARLIER],
  blocked: ['blocked', ...EARLIER],
};

/** A list of tasks: which must be in it, and which may be. */
export interface TaskList {
  readonly name: string;
  readonly must: (row: TaskRow) => boolean;
  readonly may: (row: TaskRow) => boolean;
}

const isOneOf =
  (...statuses: readonly TaskStatus[]) =>
  ({ status }: TaskRow): boolean =>
    statuses.includes(status);

const isUnderWork = (row: TaskRow): boolean => WORDS[row.status].length > 0;

/** The lists that can be compared with a log. */
export const LISTS: readonly TaskList[] = [
  { name: 'completed_tasks', must: isOneOf('complete'), may: isOneOf('complete') },
  {
    name: 'in_progress_tasks',
    // A task that is audited again, or that waits for a file, need not be listed.
    must: (row) => isUnderWork(row) && row.attempts > 0 && row.reverifications === undefined,
    may: isUnderWork,
  },
  // The documents disagree on whether a task stays in the queue while it is reviewed or audited (coordinator.md §5).
  {
    name: 'pending_critique',
    // After a timeout the critic may still be listed in place of the task.
    must: (row) => row.status === 'awaiting_review' && row.critic_timeouts === undefined,
    may: isOneOf('awaiting_review', 'in_review'),
  },
  { name: 'pending_audit', must: isOneOf('awaiting_audit'), may: isOneOf('awaiting_audit', 'in_audit') },
];

/** The maps of agents at work, by the status of their tasks. */
export const AGENTS = [
  ['active_developers', 'in_progress'],
  ['active_critics', 'in_review'],
  ['active_auditors', 'in_audit'],
] as const;

/** Counts by task. */
export const COUNTERS = ['critique_failures', 'critic_timeouts', 'audit_failures'] as const;
