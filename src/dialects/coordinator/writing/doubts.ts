import type { JsonObject } from '../../../base/json/value.ts';
import { named } from '../../../base/json/write.ts';
import { has, typeIssues } from '../checks/details.ts';
import { type CoordinatorEvent, conflictsIn, idsIn, readEvent } from '../read.ts';
import { isFormerType, RevisionReader } from '../upcasters.ts';
import {
  EVENT_TYPES,
  isOtherType,
  RECOVERY_TYPES,
  TASK_BEGINNINGS,
  TASK_DISPATCHES,
  WORKED_ON_BEFORE,
} from '../vocabulary.ts';

/** What `verify` would report about an event by itself: an unknown type, missing details, contradicting values. */
export function contentDoubts(event: CoordinatorEvent): string[] {
  const { type, stored } = event;
  const conflicts = conflictsIn(stored).map(
    (name) => `${named(name)} differs between details and the top level`,
  );
  const spec = EVENT_TYPES.get(type);
  if (spec === undefined) {
    if (isOtherType(type)) return conflicts;
    const why = isFormerType(type) ? 'a name that only older logs use' : 'not a documented type';
    return [...conflicts, `${named(type)} is ${why}`];
  }
  const missing = RECOVERY_TYPES.has(type) ? [] : spec.fields.filter((name) => !has(event, name));
  const wrong = typeIssues(event, spec.fields).map(({ message }) => message);
  return [
    ...conflicts,
    ...(missing.length > 0 ? [`${named(type)} lacks ${missing.join(', ')}`] : []),
    ...wrong,
  ];
}

/** What the order of events depends on for a task. */
interface Task {
  readonly isComplete: boolean;
  /** Who has worked on it since it was last begun. */
  readonly workers: readonly string[];
  readonly isAudited: boolean;
}

const BEGUN: Task = { isComplete: false, workers: [], isAudited: false };

/** The sessions and tasks of a log so far. */
export class PlanSoFar {
  /** By the id of a session: whether the workflow is complete in it. */
  readonly #sessions: Map<string, boolean>;
  readonly #tasks: Map<string, Task>;
  readonly #revisions = new RevisionReader();
  /** Whether the log was rebuilt, so that sessions and tasks may have begun in the lost one. */
  #isRebuilt = false;

  constructor(sessions: Iterable<[string, boolean]> = [], tasks: Iterable<[string, Task]> = []) {
    this.#sessions = new Map(sessions);
    this.#tasks = new Map(tasks);
  }

  copy(): PlanSoFar {
    const copy = new PlanSoFar(this.#sessions, this.#tasks);
    copy.#isRebuilt = this.#isRebuilt;
    return copy;
  }

  /** What `verify` would report about the next event. */
  doubts(event: CoordinatorEvent): string[] {
    return this.#isRebuilt ? [] : [...this.#session(event), ...this.#task(event)];
  }

  /** Adds the next event of the log. */
  take(stored: JsonObject): void {
    const event = readEvent(this.#revisions.read(stored));
    if (event === undefined) return;
    const { type, sessionId, taskId, agentId, detail } = event;
    if (RECOVERY_TYPES.has(type)) this.#isRebuilt = true;
    if (sessionId !== undefined)
      this.#sessions.set(sessionId, type === 'workflow_complete' || this.#sessions.get(sessionId) === true);
    for (const id of idsIn(detail('completed_tasks'))) this.#tasks.set(id, { ...BEGUN, isComplete: true });
    if (taskId === undefined) return;
    const worker = agentId === undefined ? [] : [agentId];
    const task = this.#tasks.get(taskId);
    if (TASK_BEGINNINGS.has(type))
      this.#tasks.set(taskId, {
        ...BEGUN,
        workers: worker,
        isAudited: type === 'task_reverification_required',
      });
    else if (task === undefined) return;
    else if (type === 'task_complete') this.#tasks.set(taskId, { ...task, isComplete: true });
    else if (type === 'critic_dispatched')
      this.#tasks.set(taskId, { ...task, workers: [...task.workers, ...worker] });
    else if (type.startsWith('auditor_')) this.#tasks.set(taskId, { ...task, isAudited: true });
  }

  #session({ type, sessionId = '', detail }: CoordinatorEvent): string[] {
    const isComplete = this.#sessions.get(sessionId);
    if (type === 'session_resumed') {
      const previous = detail('previous_session_id');
      const isKnown =
        typeof previous !== 'string' || previous === 'recovered' || this.#sessions.has(previous);
      if (!isKnown || previous === sessionId)
        return [`the previous session, ${named(previous)}, is not in this log`];
    }
    const opens = type === 'session_start' || type === 'session_resumed';
    if (isComplete === undefined && !opens)
      return [`the session ${named(sessionId)} was neither started nor resumed`];
    return isComplete ? ['the workflow is complete in this session'] : [];
  }

  #task({ type, taskId, agentId }: CoordinatorEvent): string[] {
    if (type === 'workflow_complete') {
      const open = [...this.#tasks].flatMap(([id, { isComplete }]) => (isComplete ? [] : [id]));
      return open.length === 0 ? [] : [`not every task is complete: ${open.map(named).join(', ')}`];
    }
    if (taskId === undefined) return [];
    const task = this.#tasks.get(taskId);
    if (task === undefined)
      return WORKED_ON_BEFORE.test(type) ? [`no developer was dispatched to task ${named(taskId)}`] : [];
    if (TASK_DISPATCHES.has(type) && task.isComplete)
      return [`task ${named(taskId)} is complete, and no event asked for it again`];
    const isOwn = agentId === undefined || task.workers.includes(agentId);
    return type === 'task_complete' && !task.isAudited && isOwn
      ? [`task ${named(taskId)} is completed by ${named(agentId ?? 'nobody')}, but no auditor was sent to it`]
      : [];
  }
}
