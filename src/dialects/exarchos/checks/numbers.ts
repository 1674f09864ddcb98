import type { IdIndex } from '../../../log/id-index.ts';
import { lastFrom } from '../../last-from.ts';

/** A stretch of numbers that went up by one, line by line. */
export interface Run {
  readonly from: number;
  to: number;
  /** The line of `from`; the others follow. */
  readonly line: number;
  /** How many numbers are missing before it, and how many of them came late. */
  readonly missing: number;
  late: number;
}

/** The numbers missing before a run: their range, and how many never came. */
export function gapBefore({ from, missing, late }: Run): {
  readonly from: number;
  readonly to: number;
  readonly missing: number;
} {
  return { from: from - missing, to: from - 1, missing: missing - late };
}

/** How a number relates to earlier ones. `line`: where it first occurred. */
export type Step =
  | { readonly kind: 'next' }
  | { readonly kind: 'skip'; readonly run: Run }
  | { readonly kind: 'late' }
  | { readonly kind: 'repeat'; readonly line: number };

/**
 * The sequence numbers of one stream. An undamaged stream is one run, whatever its length; memory grows with the
 * damage alone.
 */
export class SequenceNumbers {
  max = 0;
  last = 0;
  #lastLine = 0;
  /** Ascending, and so are the numbers in them. */
  readonly #runs: Run[] = [];
  readonly #late: IdIndex;
  readonly #name: string;

  /** `late` keeps the numbers that come after a higher one; streams may share it, each under its own name. */
  constructor(late: IdIndex, name: string) {
    this.#late = late;
    this.#name = name;
  }

  /** Takes in the number of the next record of the stream. */
  take(sequence: number, line: number): Step {
    const step = this.#judge(sequence, line);
    this.last = sequence;
    return step;
  }

  /** The first line with a number; undefined if there is none so far. */
  lineOf(sequence: number): number | undefined {
    const run = this.#runs[lastFrom(this.#runs, sequence)];
    if (run !== undefined && sequence <= run.to) return run.line + (sequence - run.from);
    const late = this.#late.find(this.#key(sequence));
    return late < 0 ? undefined : this.#late.lineOf(late);
  }

  /** How many places lack numbers that never came. */
  openGaps(): number {
    return this.#runs.filter(({ missing, late }) => missing > late).length;
  }

  #key(sequence: number): string {
    return `${this.#name}\0${sequence}`;
  }

  #judge(sequence: number, line: number): Step {
    const last = this.#runs.at(-1);
    if (sequence > this.max) {
      const missing = sequence - this.max - 1;
      const isNeighbour = missing === 0 && line === this.#lastLine + 1;
      this.max = sequence;
      this.#lastLine = line;
      if (last !== undefined && isNeighbour) {
        last.to = sequence;
        return { kind: 'next' };
      }
      const run: Run = { from: sequence, to: sequence, line, missing, late: 0 };
      this.#runs.push(run);
      return missing === 0 ? { kind: 'next' } : { kind: 'skip', run };
    }
    const first = this.lineOf(sequence);
    if (first !== undefined) return { kind: 'repeat', line: first };
    this.#late.add(this.#key(sequence), line);
    // It is below the highest number: a run begins above it.
    const after = this.#runs[lastFrom(this.#runs, sequence) + 1] as Run;
    after.late += 1;
    return { kind: 'late' };
  }
}
