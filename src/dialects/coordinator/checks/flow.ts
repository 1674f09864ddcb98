import { named } from '../../../base/json/write.ts';
import { ReportingCheck } from '../../../findings/check.ts';
import { idsIn } from '../read.ts';
import {
  AGENT_DISPATCHES,
  AGENT_RELEASES,
  EVENT_TYPES,
  TASK_BEGINNINGS,
  TASK_DISPATCHES,
  WORK_BEGINS,
  WORKED_ON_BEFORE,
} from '../vocabulary.ts';
import type { ReadCheck, ReadLoggedEvent } from './log-check.ts';

/** What an event type means for tasks and agents. */
interface Role {
  readonly sendsAgent: boolean;
  readonly freesAgent: boolean;
  readonly sendsToTask: boolean;
  readonly begins: boolean;
  readonly isLater: boolean;
}

function roleOf(type: string): Role | undefined {
  const role = {
    sendsAgent: AGENT_DISPATCHES.has(type),
    freesAgent: AGENT_RELEASES.has(type),
    sendsToTask: TASK_DISPATCHES.has(type),
    begins: TASK_BEGINNINGS.has(type),
    isLater: WORKED_ON_BEFORE.test(type),
  };
  return Object.values(role).includes(true) ? role : undefined;
}

/** Computed once per documented type, because a log may have millions of events. */
const ROLES: ReadonlyMap<string, Role | undefined> = new Map(
  [...EVENT_TYPES.keys()].map((type) => [type, roleOf(type)]),
);

/**
 * Checks how tasks pass between agents (coordinator.md §5, §8). It keeps one small entry per task and per busy agent.
 */
export class FlowCheck extends ReportingCheck implements ReadCheck {
  /** The tasks that somebody worked on, with the line that completed them. Ids are ordinals of texts here. */
  readonly #tasks = new Map<number, number | undefined>();
  readonly #strangers = new Set<number>();
  /** Tasks that have ever been complete. */
  readonly #complete = new Set<number>();
  /** Who has worked on a task since it was last begun, and whether an auditor has. */
  readonly #workers = new Map<number, { readonly agents: number[]; audited: boolean }>();
  readonly #busy = new Map<number, { readonly task: number; readonly line: number }>();
  #session: string | undefined;

  row(read: ReadLoggedEvent): void {
    const { type, sessionId } = read.event;
    // Agents do not outlive their session (coordinator.md §7).
    if (sessionId !== this.#session || type === 'session_resumed') this.#busy.clear();
    this.#session = sessionId;
    if (type === 'state_checkpoint') this.#checkpoint(read);
    const role = ROLES.has(type) ? ROLES.get(type) : roleOf(type);
    if (role === undefined) return;
    const { sendsAgent, freesAgent, sendsToTask, begins, isLater } = role;
    if (sendsAgent || freesAgent) this.#agent(read, role);
    const { task } = read;
    if (task < 0) return;
    if (sendsToTask) this.#dispatch(read);
    if (type === 'developer_dispatched') this.#waits(read);
    this.#work(read);
    if (begins) this.#tasks.set(task, undefined);
    else if (isLater) this.#later(read);
    if (type === 'task_complete') {
      this.#tasks.set(task, read.logged.line);
      this.#complete.add(task);
    }
  }

  #agent({ logged, agent, task, texts }: ReadLoggedEvent, { sendsAgent, freesAgent }: Role): void {
    if (agent < 0) return;
    if (freesAgent) this.#busy.delete(agent);
    if (!sendsAgent) return;
    const before = this.#busy.get(agent);
    if (before !== undefined) {
      const work = before.task < 0 ? 'busy' : `on task ${named(texts.textOf(before.task))}`;
      const actual = texts.textOf(agent);
      const message = `agent ${named(actual)} has been ${work} since line ${before.line}, and was not released`;
      this.report.at(logged, { code: 'order/agent-busy', message, path: ['agent_id'], actual });
    }
    this.#busy.set(agent, { task, line: logged.line });
  }

  /** Checks that a task is not completed by an agent that worked on it, without an audit (coordinator.md §3). */
  #work({ logged, event: { type }, task, agent, texts }: ReadLoggedEvent): void {
    if (WORK_BEGINS.test(type)) {
      const { agents = [] } = this.#workers.get(task) ?? {};
      this.#workers.set(task, { agents: [...agents, agent], audited: false });
    }
    const workers = this.#workers.get(task);
    if (workers === undefined) return;
    if (type === 'critic_dispatched') workers.agents.push(agent);
    if (type.startsWith('auditor_') || type === 'task_reverification_required') workers.audited = true;
    if (type !== 'task_complete' || workers.audited || (agent >= 0 && !workers.agents.includes(agent)))
      return;
    const who = agent < 0 ? 'nobody' : `${named(texts.textOf(agent))}, who worked on it`;
    const message = `task ${named(texts.textOf(task))} is completed by ${who}, but no auditor was sent to it`;
    this.report.at(logged, { code: 'order/unaudited', message, path: ['agent_id'] });
  }

  #waits({ logged, event: { detail }, task, texts }: ReadLoggedEvent): void {
    const open = idsIn(detail('blocked_by')).filter((id) => !this.#complete.has(texts.intern(id)));
    if (open.length === 0) return;
    const message = `task ${named(texts.textOf(task))} waits for ${open.map(named).join(', ')}, which is not complete`;
    this.report.at(logged, { code: 'order/while-blocked', message, path: ['details', 'blocked_by'] });
  }

  #dispatch({ logged, event, task, texts }: ReadLoggedEvent): void {
    const complete = this.#tasks.get(task);
    if (complete === undefined) return;
    const message = `task ${named(texts.textOf(task))} was complete on line ${complete}, and no event asked for it again`;
    this.report.at(logged, {
      code: 'order/redispatched',
      message,
      path: [event.typeKey],
      actual: event.type,
    });
    this.#tasks.set(task, undefined);
  }

  #later({ logged, event, task, texts }: ReadLoggedEvent): void {
    if (this.#tasks.has(task) || this.#strangers.has(task)) return;
    this.#strangers.add(task);
    const actual = texts.textOf(task);
    const message = `${named(event.type)} of task ${named(actual)}, but no developer was ever sent to it`;
    this.report.at(logged, { code: 'order/undispatched', message, path: ['task_id'], actual });
  }

  #checkpoint({ event: { detail }, texts }: ReadLoggedEvent): void {
    for (const name of ['completed_tasks', 'in_progress_tasks']) {
      for (const id of idsIn(detail(name))) {
        this.#tasks.set(texts.intern(id), undefined);
        if (name === 'completed_tasks') this.#complete.add(texts.intern(id));
      }
    }
  }
}
