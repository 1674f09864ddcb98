import type { Finding } from './finding.ts';
import { compareFindings } from './order.ts';

/** The place of a finding, as far as the order of a report needs it. */
export interface Spot {
  readonly file: string;
  readonly line?: number;
  /** Computed only if it decides the order. */
  readonly column?: (() => number) | undefined;
}

/**
 * Findings of one code and severity. Keeps those that come first in a report, and counts the rest. The result
 * does not depend on the order in which they are added.
 */
export class KeptFindings {
  count = 0;
  readonly #limit: number;
  #kept: Finding[] = [];
  /** Findings mostly arrive in report order. As long as they do, later ones need not be made. */
  #inOrder = true;
  /** The last finding that is kept, once there are more than the limit. */
  #bound: Finding | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether a finding at this place may be kept. */
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

  /** Adds the findings and the count of another instance. */
  takeIn(other: KeptFindings): void {
    const kept = other.list();
    for (const finding of kept) this.add(finding);
    this.count += other.count - kept.length;
  }

  /** The kept findings in report order. */
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
