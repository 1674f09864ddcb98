import type { EventCheck, EventReporter, LoggedEvent } from '../../../findings/check.ts';
import { schemaIssues } from '../../../findings/schema-issues.ts';
import { parseInstant } from '../../../time/instant.ts';
import { isBareHead } from '../records.ts';
import { bareSchema, lineSchema } from '../schema.ts';
import { IS_LINE_TYPE } from '../vocabulary.ts';

/** The envelope of each line, and the times. What the vendor may change is never more than info (codex.md §9). */
export class EnvelopeCheck implements EventCheck {
  readonly #report: EventReporter;
  #isBare: boolean | undefined;
  #before: { readonly instant: number; readonly line: number } | undefined;

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent): void {
    const { event } = logged;
    if (this.#isBare === undefined) this.#first(logged);
    for (const { path, missing, message, expected, actual } of schemaIssues(
      this.#isBare ? bareSchema : lineSchema,
      event,
    )) {
      const isTime = path[0] === 'timestamp' && !missing;
      this.#report.at(logged, {
        code: isTime ? 'event/timestamp' : missing ? 'event/missing-field' : 'event/wrong-type',
        severity: isTime ? 'error' : missing ? (path[0] === 'timestamp' ? 'warn' : 'error') : 'info',
        message: isTime ? `${JSON.stringify(event['timestamp'])} is no ISO 8601 time` : message,
        path,
        expected,
        ...(!missing && !isTime && { actual }),
      });
    }
    const { type } = event;
    if (!this.#isBare && typeof type === 'string' && !IS_LINE_TYPE.has(type))
      this.#report.at(logged, {
        code: 'event/unknown-type',
        message: `\`${type}\` is no type that is known here: a newer version may have written it`,
        path: ['type'],
      });
    this.#time(logged);
  }

  #first(logged: LoggedEvent): void {
    const { event } = logged;
    this.#isBare = isBareHead(event);
    if (this.#isBare || event['type'] === 'session_meta') return;
    const message = 'the log does not begin with session_meta: its head is missing';
    this.#report.at(logged, { code: 'order/meta-not-first', message });
  }

  #time(logged: LoggedEvent): void {
    const { timestamp } = logged.event;
    const instant = typeof timestamp === 'string' ? parseInstant(timestamp) : undefined;
    if (instant === undefined) return;
    const before = this.#before;
    this.#before = { instant, line: logged.line };
    if (before === undefined || instant >= before.instant) return;
    this.#report.at(logged, {
      code: 'event/time-order',
      severity: 'info',
      message: `the record is stamped earlier than the one on line ${before.line}`,
      path: ['timestamp'],
    });
  }
}
