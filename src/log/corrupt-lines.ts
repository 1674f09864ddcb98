import type { Corruption } from './corruption.ts';

/** So many corrupt lines are named. */
const MOST_NAMED = 20;

/** What corrupt lines a reader came past, as plain data. */
export interface SkippedLines {
  readonly count: number;
  /** The first of them. */
  readonly lines: readonly number[];
  /** What is wrong with the first. */
  readonly reason: string;
}

/** The corrupt lines of a log that is read: by default the first one ends the reading. */
export class CorruptLines {
  readonly #skips: boolean;
  readonly #lines: number[] = [];
  #count = 0;
  #first: Corruption | undefined;

  /** `skips`: goes on past them. */
  constructor(skips = false) {
    this.#skips = skips;
  }

  add(corruption: Corruption): void {
    this.#count += 1;
    this.#first ??= corruption;
    if (this.#lines.length < MOST_NAMED) this.#lines.push(corruption.line);
  }

  /** The first of them, where it ends the reading. */
  get ending(): Corruption | undefined {
    return this.#skips ? undefined : this.#first;
  }

  /** What was gone past; undefined where nothing was. */
  get skipped(): SkippedLines | undefined {
    if (!this.#skips || this.#first === undefined) return undefined;
    return { count: this.#count, lines: this.#lines, reason: this.#first.message };
  }
}
