import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../findings/check.ts';
import { reportFileName } from '../../session-envelope.ts';
import { sessionInName } from '../files.ts';
import { IS_CHAIN } from '../vocabulary.ts';

/** Whose session the log is: by its records, and by its name (claude-code.md §9). */
export class SessionCheck implements EventCheck {
  readonly #report: EventReporter;
  readonly #inName: string | undefined;
  #first: string | undefined;
  #isTold = false;

  constructor(report: EventReporter) {
    this.#report = report;
    this.#inName = sessionInName(report.file);
  }

  row(logged: LoggedEvent): void {
    const { type, sessionId } = logged.event;
    if (!IS_CHAIN.has(type) || typeof sessionId !== 'string') return;
    this.#first ??= sessionId;
    if (sessionId === this.#first || this.#isTold) return;
    this.#isTold = true;
    this.#report.at(logged, {
      code: 'session/mixed',
      message: `this record is of the session ${sessionId}, and those before it are of ${this.#first}`,
      path: ['sessionId'],
    });
  }

  end({ whole }: LogEnd): void {
    if (whole) reportFileName(this.#report, 'session', { inName: this.#inName, inLog: this.#first });
  }
}
