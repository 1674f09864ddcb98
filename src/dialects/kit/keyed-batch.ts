import type { JsonObject } from '../../base/json/value.ts';
import { stringIn } from './members.ts';
import type { StoredPlaces } from './stored-places.ts';
import type { Batch, Draft } from './writing.ts';

/** A batch whose events may have a key. An event with an existing key is not written again. */
export abstract class KeyedBatch implements Batch {
  abstract readonly sequence: number;
  readonly #keyName: string;
  readonly #stored: StoredPlaces;
  readonly #keys = new Map<string, number>();
  #index = 0;

  constructor(keyName: string, stored: StoredPlaces) {
    this.#keyName = keyName;
    this.#stored = stored;
  }

  add(event: JsonObject): Draft {
    const index = this.#index;
    this.#index += 1;
    const key = stringIn(event, this.#keyName);
    const known = key === undefined ? undefined : this.known(event, key, index);
    if (known) return known;
    const draft = this.draft(event, index);
    if (key !== undefined && draft.kind === 'new') this.#keys.set(key, index);
    return draft;
  }

  /** The event with this key, in the log or in this batch. */
  protected known(_event: JsonObject, key: string, _index: number): Draft | undefined {
    const at = this.#stored.find(key);
    if (at) return { kind: 'stored', at };
    const index = this.#keys.get(key);
    return index === undefined ? undefined : { kind: 'repeated', index };
  }

  /** Drafts an event whose key, if any, is new. Throws `event-invalid`. */
  protected abstract draft(event: JsonObject, index: number): Draft;
}
