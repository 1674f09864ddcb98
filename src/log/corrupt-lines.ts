import type { Corruption } from './corruption.ts';

/** At most this many corrupt lines are listed. */
const MOST_NAMED = 20;

/** Skipped corrupt lines, as plain data. */
export interface SkippedLines {
  readonly count: number;
  /** The first of their line numbers. */
  readonly lines: readonly number[];
  /** The fault of the first line. */
  readonly reason: string;
}

/** The corrupt lines of a log. By default the first one ends the reading. */
export class CorruptLines {
  readonly #skips: boolean;
  readonly #lines: number[] = [];
  #count = 0;
  #first: Corruption | undefined;

  /** `skips`: continue after corrupt lines. */
  constructor(skips = false) {
    this.#skips = skips;
  }

  add(corruption: Corruption): void {
    this.#first ??= corruption;
    this.#add(corruption.line);
  }

  /** Whether a corruption must be described: the first one. Counts the others. */
  wants(line: number): boolean {
    if (this.#first === undefined) return true;
    this.#add(line);
    return false;
  }

  #add(line: number): void {
    this.#count += 1;
    if (this.#lines.length < MOST_NAMED) this.#lines.push(line);
  }

  get first(): Corruption | undefined {
    return this.#first;
  }

  /** The corruption that ends the reading, if any. */
  get ending(): Corruption | undefined {
    return this.#skips ? undefined : this.#first;
  }

  /** The skipped lines; undefined if there are none. */
  get skipped(): SkippedLines | undefined {
    if (!this.#skips || this.#first === undefined) return undefined;
    return { count: this.#count, lines: this.#lines, reason: this.#first.message };
  }
}
