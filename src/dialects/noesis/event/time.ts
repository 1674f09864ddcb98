import { ticked } from '../../../base/json/write.ts';
import { formatDuration } from '../../../base/time/duration.ts';
import type { Row } from '../../../log/row.ts';
import type { Column } from '../../../log/row-layout.ts';
import { counted, type Doubt, found, type Rule } from '../../kit/rules.ts';
import { COLUMN, isRollUp, LAYOUT, PHASE } from './rows.ts';

/**
 * Smaller differences of durations are ignored. Durations come from a monotonic clock, times from the wall clock, and
 * the process may be suspended in between.
 */
const SLACK_MS = 50;
const SLACK_SHARE = 0.01;

/** To the microsecond, because a double cannot hold more of an instant. */
const milliseconds = (ms: number): string => `${Math.round(ms * 1000) / 1000} ms`;

/** The time of the last event that has one. */
export class LastTime {
  /** NaN before the first. */
  instant = Number.NaN;
  line = 0;
  /** The line of the event that was read last, and its time. It is read once, because a log may have millions. */
  #readLine = 0;
  #read = Number.NaN;

  /** The time of the next event; NaN for none. */
  of(row: Row): number {
    if (this.#readLine !== row.line) {
      this.#readLine = row.line;
      this.#read = row.time(COLUMN.timestamp);
    }
    return this.#read;
  }

  take(row: Row): void {
    const instant = this.of(row);
    if (Number.isNaN(instant)) return;
    this.instant = instant;
    this.line = row.line;
  }
}

/** The doubt about a column with a text that is no time. */
function notATime(row: Row, column: number): Doubt | undefined {
  const text = Number.isNaN(row.time(column)) ? row.text(column) : undefined;
  if (text === undefined) return undefined;
  return {
    code: 'event/timestamp',
    message: `${ticked(text)} is not an ISO 8601 time`,
    path: (LAYOUT.columns[column] as Column).path,
    expected: '2026-03-01T10:42:00.034Z',
    actual: text,
  };
}

/** An act has the time of its completion, except for a roll-up. */
function completion(row: Row, started: number, completed: number): Doubt | undefined {
  const stamped = row.time(COLUMN.timestamp);
  if (row.type !== PHASE.act || Number.isNaN(completed) || Number.isNaN(stamped)) return undefined;
  if (stamped === completed || isRollUp(row)) return undefined;
  if (row.kind(COLUMN.action) === undefined && stamped >= started && stamped - completed < 1) {
    const message = 'the act does not have the time of its completion, as in older runtimes';
    return counted({ code: 'event/time', severity: 'info', message, path: ['timestamp'] });
  }
  const [expected = '', timestamp = ''] = [row.text(COLUMN.completed), row.text(COLUMN.timestamp)];
  const message = `stamped ${timestamp}, but completed at ${expected}: an act must have the time of its completion`;
  return { code: 'event/time', message, path: ['timestamp'], expected, actual: timestamp };
}

/** Whether a duration is not that of a span. */
function isOff(duration: number, span: number): boolean {
  const off = Math.abs(duration - span);
  return off > SLACK_MS && off > SLACK_SHARE * span;
}

function metrics(row: Row): Doubt | readonly Doubt[] | undefined {
  const started = row.time(COLUMN.started);
  const completed = row.time(COLUMN.completed);
  const duration = row.number(COLUMN.duration);
  const span = completed - started;
  // Nearly all events pass here.
  if (span >= 0 && duration >= 0 && !isOff(duration, span)) return completion(row, started, completed);
  const doubts = found(
    notATime(row, COLUMN.started),
    notATime(row, COLUMN.completed),
    completion(row, started, completed),
  );
  const say = (message: string, key: string) =>
    doubts.push({ code: 'event/metrics', message, path: ['metrics', key] });
  if (duration < 0) say('duration_ms is negative', 'duration_ms');
  if (span < 0) say('completed_at is before started_at', 'completed_at');
  else if (duration >= 0 && isOff(duration, span))
    say(
      `duration_ms is ${duration}, but from started_at to completed_at it is ${milliseconds(span)}`,
      'duration_ms',
    );
  return doubts;
}

type TimeRule = Rule<Row, { readonly time: LastTime }>;

/** The rules for times, their order, and the timing of each event (noesis.md §2.1). */
export const TIME_RULES: Readonly<Record<'every' | 'observe', Readonly<Record<string, TimeRule>>>> = {
  every: {
    'times do not go back'(row, { time }) {
      const instant = time.of(row);
      if (Number.isNaN(instant)) return notATime(row, COLUMN.timestamp);
      if (!(instant < time.instant)) return undefined;
      return {
        code: 'event/time-order',
        message: `the time is ${formatDuration(time.instant - instant)} before that of line ${time.line}`,
        path: ['timestamp'],
        ...(isRollUp(row) && { severity: 'info' }),
      };
    },

    'metrics agree with each other'(row) {
      const isTimed =
        row.kind(COLUMN.started) !== undefined ||
        row.kind(COLUMN.completed) !== undefined ||
        row.kind(COLUMN.duration) !== undefined;
      return isTimed ? metrics(row) : undefined;
    },
  },

  observe: { 'the time of an observation is a time': (row) => notATime(row, COLUMN.observed) },
};
