/** What a number is after those before it. */
export type NumberFault = 'sequence/duplicate' | 'sequence/backwards' | 'sequence/gap';

/**
 * The numbers of a log so far: they rise by one over the whole file, or start at 1 again with a new session
 * (coordinator.md §8).
 */
export class Numbers {
  first: number | undefined;
  top = 0;
  topLine = 0;
  session: unknown;

  copy(): Numbers {
    return Object.assign(new Numbers(), this);
  }

  /** Whether a number begins a series: the first one, or 1 in a new session. */
  begins(value: number, session: unknown): boolean {
    return this.first === undefined || (session !== this.session && value === 1 && this.top >= 1);
  }

  /** What is wrong with the next number. A late one may fill a gap, so it is only `sequence/backwards` then. */
  fault(value: number, session: unknown): NumberFault | undefined {
    if (this.begins(value, session) || value === this.top + 1) return undefined;
    if (value > this.top) return 'sequence/gap';
    return value >= (this.first ?? 0) ? 'sequence/duplicate' : 'sequence/backwards';
  }

  /** Adds the next number, which is on `line`. NaN: the event has none. */
  take(value: number, session: unknown, line: number): void {
    const begins = this.begins(value, session);
    this.session = session;
    if (!Number.isInteger(value)) return;
    if (begins) this.first = value;
    if (!begins && value <= this.top) return;
    this.top = value;
    this.topLine = line;
  }
}
