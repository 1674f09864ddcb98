import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../findings/check.ts';
import { schemaIssues } from '../../../findings/schema-issues.ts';
import { parseInstant } from '../../../time/instant.ts';
import { dataOf } from '../records.ts';
import { eventSchema } from '../schema.ts';
import { isEphemeralType, isStoredType } from '../vocabulary.ts';

/** The envelope of each record, its type and its time (copilot.md §2, §3, §9). */
export class EnvelopeCheck implements EventCheck {
  readonly #report: EventReporter;
  /** The start of a fork is stamped with the time of the fork, and what it copies is older. */
  readonly #atStart: EventReporter;
  #isFork = false;
  #isStreamTold = false;
  #count = 0;
  #before: { readonly instant: number; readonly line: number } | undefined;

  constructor(report: EventReporter) {
    this.#report = report;
    this.#atStart = report.later();
  }

  event(logged: LoggedEvent): void {
    const { event } = logged;
    this.#count += 1;
    for (const { path, missing, message, expected, actual } of schemaIssues(eventSchema, event)) {
      const isTime = path[0] === 'timestamp' && !missing;
      this.#report.at(logged, {
        code: isTime ? 'event/timestamp' : missing ? 'event/missing-field' : 'event/wrong-type',
        severity: isTime ? 'error' : missing ? (path[0] === 'parentId' ? 'warn' : 'error') : 'info',
        message: isTime ? `${JSON.stringify(event['timestamp'])} is no ISO 8601 time` : message,
        path,
        expected,
        ...(!missing && !isTime && { actual }),
      });
    }
    this.#type(logged);
    this.#time(logged);
  }

  end(_log: LogEnd): void {
    if (!this.#isFork) this.#report.confirm(this.#atStart);
  }

  #type(logged: LoggedEvent): void {
    const { type } = logged.event;
    if (type === 'session.info' && dataOf(logged.event)['infoType'] === 'fork') this.#isFork = true;
    if (typeof type !== 'string') return;
    if (isEphemeralType(type)) {
      if (!this.#isStreamTold)
        this.#report.at(logged, {
          code: 'event/ephemeral',
          message: `\`${type}\` is never stored`,
          path: ['type'],
        });
      this.#isStreamTold = true;
    } else if (!isStoredType(type))
      this.#report.at(logged, {
        code: 'event/unknown-type',
        message: `\`${type}\` is no type that is known here: a newer version may have written it`,
        path: ['type'],
      });
    const isStart = type === 'session.start';
    if (isStart === (this.#count === 1)) return;
    const message = isStart ? 'a second session begins here' : 'the log does not begin with session.start';
    if (isStart || this.#count === 1)
      this.#report.at(logged, { code: 'order/start-not-first', severity: 'warn', message, path: ['type'] });
  }

  #time(logged: LoggedEvent): void {
    const { timestamp } = logged.event;
    const instant = typeof timestamp === 'string' ? parseInstant(timestamp) : undefined;
    if (instant === undefined) return;
    const before = this.#before;
    this.#before = { instant, line: logged.line };
    if (before === undefined || instant >= before.instant) return;
    (this.#count === 2 ? this.#atStart : this.#report).at(logged, {
      code: 'event/time-order',
      message: `the record is stamped earlier than the one on line ${before.line}`,
      path: ['timestamp'],
    });
  }
}
