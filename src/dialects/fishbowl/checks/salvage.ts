import type { EventReporter, LoggedEvent } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import type { CheckedEvent } from '../read.ts';
import type { RunCheck } from './ledger-check.ts';

interface Salvaged {
  readonly first: FindingDraft;
  count: number;
}

/** Texts that were salvaged from a malformed answer, told once a run (fishbowl.md §6). */
export class SalvageCheck implements RunCheck {
  readonly #report: EventReporter;
  readonly #runs = new Map<string, Salvaged>();

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent, { runId, isSalvaged }: CheckedEvent): void {
    if (!isSalvaged) return;
    const run = this.#runs.get(runId);
    if (run) run.count += 1;
    else {
      const remark = { code: 'event/salvaged', message: '', path: ['payload', '_raw_fallback'] } as const;
      this.#runs.set(runId, { first: this.#report.draft(logged, remark), count: 1 });
    }
  }

  end(): void {
    for (const { first, count } of this.#runs.values()) {
      const events =
        count === 1
          ? 'the text of one event of this run was'
          : `the texts of ${count} events of this run were`;
      this.#report.report({ ...first, message: `${events} salvaged from answers without the expected form` });
    }
  }
}
