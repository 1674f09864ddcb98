import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';

/** The id of the projection whose snapshots are these documents. */
export const REHYDRATION = 'rehydration@v1';

/** The status of a task in a rehydration document. */
type RehydratedStatus = 'pending' | 'assigned' | 'completed' | 'failed';

const RANK: Readonly<Record<RehydratedStatus, number>> = { pending: 0, assigned: 1, completed: 2, failed: 2 };

const TASK_EVENTS: ReadonlyMap<unknown, RehydratedStatus> = new Map([
  ['task.assigned', 'assigned'],
  ['task.completed', 'completed'],
  ['task.failed', 'failed'],
]);

/** The statuses of a patched task. All others count as pending. */
const PATCHED: ReadonlyMap<unknown, RehydratedStatus> = new Map([
  ['failed', 'failed'],
  ['complete', 'completed'],
  ['completed', 'completed'],
  ['in_progress', 'assigned'],
]);

const filled = (value: JsonValue | undefined): value is string => typeof value === 'string' && value !== '';

/** The members of a payload that exist. */
function pick(data: JsonObject, ...keys: string[]): JsonObject {
  return Object.fromEntries(keys.flatMap((key) => (data[key] === undefined ? [] : [[key, data[key]]])));
}

/** Rebuilds a rehydration document from the events of a log. Unlike elsewhere, keys of patches are not paths. */
export class RehydrationFold {
  #handled = 0;
  #state = { featureId: '', phase: '', workflowType: '' };
  readonly #tasks = new Map<string, RehydratedStatus>();
  readonly #artifacts = new Map<string, string>();
  readonly #blockers: JsonObject[] = [];

  add({ type, data }: JsonObject): void {
    if (isObject(data) && this.#apply(type, data)) this.#handled += 1;
  }

  /** The document from which an agent continues a workflow, `rehydration@v1` (exarchos.md §12.2). */
  result() {
    return {
      v: 1,
      // The number of handled events, which is not a position in the log.
      projectionSequence: this.#handled,
      behavioralGuidance: { skill: '', skillRef: '' },
      workflowState: { ...this.#state },
      taskProgress: [...this.#tasks].map(([id, status]) => ({ id, status })),
      decisions: [],
      artifacts: Object.fromEntries(this.#artifacts),
      blockers: [...this.#blockers],
    };
  }

  #apply(type: JsonValue | undefined, data: JsonObject): boolean {
    const { featureId, workflowType, to, taskId } = data;
    const status = TASK_EVENTS.get(type);
    if (status !== undefined) {
      if (!filled(taskId)) return false;
      this.#tasks.set(taskId, status);
      return true;
    }
    switch (type) {
      case 'workflow.started':
        // The phase does not change: only a transition sets it.
        if (!filled(featureId) || !filled(workflowType)) return false;
        this.#state = { ...this.#state, featureId, workflowType };
        return true;
      case 'workflow.transition':
        if (!filled(to)) return false;
        this.#state.phase = to;
        return true;
      case 'state.patched':
        return this.#patch(data['patch']);
      default:
        return this.#block(type, data);
    }
  }

  #block(type: JsonValue | undefined, data: JsonObject): boolean {
    switch (type) {
      case 'workflow.guard-failed':
        this.#blockers.push({
          source: type,
          guard: data['guard'] ?? 'unknown-guard',
          ...pick(data, 'from', 'to'),
        });
        return true;
      case 'review.completed':
        if (data['verdict'] !== 'blocked') return false;
        this.#blockers.push({ source: type, ...pick(data, 'stage', 'summary') });
        return true;
      case 'review.escalated':
        this.#blockers.push({ source: type, ...pick(data, 'reason', 'triggeringFinding') });
        return true;
      default:
        return false;
    }
  }

  #patch(patch: JsonValue | undefined): boolean {
    if (!isObject(patch)) return false;
    const { artifacts, tasks } = patch;
    if (isObject(artifacts)) {
      for (const [name, value] of Object.entries(artifacts)) {
        if (typeof value === 'string') this.#artifacts.set(name, value);
        else if (value === null) this.#artifacts.delete(name);
      }
    }
    if (Array.isArray(tasks)) for (const task of tasks) if (isObject(task)) this.#raise(task);
    return isObject(artifacts) || Array.isArray(tasks);
  }

  /** A patch can advance a known task, but not set it back. */
  #raise({ id, status }: JsonObject): void {
    if (typeof id !== 'string') return;
    const word = PATCHED.get(status) ?? 'pending';
    const known = this.#tasks.get(id);
    if (known === undefined || RANK[word] > RANK[known]) this.#tasks.set(id, word);
  }
}
