import type { EventReporter, LoggedEvent } from '../../../findings/check.ts';
import type { CheckedEvent } from '../read.ts';
import type { RunCheck } from './ledger-check.ts';

/** Texts that were salvaged from a malformed answer, told once a run (fishbowl.md §6). */
export class SalvageCheck implements RunCheck {
  readonly #report: EventReporter;

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent, { runId, isSalvaged }: CheckedEvent): void {
    if (!isSalvaged) return;
    const remark = { code: 'event/salvaged', path: ['payload', '_raw_fallback'] } as const;
    this.#report.once(`salvaged ${runId}`, logged, remark, (count) => {
      const texts =
        count === 1
          ? 'the text of one event of this run was'
          : `the texts of ${count} events of this run were`;
      return `${texts} salvaged from answers without the expected form`;
    });
  }
}
