import type { EventCheck, EventReporter, LoggedEvent } from '../../../findings/check.ts';
import { schemaIssues } from '../../../findings/schema-issues.ts';
import { jsonEqual } from '../../../json/value.ts';
import { parseInstant } from '../../../time/instant.ts';
import { detailsOf } from '../read.ts';
import { compatibleEventSchema } from '../schema/event.ts';
import { ENVELOPE_KEYS } from '../vocabulary.ts';

/** Members without which an event cannot be placed or attributed; the others are described, not required. */
const NEEDED = new Set<unknown>(['timestamp', 'event_type', 'session_id']);

/** `2026-01-17T09:01:00Z` and `…+02:00`, not `…09:01:00`. */
const HAS_OFFSET = /(?:Z|[+-]\d{2}(?::?\d{2}){0,2})$/i;
const HAS_CLOCK = /\d[T ]\d/i;

/** The envelope, the order of times, and members that say two things (coordinator.md §2, §8). */
export class EnvelopeCheck implements EventCheck {
  readonly #report: EventReporter;
  /** Local times and those with an offset are two clocks: neither can be held against the other. */
  readonly #previous = new Map<
    boolean,
    { readonly instant: number; readonly text: string; readonly line: number }
  >();

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent): void {
    const { event } = logged;
    const misnamed = event['event_type'] === undefined && typeof event['event'] === 'string';
    for (const { path, missing, message, expected, actual } of schemaIssues(compatibleEventSchema, event)) {
      const [key] = path;
      if (misnamed && key === 'event_type') continue;
      this.#report.at(logged, {
        code: missing ? 'event/missing-field' : 'event/wrong-type',
        message,
        path,
        expected,
        ...(!missing && { actual }),
        ...(!NEEDED.has(key) && { severity: 'warn' }),
      });
    }
    if (misnamed) {
      const message =
        'the type stands under `event`; it belongs under `event_type`, and readers overlook it here';
      this.#report.at(logged, { code: 'event/missing-field', severity: 'warn', message, path: ['event'] });
    }
    this.#conflicts(logged);
    this.#time(logged);
  }

  #conflicts(logged: LoggedEvent): void {
    const { event } = logged;
    for (const [key, inside] of Object.entries(detailsOf(event))) {
      const outside = Object.hasOwn(event, key) ? event[key] : undefined;
      const either = outside === undefined || outside === null || inside === null;
      if (either || key === 'details' || key === 'event' || jsonEqual(outside, inside)) continue;
      const taken = ENVELOPE_KEYS.some((name) => name === key) ? 'the first' : 'the second';
      const values = `${JSON.stringify(outside)} at the top of the event and ${JSON.stringify(inside)} in its details`;
      const message = `${key} is ${values}; ${taken} is read`;
      this.#report.at(logged, { code: 'event/conflict', message, path: ['details', key] });
    }
  }

  #time(logged: LoggedEvent): void {
    const { timestamp: text } = logged.event;
    if (typeof text !== 'string') return;
    const instant = parseInstant(text);
    if (instant === undefined) {
      const message = `\`${text}\` is no ISO 8601 time`;
      this.#report.at(logged, { code: 'event/timestamp', message, path: ['timestamp'], actual: text });
      return;
    }
    const aware = HAS_CLOCK.test(text) && HAS_OFFSET.test(text);
    const before = this.#previous.get(aware);
    if (before !== undefined && instant < before.instant) {
      this.#report.at(logged, {
        code: 'event/time-order',
        message: `stamped ${text}, before the event on line ${before.line} (${before.text})`,
        path: ['timestamp'],
      });
    }
    this.#previous.set(aware, { instant, text, line: logged.line });
  }
}
