import type { JsonObject } from '../json/value.ts';
import { textIn } from './refuse-event.ts';
import type { StoredPlaces } from './stored-places.ts';
import type { Batch, Draft } from './writing.ts';

/** A batch whose events may have a key that makes a second one of it none. */
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
    const key = textIn(event, this.#keyName);
    const known = key === undefined ? undefined : this.known(event, key, index);
    if (known) return known;
    const draft = this.draft(event, index);
    if (key !== undefined && draft.kind === 'new') this.#keys.set(key, index);
    return draft;
  }

  /** The event that one with this key repeats: of the log, or of this batch. */
  protected known(_event: JsonObject, key: string, _index: number): Draft | undefined {
    const at = this.#stored.find(key);
    if (at) return { kind: 'stored', at };
    const index = this.#keys.get(key);
    return index === undefined ? undefined : { kind: 'repeated', index };
  }

  /** An event whose key, where it has one, is new. Throws `event-invalid`. */
  protected abstract draft(event: JsonObject, index: number): Draft;
}
