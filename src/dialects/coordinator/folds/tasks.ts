import { isSameNumber } from '../../../json/stored-number.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import type { CoordinatorEvent } from '../read.ts';
import { idsIn } from '../task-ids.ts';
import { SKIPS_REVIEW } from '../upcasters.ts';

/** Where a task stands. */
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

/** One task; counts of nothing and what is not known are left out. */
export interface TaskRow {
  status: TaskStatus;
  /** Who works on it now. */
  agent?: string;
  /** When it came to stand so. */
  since?: string;
  /** How often a developer was sent. */
  attempts: number;
  critique_failures?: number;
  critic_timeouts?: number;
  audit_failures?: number;
  incomplete?: number;
  restarts?: number;
  reverifications?: number;
  completed_at?: string;
  blocked_by?: JsonValue;
  issue?: JsonValue;
  expansion?: JsonObject;
}

type Counter =
  | 'critique_failures'
  | 'critic_timeouts'
  | 'audit_failures'
  | 'incomplete'
  | 'restarts'
  | 'reverifications';

interface Task {
  readonly row: TaskRow;
  /** Where it goes back to when what holds it up is over. */
  before: TaskStatus;
}

/** A status in which somebody works becomes the one in which the work waits. */
const WAITING: Partial<Record<TaskStatus, TaskStatus>> = {
  in_review: 'awaiting_review',
  in_audit: 'awaiting_audit',
};

const truthy = (value: JsonValue | undefined): boolean =>
  value !== undefined && value !== false && !isSameNumber(value, 0) && value !== '';

/**
 * What the log says of each task: one row per task, whatever the reference algorithm makes of a second dispatch
 * (coordinator.md §5). Ids come from the trace: a map, never an object.
 */
export class TaskFold {
  readonly #tasks = new Map<string, Task>();
  /** Those that somebody works on, and those that are held up: few among many. */
  readonly #manned = new Set<string>();
  readonly #held = new Set<string>();
  #touched: string[] = [];

  /** Takes in an event; the ids of the tasks whose rows it changed. */
  add(event: CoordinatorEvent): readonly string[] {
    this.#touched = [];
    this.#step(event);
    return this.#touched;
  }

  rows(): [string, TaskRow][] {
    return [...this.#tasks].map(([id, { row }]) => [id, { ...row }]);
  }

  /** All agents of the session before are gone (coordinator.md §7). */
  newSession(timestamp: string | undefined): readonly string[] {
    this.#touched = [];
    for (const id of [...this.#manned]) {
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
    switch (type) {
      case 'developer_dispatched':
      case 'developer_redispatched':
      case 'developer_rework_dispatched': {
        const row = this.#to(id, 'in_progress', at, agent);
        row.attempts += 1;
        const blockers = detail('blocked_by');
        if (Array.isArray(blockers) && blockers.length > 0) row.blocked_by = blockers;
        else delete row.blocked_by;
        return;
      }
      case 'developer_ready_for_review':
        this.#to(id, detail(SKIPS_REVIEW) === true ? 'awaiting_audit' : 'awaiting_review', at);
        return;
      case 'developer_blocked':
      case 'auditor_blocked':
        return this.#hold(
          [id],
          at,
          detail(type === 'auditor_blocked' ? 'pre_existing_failures' : 'issue_type'),
        );
      case 'developer_incomplete':
        this.#count(id, 'incomplete');
        if (truthy(detail('escalate'))) this.#to(id, 'awaiting_guidance', at);
        return;
      case 'critic_dispatched':
      case 'critic_redispatched':
        this.#to(id, 'in_review', at, agent);
        return;
      case 'critic_pass':
      case 'critic_bypassed':
        this.#to(id, 'awaiting_audit', at);
        return;
      case 'critic_fail':
        this.#count(id, 'critique_failures');
        this.#to(id, 'in_progress', at);
        return;
      case 'critic_timeout':
        this.#count(id, 'critic_timeouts');
        this.#to(id, 'awaiting_review', at);
        return;
      case 'auditor_dispatched':
      case 'auditor_redispatched':
        this.#to(id, 'in_audit', at, agent);
        return;
      case 'auditor_fail':
        this.#count(id, 'audit_failures');
        this.#to(id, 'in_progress', at);
        return;
      case 'task_complete': {
        const row = this.#to(id, 'complete', at);
        if (at !== undefined) row.completed_at = at;
        return;
      }
      case 'task_restarted_on_resume':
        this.#count(id, 'restarts');
        this.#to(id, 'available', at);
        return;
      case 'task_reverification_required':
        this.#count(id, 'reverifications');
        this.#to(id, 'awaiting_audit', at);
        return;
      case 'agent_seeks_guidance':
        this.#to(id, 'awaiting_guidance', at, agent);
        return;
      case 'agent_resumes_with_guidance':
        this.#to(id, 'in_progress', at, agent);
        return;
      case 'divine_response_received':
        // Who asked goes on; the event that says so may be missing.
        if (this.#tasks.get(id)?.row.status === 'awaiting_guidance') {
          this.#to(id, this.#task(id).before, at, this.#task(id).row.agent);
        }
        return;
      case 'task_queued_for_conflict':
        return this.#hold([id], at, 'file_conflict');
      case 'task_unqueued':
      case 'task_unblocked':
        return this.#release(at, id);
      default:
        return this.#expand(event, id);
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
      this.#manned.delete(id);
    } else {
      row.agent = agent;
      this.#manned.add(id);
    }
    if (status === 'blocked') this.#held.add(id);
    else {
      delete row.issue;
      this.#held.delete(id);
    }
    if (status !== 'complete') delete row.completed_at;
    return row;
  }

  /** Tasks that must wait; one that is complete does not. */
  #hold(ids: readonly string[], at: string | undefined, issue: JsonValue | undefined): void {
    for (const id of ids) {
      if (this.#tasks.get(id)?.row.status === 'complete') continue;
      const row = this.#to(id, 'blocked', at);
      if (issue !== undefined) row.issue = issue;
    }
  }

  /** What was held up goes back to where it stood; whoever worked on it has stopped. */
  #release(at: string | undefined, only?: string): void {
    for (const id of only === undefined ? [...this.#held] : [only]) {
      const task = this.#held.has(id) ? this.#task(id) : undefined;
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
