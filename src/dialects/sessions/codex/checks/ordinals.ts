import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../../findings/check.ts';
import type { Row } from '../../../../log/row.ts';
import { COLUMN } from '../rows.ts';

/** At most this many records without a number are reported. */
const MOST_NAMED = 100;

/** Checks the ordinals that newer versions write (codex.md §2). A thread may start at any number. */
export class OrdinalCheck implements EventCheck {
  readonly #report: EventReporter;
  readonly #without: number[] = [];
  #withoutCount = 0;
  #before: { readonly ordinal: number; readonly line: number } | undefined;
  #isPaginated = false;

  constructor(report: EventReporter) {
    this.#report = report.ifWhole;
  }

  /** Whether some record has a number, so that a missing one leaves a gap. */
  get isNumbered(): boolean {
    return this.#before !== undefined;
  }

  row(row: Row): void {
    const { line } = row;
    if (row.text(COLUMN.type) === 'session_meta' && row.text(COLUMN.history) === 'paginated')
      this.#isPaginated = true;
    const ordinal = row.number(COLUMN.ordinal);
    if (Number.isNaN(ordinal)) {
      this.#withoutCount += 1;
      if (this.#without.length < MOST_NAMED) this.#without.push(line);
      return;
    }
    this.#compare(row, ordinal);
    this.#before = { ordinal, line };
  }

  end({ records }: LogEnd): void {
    const none = this.#withoutCount === records;
    if (this.#withoutCount === 0 || (none && !this.#isPaginated)) return;
    const message = none
      ? 'the thread says that its records are numbered, but they are not'
      : 'the record has no ordinal, but others in the log have one';
    for (const line of none ? this.#without.slice(0, 1) : this.#without)
      this.#report.onLine(line, undefined, { code: 'sequence/missing', message });
  }

  #compare(logged: LoggedEvent, ordinal: number): void {
    const before = this.#before;
    if (before === undefined || ordinal === before.ordinal + 1) return;
    const path = ['ordinal'];
    if (ordinal === before.ordinal) {
      const message = `the ordinal ${ordinal} is already on line ${before.line}`;
      this.#report.at(logged, { code: 'sequence/duplicate', message, path });
    } else if (ordinal < before.ordinal) {
      const message = `the ordinal ${ordinal} comes after ${before.ordinal} on line ${before.line}`;
      this.#report.at(logged, { code: 'sequence/backwards', message, path });
    } else {
      const message = `${before.ordinal} is followed by ${ordinal}: gaps are legal, but a lost line also leaves one`;
      this.#report.at(logged, { code: 'sequence/gap', severity: 'info', message, path });
    }
  }
}
