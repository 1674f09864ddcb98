import { LargeMap } from './large-map.ts';

/** The texts of a log that are compared as a whole, mainly ids. Each has an ordinal, from 0. */
export interface TextIndex {
  readonly size: number;
  /** The ordinal of an equal text, or -1. */
  find(text: string): number;
  /** Adds a text if it is new, and returns its ordinal. */
  intern(text: string): number;
  textOf(ordinal: number): string;
}

/** The index for logs read without the accelerator. */
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
