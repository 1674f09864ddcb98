import type { EventCheck, EventReporter, LogEnd } from '../../../findings/check.ts';
import type { Row } from '../../../log/row.ts';
import { reportFileName } from '../../session-envelope.ts';
import { sessionInName } from '../files.ts';
import { CHAIN, COLUMN } from '../rows.ts';

/** Checks that the records and the name of a log are of one session (claude-code.md §9). */
export class SessionCheck implements EventCheck {
  readonly types = CHAIN;
  readonly #report: EventReporter;
  readonly #inName: string | undefined;
  #first: string | undefined;
  #isReported = false;

  constructor(report: EventReporter) {
    this.#report = report;
    this.#inName = sessionInName(report.file);
  }

  row(row: Row): void {
    const sessionId = row.text(COLUMN.session);
    if (sessionId === undefined) return;
    this.#first ??= sessionId;
    if (sessionId === this.#first || this.#isReported) return;
    this.#isReported = true;
    this.#report.at(row, {
      code: 'session/mixed',
      message: `this record is of the session ${sessionId}, and those before it are of ${this.#first}`,
      path: ['sessionId'],
    });
  }

  end({ whole }: LogEnd): void {
    if (whole) reportFileName(this.#report, 'session', { inName: this.#inName, inLog: this.#first });
  }
}
