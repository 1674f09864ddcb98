import type { JsonPath } from '../../../base/json/path.ts';
import { isNumber } from '../../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { Evidence } from '../../../findings/projection/evidence.ts';
import { stringOf } from '../../kit/members.ts';
import { FINAL_PHASES, initialPhase, noArtifacts, noSynthesis } from '../workflow-types.ts';
import { applyPatch } from './patch.ts';
import { SourceTree } from './sources.ts';

/** The parts of a state that a log may have evidence for, in the order of the state file. */
export const STATE_PARTS = [
  'featureId',
  'workflowType',
  'phase',
  'createdAt',
  'updatedAt',
  'artifacts',
  'tasks',
  'worktrees',
  'reviews',
  'synthesis',
  'oneshot',
] as const;

/** All parts of a document: those above, and keys that patches have set. */
export function partsOf(document: JsonObject): string[] {
  return [...new Set([...STATE_PARTS, ...Object.keys(document)])];
}

/** A task as in the state file, whose schema adds `blockedBy`. */
function storedForm(task: JsonValue): JsonValue {
  return isObject(task) && !Object.hasOwn(task, 'blockedBy') ? { ...task, blockedBy: [] } : task;
}

/** A part of the state, with the file's defaults for tasks; undefined if no event set it. */
export function partOf(document: JsonObject, part: string): JsonValue | undefined {
  const value = Object.hasOwn(document, part) ? document[part] : undefined;
  return part === 'tasks' && Array.isArray(value) ? value.map(storedForm) : value;
}

/**
 * Which events count. The program changes its state file on `set`, cancel, cleanup and completed tasks; it only logs
 * other events about tasks and reviews (exarchos.md §12.5, §18.27), but its views use them (§12.1).
 */
type Reading = 'state-file' | 'all-events';

/** Returns the event behind a value. Called on demand. */
type Source = () => Evidence;

const dataOf = ({ data }: JsonObject): JsonObject => (isObject(data) ? data : {});

/** Finds tasks by id, while patches change the list. */
class TaskFinder {
  readonly #document: JsonObject;
  #places: Map<string, number> | undefined;

  constructor(document: JsonObject) {
    this.#document = document;
  }

  get list(): JsonValue[] | undefined {
    const tasks = this.#document['tasks'];
    return Array.isArray(tasks) ? tasks : undefined;
  }

  /** The first task with an id. */
  find(id: string): JsonObject | undefined {
    const index = this.indexOf(id);
    const task = index < 0 ? undefined : this.list?.[index];
    return isObject(task) ? task : undefined;
  }

  indexOf(id: string): number {
    const list = this.list;
    if (list === undefined) return -1;
    if (this.#places === undefined) {
      this.#places = new Map();
      for (let index = 0; index < list.length; index += 1) this.changed(index);
    }
    const index = this.#places.get(id) ?? -1;
    const task = list[index];
    // A patch may have put another task in this place.
    return isObject(task) && task['id'] === id ? index : -1;
  }

  /** Call this after a task was added, or may have another id. */
  changed(index: number): void {
    const task = this.list?.[index];
    const id = isObject(task) ? task['id'] : undefined;
    if (this.#places === undefined || typeof id !== 'string') return;
    const before = this.list?.[this.#places.get(id) ?? -1];
    if (!isObject(before) || before['id'] !== id) this.#places.set(id, index);
  }

  /** Call this after the whole list may have changed. */
  replaced(): void {
    this.#places = undefined;
  }
}

/** Rebuilds the state of one workflow. */
export class WorkflowFold {
  /** The state so far. A part that no event has set is absent. */
  readonly document: JsonObject = {};
  readonly sources = new SourceTree();
  /** Whether a synthesis was requested; several requests count as one (exarchos.md §12.1). */
  synthesisRequested = false;
  readonly #reading: Reading;
  readonly #tasks = new TaskFinder(this.document);

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Adds the next event of the log. */
  add(event: JsonObject, source: Source): void {
    const { type } = event;
    if (typeof type !== 'string' || !this.#apply(type, event, source)) return;
    const { timestamp } = event;
    if (typeof timestamp === 'string') this.#set(['updatedAt'], timestamp, source());
  }

  /** Applies an event. Returns whether it changed the state. */
  #apply(type: string, event: JsonObject, source: Source): boolean {
    switch (type) {
      case 'workflow.started':
        this.#start(dataOf(event), event, source());
        return true;
      case 'workflow.transition':
        return this.#setText(['phase'], dataOf(event)['to'], source());
      case 'workflow.cancel':
      case 'workflow.cleanup':
      case 'workflow.pruned':
        return this.#setText(['phase'], FINAL_PHASES[type], source());
      case 'state.patched':
        return this.#patch(dataOf(event)['patch'], source());
      case 'synthesize.requested':
        this.synthesisRequested = true;
        return false;
      case 'task.completed':
        return this.#taskEnded(dataOf(event), 'complete', event, source());
      default:
        return this.#reading === 'all-events' && this.#applyLogged(type, event, source);
    }
  }

  /** Applies events that the program logs without changing its state file. */
  #applyLogged(type: string, event: JsonObject, source: Source): boolean {
    switch (type) {
      case 'task.assigned':
        return this.#assignTask(dataOf(event), source());
      case 'task.failed':
        return this.#taskEnded(dataOf(event), 'failed', event, source());
      case 'stack.position-filled': {
        const data = dataOf(event);
        return this.#updateTask(data, { branch: data['branch'] }, source());
      }
      case 'review.routed': {
        const data = dataOf(event);
        const { pr } = data;
        if (!isNumber(pr)) return false;
        applyPatch(this.document, { reviews: { [String(pr)]: data } }, (path) =>
          this.sources.set(path, source()),
        );
        return true;
      }
      default:
        return false;
    }
  }

  #start(data: JsonObject, { timestamp }: JsonObject, source: Evidence): void {
    const { featureId, workflowType, synthesisPolicy } = data;
    this.#setText(['featureId'], featureId, source);
    this.#setText(['workflowType'], workflowType, source);
    this.#setText(['phase'], initialPhase(workflowType), source);
    if (typeof timestamp === 'string') this.#set(['createdAt'], timestamp, source);
    const empty = {
      artifacts: noArtifacts(),
      tasks: [],
      worktrees: {},
      reviews: {},
      synthesis: noSynthesis(),
    };
    for (const [part, value] of Object.entries(empty)) {
      if (!Object.hasOwn(this.document, part)) this.#set([part], value, source);
    }
    if (workflowType === 'oneshot' && typeof synthesisPolicy === 'string') {
      this.#set(['oneshot'], { synthesisPolicy }, source);
    }
  }

  #set(path: readonly [string], value: JsonValue, source: Evidence): void {
    this.document[path[0]] = value;
    this.sources.set(path, source);
  }

  #setText(path: readonly [string], value: JsonValue | undefined, source: Evidence): boolean {
    if (typeof value !== 'string') return false;
    this.#set(path, value, source);
    return true;
  }

  #patch(patch: JsonValue | undefined, source: Evidence): boolean {
    if (!isObject(patch)) return false;
    applyPatch(this.document, patch, (path) => {
      this.sources.set(path, source);
      this.#updateIndex(path);
    });
    return true;
  }

  #updateIndex([part, index, key]: JsonPath): void {
    if (part !== 'tasks') return;
    if (typeof index !== 'number') this.#tasks.replaced();
    else if (key === undefined || key === 'id') this.#tasks.changed(index);
  }

  #assignTask(data: JsonObject, source: Evidence): boolean {
    const id = stringOf(data['taskId']);
    if (id === undefined) return false;
    if (this.#tasks.find(id) === undefined) {
      if (this.document['tasks'] === undefined) this.document['tasks'] = [];
      const list = this.#tasks.list;
      if (list === undefined) return false;
      this.#tasks.indexOf(id);
      list.push({ id, title: '', status: 'pending' });
      this.#tasks.changed(list.length - 1);
      this.sources.set(['tasks', list.length - 1], source);
    }
    const { title, branch, worktree } = data;
    return this.#updateTask(data, { title, status: 'pending', branch, worktreePath: worktree }, source);
  }

  #taskEnded(data: JsonObject, status: string, { timestamp }: JsonObject, source: Evidence): boolean {
    const completed = status === 'complete' && this.#reading === 'all-events';
    return this.#updateTask(data, { status, completedAt: completed ? timestamp : undefined }, source);
  }

  /** Changes members of the task that the data names. Ignores unknown ids, as the program does. */
  #updateTask(
    data: JsonObject,
    members: Readonly<Record<string, JsonValue | undefined>>,
    source: Evidence,
  ): boolean {
    const id = stringOf(data['taskId']);
    const index = id === undefined ? -1 : this.#tasks.indexOf(id);
    const task = id === undefined ? undefined : this.#tasks.find(id);
    if (task === undefined) return false;
    for (const [key, value] of Object.entries(members)) {
      if (typeof value !== 'string') continue;
      task[key] = value;
      this.sources.set(['tasks', index, key], source);
    }
    return true;
  }
}
