import { isSameNumber } from '../../../base/json/stored-number.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { type CoordinatorEvent, idsIn } from '../read.ts';
import { SKIPS_REVIEW } from '../upcasters.ts';
import { DEVELOPER_DISPATCHES } from '../vocabulary.ts';

/** The status of a task. */
export type TaskStatus =
  | 'available'
  | 'in_progress'
  | 'awaiting_review'
  | 'in_review'
  | 'awaiting_audit'
  | 'in_audit'
  | 'complete'
  | 'blocked'
  | 'awaiting_guidance';

type Counter =
  | 'critique_failures'
  | 'critic_timeouts'
  | 'audit_failures'
  | 'incomplete'
  | 'restarts'
  | 'reverifications';

/** A task. Counts of zero and unknown values are absent. */
export interface TaskRow extends Partial<Record<Counter, number>> {
  status: TaskStatus;
  /** The agent that works on it now. */
  agent?: string;
  /** The time at which it got this status. */
  since?: string;
  /** How many times a developer was sent to it. */
  attempts: number;
  completed_at?: string;
  blocked_by?: JsonValue;
  issue?: JsonValue;
  expansion?: JsonObject;
}

interface Task {
  readonly row: TaskRow;
  /** Its status once it is no longer blocked. */
  before: TaskStatus;
}

/** The status of a task after its agent is gone. */
const WAITING: Partial<Record<TaskStatus, TaskStatus>> = {
  in_review: 'awaiting_review',
  in_audit: 'awaiting_audit',
};

/** What an event type does to its task. */
interface Step {
  readonly to: TaskStatus;
  /** Whether it sends an agent to the task. */
  readonly sends?: true;
  readonly counts?: Counter;
}

const STEPS: ReadonlyMap<string, Step> = new Map<string, Step>([
  ['developer_dispatched', { to: 'in_progress', sends: true }],
  ['developer_redispatched', { to: 'in_progress', sends: true }],
  ['developer_rework_dispatched', { to: 'in_progress', sends: true }],
  ['developer_ready_for_review', { to: 'awaiting_review' }],
  ['developer_incomplete', { to: 'awaiting_guidance', counts: 'incomplete' }],
  ['critic_dispatched', { to: 'in_review', sends: true }],
  ['critic_redispatched', { to: 'in_review', sends: true }],
  ['critic_pass', { to: 'awaiting_audit' }],
  ['critic_bypassed', { to: 'awaiting_audit' }],
  ['critic_fail', { to: 'in_progress', counts: 'critique_failures' }],
  ['critic_timeout', { to: 'awaiting_review', counts: 'critic_timeouts' }],
  ['auditor_dispatched', { to: 'in_audit', sends: true }],
  ['auditor_redispatched', { to: 'in_audit', sends: true }],
  ['auditor_fail', { to: 'in_progress', counts: 'audit_failures' }],
  ['task_complete', { to: 'complete' }],
  ['task_restarted_on_resume', { to: 'available', counts: 'restarts' }],
  ['task_reverification_required', { to: 'awaiting_audit', counts: 'reverifications' }],
  ['agent_seeks_guidance', { to: 'awaiting_guidance', sends: true }],
  ['agent_resumes_with_guidance', { to: 'in_progress', sends: true }],
  ['divine_response_received', { to: 'in_progress' }],
]);

/**
 * Types after which the reference algorithm still lists the agent of the task (coordinator.md §5). Other documents of the
 * program free the agent.
 */
const MAY_KEEP_AGENT: ReadonlySet<string> = new Set([
  'infrastructure_blocked',
  'developer_blocked',
  'auditor_blocked',
  'critic_timeout',
  'developer_incomplete',
  'agent_seeks_guidance',
]);

/** What an agent that may still be listed last worked on. */
export interface Lingering {
  readonly task: string;
  readonly status: TaskStatus;
}

const truthy = (value: JsonValue | undefined): boolean =>
  value !== undefined && value !== false && !isSameNumber(value, 0) && value !== '';

/**
 * The tasks in a log, one row each; the reference algorithm adds another row for a second dispatch (coordinator.md §5).
 */
export class TaskFold {
  readonly #tasks = new Map<string, Task>();
  /** The tasks with an agent, and the blocked ones. There are only a few. */
  readonly #withAgent = new Set<string>();
  readonly #blocked = new Set<string>();
  #touched: string[] = [];
  /** The last task of each business analyst. */
  readonly analysts = new Map<string, string>();
  /** The agents that may still be listed, although their task is held. */
  readonly lingering = new Map<string, Lingering>();

  /** Adds an event. Returns the ids of the tasks that it changed. */
  add(event: CoordinatorEvent): readonly string[] {
    const { type, agentId } = event;
    this.#touched = [];
    if (MAY_KEEP_AGENT.has(type)) this.#linger(event);
    else if (agentId !== undefined) this.lingering.delete(agentId);
    this.#step(event);
    return this.#touched;
  }

  /** Keeps the agents of the tasks that an event holds. */
  #linger({ type, taskId, detail }: CoordinatorEvent): void {
    const ids = type === 'infrastructure_blocked' ? idsIn(detail('blocked_tasks')) : [taskId ?? ''];
    for (const id of ids) {
      const { agent, status } = this.#tasks.get(id)?.row ?? {};
      if (agent !== undefined && status !== undefined) this.lingering.set(agent, { task: id, status });
    }
  }

  rows(): [string, TaskRow][] {
    return [...this.#tasks].map(([id, { row }]) => [id, { ...row }]);
  }

  /** Removes all agents, because they do not outlive their session (coordinator.md §7). */
  newSession(timestamp: string | undefined): readonly string[] {
    this.#touched = [];
    this.lingering.clear();
    for (const id of [...this.#withAgent]) {
      const { status } = this.#task(id).row;
      this.#to(id, WAITING[status] ?? status, timestamp);
    }
    return this.#touched;
  }

  #step(event: CoordinatorEvent): void {
    const { type, taskId: id, agentId: agent, timestamp: at, detail } = event;
    if (type === 'infrastructure_blocked')
      return this.#hold(idsIn(detail('blocked_tasks')), at, detail('issue_type'));
    if (type === 'infrastructure_restored' || type === 'health_audit_pass') return this.#release(at);
    if (type === 'state_checkpoint') return this.#checkpoint(event);
    if (id === undefined) return;
    if (type === 'developer_blocked') return this.#hold([id], at, detail('issue_type'));
    if (type === 'auditor_blocked') return this.#hold([id], at, detail('pre_existing_failures'));
    if (type === 'task_queued_for_conflict') return this.#hold([id], at, 'file_conflict');
    if (type === 'task_unqueued' || type === 'task_unblocked') return this.#release(at, id);
    const step = STEPS.get(type);
    if (step === undefined) return this.#expand(event, id);
    if (step.counts !== undefined) this.#count(id, step.counts);
    const to = this.#goal(step.to, event, id);
    if (to === undefined) return;
    // An agent that asked for guidance continues after the answer.
    const asked = type === 'divine_response_received' ? this.#task(id).row.agent : undefined;
    const row = this.#to(id, to, at, step.sends === true ? agent : asked);
    if (type === 'task_complete' && at !== undefined) row.completed_at = at;
    if (!DEVELOPER_DISPATCHES.has(type)) return;
    row.attempts += 1;
    const blockers = detail('blocked_by');
    if (Array.isArray(blockers) && blockers.length > 0) row.blocked_by = blockers;
    else delete row.blocked_by;
  }

  /** The status that an event sets; undefined if it does not change. */
  #goal(to: TaskStatus, { type, detail }: CoordinatorEvent, id: string): TaskStatus | undefined {
    switch (type) {
      case 'developer_ready_for_review':
        return detail(SKIPS_REVIEW) === true ? 'awaiting_audit' : to;
      case 'developer_incomplete':
        return truthy(detail('escalate')) ? to : undefined;
      case 'divine_response_received':
        // The event that resumes the work may be missing, so the answer counts too.
        return this.#tasks.get(id)?.row.status === 'awaiting_guidance' ? this.#task(id).before : undefined;
      default:
        return to;
    }
  }

  #expand({ type, agentId, timestamp, detail }: CoordinatorEvent, id: string): void {
    const at = timestamp === undefined ? {} : { at: timestamp };
    const keep = (key: string, name: string): JsonObject => {
      const value = detail(name);
      return value === undefined ? {} : { [key]: value };
    };
    if (type === 'business_analyst_dispatched') {
      const agent = agentId === undefined ? {} : { agent: agentId };
      if (agentId !== undefined) this.analysts.set(agentId, id);
      this.#mark(id).expansion = { status: 'pending', ...agent, ...at };
    } else if (type === 'task_expanded') {
      const row = this.#mark(id);
      row.expansion = {
        status: 'done',
        ...keep('confidence', 'confidence'),
        ...keep('summary', 'expansion_summary'),
        ...at,
      };
    } else if (type === 'expansion_needs_clarification') {
      this.#to(id, 'awaiting_guidance', timestamp).expansion = { status: 'needs_clarification', ...at };
    }
  }

  #task(id: string): Task {
    let task = this.#tasks.get(id);
    if (task === undefined) {
      task = { row: { status: 'available', attempts: 0 }, before: 'available' };
      this.#tasks.set(id, task);
    }
    return task;
  }

  #mark(id: string): TaskRow {
    this.#touched.push(id);
    return this.#task(id).row;
  }

  #count(id: string, counter: Counter): void {
    const row = this.#mark(id);
    row[counter] = (row[counter] ?? 0) + 1;
  }

  #to(id: string, status: TaskStatus, at: string | undefined, agent?: string): TaskRow {
    const task = this.#task(id);
    const row = this.#mark(id);
    if (status !== row.status || (agent !== undefined && agent !== row.agent)) {
      if (row.status !== 'blocked' && row.status !== 'awaiting_guidance') task.before = row.status;
      if (at === undefined) delete row.since;
      else row.since = at;
    }
    row.status = status;
    if (agent === undefined) {
      delete row.agent;
      this.#withAgent.delete(id);
    } else {
      row.agent = agent;
      this.#withAgent.add(id);
    }
    if (status === 'blocked') this.#blocked.add(id);
    else {
      delete row.issue;
      this.#blocked.delete(id);
    }
    if (status !== 'complete') delete row.completed_at;
    return row;
  }

  /** Blocks tasks that are not complete. */
  #hold(ids: readonly string[], at: string | undefined, issue: JsonValue | undefined): void {
    for (const id of ids) {
      if (this.#tasks.get(id)?.row.status === 'complete') continue;
      const row = this.#to(id, 'blocked', at);
      if (issue !== undefined) row.issue = issue;
    }
  }

  /** Returns blocked tasks to their earlier status, without an agent. */
  #release(at: string | undefined, only?: string): void {
    for (const id of only === undefined ? [...this.#blocked] : [only]) {
      const task = this.#blocked.has(id) ? this.#task(id) : undefined;
      if (task === undefined || (only === undefined && task.row.issue === 'file_conflict')) continue;
      this.#to(id, WAITING[task.before] ?? task.before, at);
    }
  }

  #checkpoint({ timestamp, detail }: CoordinatorEvent): void {
    const lists = [
      ['available_tasks', 'available'],
      ['in_progress_tasks', 'in_progress'],
      ['completed_tasks', 'complete'],
    ] as const;
    for (const [name, status] of lists) for (const id of idsIn(detail(name))) this.#to(id, status, timestamp);
  }
}
