import type { EventCheck, EventReporter, LoggedEvent } from '../../../findings/check.ts';

const LONG_LINE = 64 * 1024;

/** Lines that do not fit into a buffer of 64 KiB, told once a ledger (fishbowl.md §6, §11). */
export class LongLineCheck implements EventCheck {
  readonly #report: EventReporter;
  #longest = 0;

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent): void {
    const { byteStart, byteEnd } = logged.record;
    const length = byteEnd - byteStart;
    if (length <= LONG_LINE) return;
    this.#longest = Math.max(this.#longest, length);
    this.#report.once('long line', logged, { code: 'event/long-line' }, (count) => {
      const lines = count === 1 ? 'a line is' : `${count} lines are`;
      return `${lines} longer than 64 KiB, the longest ${this.#longest} bytes; this is the first`;
    });
  }
}
