import type { JsonPath } from '../../../base/json/path.ts';
import { isNumber } from '../../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue, jsonEqual } from '../../../base/json/value.ts';
import type { LogFacts } from './log-facts.ts';
import { type Change, StateDifferences } from './state-differences.ts';

/** Why a member is not compared. */
export const ABSENT = 'state.json does not have it';
const NOT_IN_LOG = 'the event that gives the rest does not have it';

export const idOf = (item: JsonValue | undefined): string | undefined => {
  const id = isObject(item) ? (item['task_id'] ?? item['id']) : item;
  return typeof id === 'string' || isNumber(id) ? String(id) : undefined;
};

/** An entry of a list or map. */
interface Entry {
  readonly key: string | number;
  readonly item: JsonValue;
}

/** A map of a state file: which entries it must have, and which it may have. */
interface StoredMap<T> {
  readonly must: ReadonlyMap<string, T>;
  readonly may?: ReadonlyMap<string, T>;
  /** The last event that changed an entry. `stored`: its value, if the state has it. */
  readonly change: (key: string, stored?: JsonValue) => Change | undefined;
  readonly compare: (path: JsonPath, given: T, stored: JsonValue, change: Change | undefined) => void;
}

/** Compares members of a state file with what the log says about them. */
export class StateParts {
  readonly state: JsonObject;
  readonly found: StateDifferences;
  readonly #change: LogFacts['change'];

  constructor(state: JsonObject, { change, startOf }: Pick<LogFacts, 'change' | 'startOf'>) {
    this.state = state;
    this.found = new StateDifferences(state, startOf(state['session_id']));
    this.#change = change;
  }

  /** Compares a member, if the log determines it and the state has it. */
  member(name: string, given: JsonValue | undefined, part: string): void {
    if (given === undefined) return;
    const stored = this.state[name];
    if (stored === undefined) this.found.skip([name], ABSENT);
    else this.found.value([name], given, stored, this.#change(part));
  }

  /** Compares a member that may have several values. */
  oneOf(name: string, given: readonly JsonValue[], part: string): void {
    const stored = this.state[name];
    const same = given.find((value) => stored !== undefined && jsonEqual(value, stored));
    this.member(name, same ?? given[0], part);
  }

  /** Compares a member if both have it. */
  stored(
    path: JsonPath,
    given: JsonValue | undefined,
    stored: JsonValue | undefined,
    change: Change | undefined,
  ) {
    if (stored === undefined) this.found.skip(path, ABSENT);
    else if (given === undefined) this.found.skip(path, NOT_IN_LOG);
    else this.found.value(path, given, stored, change);
  }

  /** The entries of a list or of a map; undefined for other values. */
  entries(name: string): Entry[] | undefined {
    const stored = this.state[name];
    if (Array.isArray(stored)) return stored.map((item, key) => ({ key, item }));
    return isObject(stored) ? Object.entries(stored).map(([key, item]) => ({ key, item })) : undefined;
  }

  /** The entries of a member that should be a list or a map. Says so if it is neither. */
  required(name: string, expected: JsonValue, part: string): Entry[] | undefined {
    const entries = this.entries(name);
    if (entries === undefined) {
      if (this.state[name] === undefined) this.found.skip([name], ABSENT);
      else this.found.differ([name], expected, this.state[name], this.#change(part));
    } else if (entries.length === 0) this.found.compared([name]);
    return entries;
  }

  /** Compares a map by its keys, and the values of those that it shares with the log. */
  map<T>(name: string, { must, may = must, change, compare }: StoredMap<T>): void {
    const stored = this.state[name];
    if (stored === undefined) {
      this.found.skip([name], ABSENT);
      return;
    }
    if (!isObject(stored)) {
      const [key = ''] = must.keys();
      this.found.differ([name], [...must.keys()], stored, change(key));
      return;
    }
    if (Object.keys(stored).length === 0) this.found.compared([name]);
    for (const [key, item] of Object.entries(stored)) {
      const changed = change(key, item);
      if (may.has(key)) compare([name, key], may.get(key) as T, item, changed);
      else this.found.differ([name, key], undefined, item, changed);
    }
    for (const key of must.keys())
      if (!Object.hasOwn(stored, key)) this.found.differ([name, key], key, undefined, change(key));
  }
}
