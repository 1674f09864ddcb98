import type { EventReporter, LoggedEvent } from '../../../findings/check.ts';
import type { JsonValue } from '../../../json/value.ts';
import { parseInstant } from '../../../time/instant.ts';
import { type CheckedEvent, timeText } from '../read.ts';
import type { RunCheck } from './ledger-check.ts';

/** A time in UTC as the engine writes it, of which the validator makes the same instant. */
const PLAIN = /^[1-9]\d{3}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|\+00:00)$/;

/** The instant of a stored time, in milliseconds since 1970. */
export function instantOf(createdAt: JsonValue | undefined): number | undefined {
  if (typeof createdAt === 'string' && PLAIN.test(createdAt)) return parseInstant(createdAt);
  const text = timeText(createdAt);
  return text === null ? undefined : parseInstant(text);
}

/** The last event of a run that has a time. */
interface Latest {
  instant: number;
  line: number;
  createdAt: JsonValue | undefined;
}

/** Times that go backwards inside a run; without an offset they are UTC (fishbowl.md §4, §5). */
export class TimeCheck implements RunCheck {
  readonly #report: EventReporter;
  readonly #runs = new Map<string, Latest>();

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent, { runId, createdAt, instant: known }: CheckedEvent): void {
    const instant = known ?? instantOf(createdAt);
    if (instant === undefined) return;
    const { line } = logged;
    const before = this.#runs.get(runId);
    if (before === undefined) {
      this.#runs.set(runId, { instant, line, createdAt });
      return;
    }
    if (instant < before.instant) {
      this.#report.at(logged, {
        code: 'event/time-order',
        severity: 'info',
        message: `created at ${timeText(createdAt)}, before the event of this run on line ${before.line} (${timeText(before.createdAt)}); the order of the file counts`,
        path: ['created_at'],
      });
    }
    before.instant = instant;
    before.line = line;
    before.createdAt = createdAt;
  }
}
