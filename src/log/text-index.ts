import { LargeMap } from './large-map.ts';

/** The texts of one log that are compared as wholes, ids above all: each has an ordinal, from 0. */
export interface TextIndex {
  readonly size: number;
  /** The ordinal of an equal text, or -1. */
  find(text: string): number;
  /** The ordinal of a text, which is kept where it is new. */
  intern(text: string): number;
  textOf(ordinal: number): string;
}

/** The index of a log that is read without the accelerator. */
export class PlainTextIndex implements TextIndex {
  readonly #ordinals = new LargeMap<number>();
  readonly #texts: string[] = [];

  get size(): number {
    return this.#texts.length;
  }

  find(text: string): number {
    return this.#ordinals.get(text) ?? -1;
  }

  intern(text: string): number {
    const known = this.#ordinals.get(text);
    if (known !== undefined) return known;
    const ordinal = this.#texts.push(text) - 1;
    this.#ordinals.add(text, ordinal);
    return ordinal;
  }

  textOf(ordinal: number): string {
    return this.#texts[ordinal] ?? '';
  }
}
