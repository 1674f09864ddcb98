import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';

/** Finds the tasks of a state by id, while patches change the list under it. */
export class TaskFinder {
  readonly #document: JsonObject;
  #places: Map<string, number> | undefined;

  constructor(document: JsonObject) {
    this.#document = document;
  }

  get list(): JsonValue[] | undefined {
    const tasks = this.#document['tasks'];
    return Array.isArray(tasks) ? tasks : undefined;
  }

  /** The task of an id; of several the first. */
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
    // A patch may have given the place to another task.
    return isObject(task) && task['id'] === id ? index : -1;
  }

  /** Says that a task may have another id now, or that there is a new one. */
  changed(index: number): void {
    const task = this.list?.[index];
    const id = isObject(task) ? task['id'] : undefined;
    if (this.#places === undefined || typeof id !== 'string') return;
    const before = this.list?.[this.#places.get(id) ?? -1];
    if (!isObject(before) || before['id'] !== id) this.#places.set(id, index);
  }

  /** Says that the whole list may be another. */
  replaced(): void {
    this.#places = undefined;
  }
}
