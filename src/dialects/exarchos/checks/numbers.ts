import type { IdIndex } from '../../../log/id-index.ts';
import { lastFrom } from '../../kit/last-from.ts';

/** Consecutive numbers on consecutive lines. */
export interface Run {
  readonly from: number;
  to: number;
  /** The line of `from`. The others are on the lines after it. */
  readonly line: number;
  /** How many numbers are missing before the run, and how many of these came later. */
  readonly missing: number;
  late: number;
}

/** The numbers that are missing before a run. */
export function gapBefore({ from, missing, late }: Run): {
  readonly from: number;
  readonly to: number;
  readonly missing: number;
} {
  return { from: from - missing, to: from - 1, missing: missing - late };
}

/** How a number relates to earlier ones. `line`: of its first occurrence. */
type Step =
  | { readonly kind: 'next' }
  | { readonly kind: 'skip'; readonly run: Run }
  | { readonly kind: 'late' }
  | { readonly kind: 'repeat'; readonly line: number };

/** The sequence numbers of one stream, as runs. An undamaged stream is one run; memory only grows with damage. */
export class SequenceNumbers {
  max = 0;
  last = 0;
  #lastLine = 0;
  /** In ascending order. */
  readonly #runs: Run[] = [];
  readonly #late: IdIndex;
  readonly #name: string;

  /** `late` keeps numbers that came after a higher one. Streams may share it, because each uses its name. */
  constructor(late: IdIndex, name: string) {
    this.#late = late;
    this.#name = name;
  }

  /** Adds the number of the next record. */
  take(sequence: number, line: number): Step {
    const step = this.#judge(sequence, line);
    this.last = sequence;
    return step;
  }

  /** The first line with a number; undefined if it has not come yet. */
  lineOf(sequence: number): number | undefined {
    const run = this.#runs[lastFrom(this.#runs, sequence)];
    if (run !== undefined && sequence <= run.to) return run.line + (sequence - run.from);
    const late = this.#late.find(this.#key(sequence));
    return late < 0 ? undefined : this.#late.lineOf(late);
  }

  /** How many runs have numbers missing before them that never came. */
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
    // A late number is below the highest, so a run begins above it.
    const after = this.#runs[lastFrom(this.#runs, sequence) + 1] as Run;
    after.late += 1;
    return { kind: 'late' };
  }
}
