import type { EventRemark, EventReporter, LoggedEvent } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';

interface Note {
  readonly draft: FindingDraft;
  count: number;
}

/** Notes that hold for many records of a log: each is reported once, at its first record, with the number of records. */
export class CountedNotes {
  readonly #report: EventReporter;
  readonly #notes = new Map<string, Note>();

  constructor(report: EventReporter) {
    this.#report = report;
  }

  /** Notes of one message are one. */
  add(logged: LoggedEvent, remark: EventRemark): void {
    const note = this.#notes.get(remark.message);
    if (note) note.count += 1;
    else this.#notes.set(remark.message, { draft: this.#report.draft(logged, remark), count: 1 });
  }

  end(): void {
    for (const { draft, count } of this.#notes.values()) {
      const message = count === 1 ? draft.message : `${draft.message} (${count} records)`;
      this.#report.report({ ...draft, message });
    }
  }
}
