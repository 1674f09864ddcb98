import type { Finding } from './finding.ts';
import { compareFindings } from './order.ts';

/** Where a finding stands, as far as the order of a report needs it. */
export interface Spot {
  readonly file: string;
  readonly line?: number;
  /** Asked for only where it decides. */
  readonly column?: (() => number) | undefined;
}

/**
 * Findings of one code and severity: those that come first in the order of a report, as many as are kept, and how
 * many there are. What is kept does not depend on the order in which they are added.
 */
export class KeptFindings {
  count = 0;
  readonly #limit: number;
  #kept: Finding[] = [];
  /** Whether they came in the order of a report so far, as most do: what comes later is not worth being made then. */
  #inOrder = true;
  /** Once there are more than are kept: what does not come before this is only counted. */
  #bound: Finding | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether a finding at a place may be among those that are kept. */
  wants({ file, line = 0, column }: Spot): boolean {
    const bound = this.#bound;
    if (bound === undefined || file < bound.file) return true;
    const { line: lastLine = 0, column: lastColumn = 0 } = bound;
    if (file > bound.file || line > lastLine) return false;
    return line < lastLine || column === undefined || column() <= lastColumn;
  }

  add(finding: Finding): void {
    this.count += 1;
    if (this.#bound !== undefined && compareFindings(this.#bound, finding) <= 0) return;
    const last = this.#kept.at(-1);
    this.#inOrder &&= last === undefined || compareFindings(last, finding) <= 0;
    this.#kept.push(finding);
    if (this.#kept.length >= this.#limit * (this.#inOrder ? 1 : 2)) this.#trim();
  }

  /** Adds what another has kept and counted. */
  takeIn(other: KeptFindings): void {
    const kept = other.list();
    for (const finding of kept) this.add(finding);
    this.count += other.count - kept.length;
  }

  /** Those that are kept, in the order of a report. */
  list(): readonly Finding[] {
    this.#trim();
    return this.#kept;
  }

  #trim(): void {
    this.#kept.sort(compareFindings);
    this.#inOrder = true;
    if (this.#kept.length < this.#limit) return;
    this.#kept.length = Math.min(this.#kept.length, this.#limit);
    this.#bound = this.#kept.at(-1);
  }
}
