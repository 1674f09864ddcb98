import type { EventReporter, LoggedEvent } from '../../../findings/check.ts';
import { parseInstant } from '../../../time/instant.ts';
import { type LedgerEvent, timeText } from '../read.ts';
import type { RunCheck } from './ledger-check.ts';

/** Times that go backwards inside a run; without an offset they are UTC (fishbowl.md §4, §5). */
export class TimeCheck implements RunCheck {
  readonly #report: EventReporter;
  readonly #runs = new Map<
    string,
    { readonly instant: number; readonly line: number; readonly text: string }
  >();

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent, { runId, createdAt }: LedgerEvent): void {
    const text = timeText(createdAt);
    const instant = text === null ? undefined : parseInstant(text);
    if (instant === undefined || text === null) return;
    const before = this.#runs.get(runId);
    if (before !== undefined && instant < before.instant) {
      this.#report.at(logged, {
        code: 'event/time-order',
        severity: 'info',
        message: `created at ${text}, before the event of this run on line ${before.line} (${before.text}); the order of the file counts`,
        path: ['created_at'],
      });
    }
    this.#runs.set(runId, { instant, line: logged.line, text });
  }
}
