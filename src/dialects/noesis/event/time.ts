import { ticked } from '../../../base/json/write.ts';
import { formatDuration } from '../../../base/time/duration.ts';
import { ReportingCheck } from '../../../findings/check.ts';
import type { Row } from '../../../log/row.ts';
import type { Column } from '../../../log/row-layout.ts';
import { COLUMN, isRollUp, LAYOUT, PHASE } from './rows.ts';

/**
 * Smaller differences of durations are ignored. Durations come from a monotonic clock, times from the wall clock, and
 * the process may be suspended in between.
 */
const SLACK_MS = 50;
const SLACK_SHARE = 0.01;

/** To the microsecond, because a double cannot hold more of an instant. */
const milliseconds = (ms: number): string => `${Math.round(ms * 1000) / 1000} ms`;

/** Checks timestamps, their order, and the timing of each event (noesis.md §2.1). */
export class TimeCheck extends ReportingCheck {
  #previous: { instant: number; line: number } | undefined;

  row(row: Row): void {
    const instant = this.#instant(row, COLUMN.timestamp);
    if (!Number.isNaN(instant)) this.#checkOrder(row, instant);
    if (row.type === PHASE.observe) this.#instant(row, COLUMN.observed);
    if (
      row.kind(COLUMN.started) !== undefined ||
      row.kind(COLUMN.completed) !== undefined ||
      row.kind(COLUMN.duration) !== undefined
    )
      this.#checkMetrics(row, instant);
  }

  #checkOrder(row: Row, instant: number): void {
    const { line } = row;
    const previous = this.#previous;
    if (previous === undefined) {
      this.#previous = { instant, line };
      return;
    }
    if (instant < previous.instant) {
      this.report.at(row, {
        code: 'event/time-order',
        message: `the time is ${formatDuration(previous.instant - instant)} before that of line ${previous.line}`,
        path: ['timestamp'],
        ...(isRollUp(row) && { severity: 'info' }),
      });
    }
    previous.instant = instant;
    previous.line = line;
  }

  /** The instant in a column; NaN if absent or invalid. Reports an invalid one. */
  #instant(row: Row, column: number): number {
    const instant = row.time(column);
    const text = Number.isNaN(instant) ? row.text(column) : undefined;
    if (text === undefined) return instant;
    this.report.at(row, {
      code: 'event/timestamp',
      message: `${ticked(text)} is not an ISO 8601 time`,
      path: (LAYOUT.columns[column] as Column).path,
      expected: '2026-03-01T10:42:00.034Z',
      actual: text,
    });
    return instant;
  }

  /** An act has the time of its completion, except for a roll-up. */
  #checkCompletion(row: Row, stamped: number, started: number, completed: number): void {
    if (row.type !== PHASE.act || Number.isNaN(completed) || Number.isNaN(stamped)) return;
    if (stamped === completed || isRollUp(row)) return;
    if (row.kind(COLUMN.action) === undefined && stamped >= started && stamped - completed < 1) {
      const message = 'the act does not have the time of its completion, as in older runtimes';
      return this.report.note(row, { code: 'event/time', severity: 'info', message, path: ['timestamp'] });
    }
    const [expected = '', timestamp = ''] = [row.text(COLUMN.completed), row.text(COLUMN.timestamp)];
    const message = `stamped ${timestamp}, but completed at ${expected}: an act must have the time of its completion`;
    this.report.at(row, { code: 'event/time', message, path: ['timestamp'], expected, actual: timestamp });
  }

  #checkMetrics(row: Row, stamped: number): void {
    const started = this.#instant(row, COLUMN.started);
    const completed = this.#instant(row, COLUMN.completed);
    this.#checkCompletion(row, stamped, started, completed);
    const duration = row.number(COLUMN.duration);
    const say = (message: string, key: string) =>
      this.report.at(row, { code: 'event/metrics', message, path: ['metrics', key] });
    if (duration < 0) say('duration_ms is negative', 'duration_ms');
    if (completed < started) return say('completed_at is before started_at', 'completed_at');
    const span = completed - started;
    const off = Math.abs(duration - span);
    if (duration >= 0 && off > SLACK_MS && off > SLACK_SHARE * span) {
      say(
        `duration_ms is ${duration}, but from started_at to completed_at it is ${milliseconds(span)}`,
        'duration_ms',
      );
    }
  }
}
