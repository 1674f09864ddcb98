import { GrowingNumbers } from './growing-numbers.ts';
import { PlainTextIndex } from './text-index.ts';

/** A set of ids that says which came when, and on which line. Ordinals count from 0 in the order in which ids came. */
export class IdIndex {
  readonly #ids = new PlainTextIndex();
  readonly #lines = new GrowingNumbers(Int32Array);

  /** How many different ids there are. */
  get size(): number {
    return this.#ids.size;
  }

  /** Adds an id; its line is kept. Returns the ordinal of an equal one that was there before, or -1 when it is new. */
  add(id: string, line: number): number {
    const { size } = this.#ids;
    const ordinal = this.#ids.intern(id);
    if (ordinal < size) return ordinal;
    this.#lines.set(ordinal, line);
    return -1;
  }

  /** The ordinal of an id, or -1. */
  find(id: string): number {
    return this.#ids.find(id);
  }

  /** The line on which an id came first. */
  lineOf(ordinal: number): number {
    return this.#lines.get(ordinal);
  }
}
