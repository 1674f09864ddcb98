import type { EventCheck, EventReporter, LoggedEvent } from '../../../findings/check.ts';
import type { JsonPath } from '../../../json/path.ts';
import { isObject } from '../../../json/value.ts';
import { parseInstant } from '../../../time/instant.ts';
import { isSynthetic } from '../event-kinds.ts';
import type { Ledger } from '../ledger.ts';

/**
 * A duration may be off by this much, in milliseconds and as a share, before it is said: it is taken from a monotonic
 * clock and the times from the wall clock, and the process may rest between the two.
 */
const SLACK_MS = 50;
const SLACK_SHARE = 0.01;

/** Timestamps, their order, and the timing of each event (noesis.md §2.1). */
export class TimeCheck implements EventCheck {
  readonly #report: EventReporter;
  readonly #ledger: Ledger;

  constructor(report: EventReporter, ledger: Ledger) {
    this.#report = report;
    this.#ledger = ledger;
  }

  event(logged: LoggedEvent): void {
    const { event, line } = logged;
    const { timestamp, phase, payload } = event;
    const instant = this.#instant(logged, timestamp, ['timestamp']);
    if (instant !== undefined && typeof timestamp === 'string') {
      const previous = this.#ledger.previousTime;
      if (previous !== undefined && instant < (parseInstant(previous.text) ?? -Infinity)) {
        const synthetic = isSynthetic(payload);
        this.#report.at(logged, {
          code: 'event/time-order',
          message: `stamped ${timestamp}, before the record on line ${previous.line} (${previous.text})`,
          path: ['timestamp'],
          ...(synthetic && { severity: 'info' }),
        });
      }
      this.#ledger.notePreviousTime(timestamp, line);
    }
    if (phase === 'observe' && isObject(payload))
      this.#instant(logged, payload['timestamp'], ['payload', 'timestamp']);
    this.#checkMetrics(logged);
  }

  #instant(logged: LoggedEvent, text: unknown, path: JsonPath): number | undefined {
    if (typeof text !== 'string') return undefined;
    const instant = parseInstant(text);
    if (instant === undefined) {
      const message = `\`${text}\` is no ISO 8601 time`;
      this.#report.at(logged, {
        code: 'event/timestamp',
        message,
        path,
        expected: '2026-03-01T10:42:00.034Z',
        actual: text,
      });
    }
    return instant;
  }

  /** What an act did is dated by its completion; a roll-up is stamped otherwise. */
  #checkCompletion(logged: LoggedEvent, completed: number | undefined): void {
    const { phase, timestamp, metrics, payload } = logged.event;
    if (phase !== 'act' || completed === undefined || typeof timestamp !== 'string' || isSynthetic(payload))
      return;
    const stamped = parseInstant(timestamp);
    if (stamped === undefined || stamped === completed) return;
    const expected = isObject(metrics) ? String(metrics['completed_at']) : '';
    const message = `stamped ${timestamp}, and completed at ${expected}: an act is dated by its completion`;
    this.#report.at(logged, {
      code: 'event/time',
      message,
      path: ['timestamp'],
      expected,
      actual: timestamp,
    });
  }

  #checkMetrics(logged: LoggedEvent): void {
    const { metrics } = logged.event;
    if (!isObject(metrics)) return;
    const started = this.#instant(logged, metrics['started_at'], ['metrics', 'started_at']);
    const completed = this.#instant(logged, metrics['completed_at'], ['metrics', 'completed_at']);
    this.#checkCompletion(logged, completed);
    const duration = metrics['duration_ms'];
    const say = (message: string, key: string) =>
      this.#report.at(logged, { code: 'event/metrics', message, path: ['metrics', key] });
    if (typeof duration === 'number' && duration < 0) say('duration_ms is negative', 'duration_ms');
    if (started === undefined || completed === undefined) return;
    if (completed < started) return say('completed_at is before started_at', 'completed_at');
    if (typeof duration !== 'number' || duration < 0) return;
    const span = completed - started;
    const off = Math.abs(duration - span);
    if (off > SLACK_MS && off > SLACK_SHARE * span) {
      const ms = Math.round(span * 1000) / 1000;
      say(`duration_ms is ${duration}, and from started_at to completed_at it is ${ms} ms`, 'duration_ms');
    }
  }
}
