import type { IdIndex } from '../../../log/id-index.ts';

/** A stretch of numbers that went up by one, line by line. */
interface Run {
  readonly from: number;
  to: number;
  /** The line of `from`; the others follow. */
  readonly line: number;
  /** How many numbers are missing before it, and how many of them came late. */
  readonly missing: number;
  late: number;
}

/** What a number is beside those before it. `line`: where it stood first. */
export type Step =
  | { readonly kind: 'next' }
  | { readonly kind: 'skip'; readonly run: number }
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

  /** The line on which a number stood first; undefined when it has not come yet. */
  lineOf(sequence: number): number | undefined {
    const run = this.#runs[this.#runAt(sequence)];
    if (run !== undefined && sequence >= run.from && sequence <= run.to)
      return run.line + (sequence - run.from);
    const late = this.#late.find(this.#key(sequence));
    return late < 0 ? undefined : this.#late.lineOf(late);
  }

  /** The numbers missing before a run: the range they lie in, and how many of it never came. */
  gapBefore(index: number): { readonly from: number; readonly to: number; readonly missing: number } {
    const run = this.#runs[index];
    if (run === undefined) return { from: 0, to: 0, missing: 0 };
    return { from: run.from - run.missing, to: run.from - 1, missing: run.missing - run.late };
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
      if (last !== undefined && missing === 0 && line === this.#lastLine + 1) last.to = sequence;
      else this.#runs.push({ from: sequence, to: sequence, line, missing, late: 0 });
      this.max = sequence;
      this.#lastLine = line;
      return missing === 0 ? { kind: 'next' } : { kind: 'skip', run: this.#runs.length - 1 };
    }
    const first = this.lineOf(sequence);
    if (first !== undefined) return { kind: 'repeat', line: first };
    this.#late.add(this.#key(sequence), line);
    const after = this.#runs[this.#runAt(sequence) + 1];
    if (after !== undefined) after.late += 1;
    return { kind: 'late' };
  }

  /** The last run that begins at or below a number; -1 when all begin above it. */
  #runAt(sequence: number): number {
    let low = 0;
    let high = this.#runs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#runs[middle]?.from ?? 0) <= sequence) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
