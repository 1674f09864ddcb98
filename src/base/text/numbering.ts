import type { Sequence } from './matching.ts';

/** Numbers texts from 0. Equal texts get equal numbers. */
export class Numbering {
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }

  /** The numbers of texts, as a sequence to align with another one. */
  sequence(texts: readonly string[]): Sequence {
    return Int32Array.from(texts, (text) => this.of(text));
  }
}
