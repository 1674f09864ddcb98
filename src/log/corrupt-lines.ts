import type { Corruption } from './corruption.ts';
import { GrowingNumbers } from './growing-numbers.ts';

/** At most this many corrupt lines are listed. */
const MOST_NAMED = 20;

/** Skipped corrupt lines, as plain data. None, if the only fault is a byte order mark: its record was read. */
export interface SkippedLines {
  readonly count: number;
  /** The first of their line numbers. */
  readonly lines: readonly number[];
  /** The fault of the first line; without one, of the log. */
  readonly reason: string;
}

/** The skipped lines of the logs of a run. */
export interface SkippedInRun {
  readonly skipped?: SkippedLines | undefined;
  /** Those of further logs and logs of subagents, by path. Undefined if all of them are intact. */
  readonly skippedInParts?: ReadonlyMap<string, SkippedLines> | undefined;
}

/** The corrupt lines of a log. By default the first one ends the reading. */
export class CorruptLines {
  readonly #skips: boolean;
  /** Receives each line once, in order with the records around it. */
  onLine: ((line: number) => void) | undefined;
  readonly #lines = new GrowingNumbers(Float64Array);
  #first: Corruption | undefined;
  #firstSkipped: Corruption | undefined;
  /** The last line that was added. */
  #last = 0;

  /** `skips`: continue after corrupt lines. */
  constructor(skips = false) {
    this.#skips = skips;
  }

  add(corruption: Corruption): void {
    this.#first ??= corruption;
    if (corruption.code === 'log/bom') return;
    this.#firstSkipped ??= corruption;
    this.#add(corruption.line);
  }

  /** Whether a corruption must be described: the first one, and the first for which a line is skipped. Counts the others. */
  wants(line: number): boolean {
    if (this.#firstSkipped === undefined) return true;
    this.#add(line);
    return false;
  }

  /** A line may have several faults. */
  #add(line: number): void {
    if (line === this.#last) return;
    this.#last = line;
    this.#lines.add(line);
    this.onLine?.(line);
  }

  get first(): Corruption | undefined {
    return this.#first;
  }

  /** The numbers of the skipped lines, in order. */
  get lines(): Float64Array {
    return this.#lines.all;
  }

  /** The corruption that ends the reading, if any. */
  get ending(): Corruption | undefined {
    return this.#skips ? undefined : this.#first;
  }

  /** The skipped lines; undefined if the log is intact. */
  get skipped(): SkippedLines | undefined {
    if (!this.#skips || this.#first === undefined) return undefined;
    const { lines } = this;
    const { message: reason } = this.#firstSkipped ?? this.#first;
    return { count: lines.length, lines: [...lines.subarray(0, MOST_NAMED)], reason };
  }
}
