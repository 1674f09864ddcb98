import type { EventCheck, EventReporter, LoggedEvent } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';

const LONG_LINE = 64 * 1024;

/** Lines that do not fit into a buffer of 64 KiB, told once a ledger (fishbowl.md §6, §11). */
export class LongLineCheck implements EventCheck {
  readonly #report: EventReporter;
  #first: FindingDraft | undefined;
  #lines = 0;
  #longest = 0;

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent): void {
    const { byteStart, byteEnd } = logged.record;
    const length = byteEnd - byteStart;
    if (length <= LONG_LINE) return;
    this.#first ??= this.#report.draft(logged, { code: 'event/long-line', message: '' });
    this.#lines += 1;
    this.#longest = Math.max(this.#longest, length);
  }

  end(): void {
    if (this.#first === undefined) return;
    const lines = this.#lines === 1 ? 'a line is' : `${this.#lines} lines are`;
    const message = `${lines} longer than 64 KiB, the longest ${this.#longest} bytes; this is the first`;
    this.#report.report({ ...this.#first, message });
  }
}
