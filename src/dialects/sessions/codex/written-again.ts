import { type JsonObject, jsonEqual } from '../../../base/json/value.ts';
import { parseInstant } from '../../../base/time/instant.ts';
import { textIn } from '../../kit/members.ts';
import { callIdOf, type Item, itemOf, turnOf } from './records.ts';

/** A record with this id. A shortened one has no id. */
const keyOf = ({ type, kind }: Item, id?: string): string => `${type} ${kind} ${id}`;

const idOf = (item: Item): string | undefined => callIdOf(item) ?? turnOf(item) ?? textIn(item.payload, 'id');

/**
 * Recognises records that are in the log again. The program writes records in the order of their times, so only those of
 * an earlier time, or of the time of the record before, can be. Copies of another thread's records may all have one time:
 * among them, equal records without an id are several.
 */
export class WrittenAgain {
  readonly #seen = new Set<string>();
  /** The records of the latest time, by key. */
  #now = new Map<string, JsonObject[]>();
  #latest = -Infinity;

  /** `isCopied`: the record is one of a copied history. */
  isAgain(event: JsonObject, item: Item, isCopied = false): boolean {
    const time = textIn(event, 'timestamp');
    const instant = parseInstant(time ?? '');
    if (instant === undefined) return false;
    const id = idOf(item);
    const key = keyOf(item, id);
    const full = `${time} ${key}`;
    if (instant < this.#latest) {
      if (this.#seen.has(full)) return true;
    } else {
      if (instant > this.#latest) this.#now = new Map();
      this.#latest = instant;
      const equal = this.#now.get(key) ?? [];
      if ((id !== undefined || !isCopied) && equal.some((other) => jsonEqual(other, event))) return true;
      equal.push(event);
      this.#now.set(key, equal);
    }
    this.#seen.add(full);
    // A copy of a call may be shortened.
    if (callIdOf(item) !== undefined) this.#seen.add(`${time} ${keyOf(item)}`);
    return false;
  }
}

/** Recognises records of a rollout that are in the log again. */
export function againIn(): (event: JsonObject) => boolean {
  const written = new WrittenAgain();
  return (event) => written.isAgain(event, itemOf(event));
}
