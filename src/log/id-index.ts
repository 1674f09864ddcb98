import { GrowingNumbers } from './growing-numbers.ts';
import { PlainTextIndex } from './text-index.ts';

/** A set of ids with the ordinal and line of each. Ordinals count from 0 in the order of insertion. */
export class IdIndex {
  readonly #ids = new PlainTextIndex();
  readonly #lines = new GrowingNumbers(Int32Array);

  get size(): number {
    return this.#ids.size;
  }

  /** Adds an id and its line. Returns the ordinal of an existing equal id, or -1 if it is new. */
  add(id: string, line: number): number {
    const { size } = this.#ids;
    const ordinal = this.#ids.intern(id);
    if (ordinal < size) return ordinal;
    this.#lines.set(ordinal, line);
    return -1;
  }

  find(id: string): number {
    return this.#ids.find(id);
  }

  /** The line on which an id first occurred. */
  lineOf(ordinal: number): number {
    return this.#lines.get(ordinal);
  }
}
