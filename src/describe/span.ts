import type { EventSpan } from '../dialects/account.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { JsonObject } from '../json/value.ts';
import { parseInstant } from '../time/instant.ts';

/** How long an event took by its own times, in milliseconds; undefined where it tells no two of them. */
function between(start: string | undefined, end: string | undefined): number | undefined {
  const [from, to] = [parseInstant(start ?? ''), parseInstant(end ?? '')];
  return from === undefined || to === undefined || to < from ? undefined : to - from;
}

/** A moment as ISO 8601 in UTC, to the microsecond. */
function isoOf(ms: number): string {
  const micros = Math.round(ms * 1000);
  const text = new Date(Math.floor(micros / 1000)).toISOString();
  const rest = micros - Math.floor(micros / 1000) * 1000;
  return rest === 0 ? text : `${text.slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}

/** A year outside these has no ISO 8601 text that is read back. */
const LEAST = Date.UTC(0, 0, 1);
const MOST = Date.UTC(9999, 11, 31);

/**
 * A span with its start, its end and how long it took, as far as two of them tell the third: an event that was written
 * when the work was over has the end and a duration.
 */
function complete(span: EventSpan): EventSpan {
  const { start, end, durationMs } = span;
  if (durationMs === undefined) return { ...span, start: start ?? end, durationMs: between(start, end) };
  const [known = Number.NaN, sign] =
    start === undefined ? [parseInstant(end ?? ''), -1] : [parseInstant(start), 1];
  const other = known + sign * durationMs;
  const isTold = durationMs >= 0 && other >= LEAST && other <= MOST;
  if (start === undefined) return { ...span, start: isTold ? isoOf(other) : end };
  return { ...span, ...(end === undefined && isTold && { end: isoOf(other) }) };
}

/** When an event began and ended and how it went: as its dialect tells it, else the moment it has. */
export function spanOfEvent(dialect: Dialect, event: JsonObject): EventSpan {
  const one = dialect.span?.(event) ?? dialect.spans?.().span(event);
  return complete(one ?? { name: '', start: dialect.eventTime(event) });
}

/** The same for the events of a log, handed over in their order. */
export function spansInOrder(dialect: Dialect): (event: JsonObject) => EventSpan {
  const reader = dialect.spans?.();
  if (reader === undefined) return (event) => spanOfEvent(dialect, event);
  return (event) => complete(reader.span(event));
}

/** When a run began and ended: its first event, and the last moment that an event of it was at or lasted to. */
export class RunTime {
  /** Milliseconds since 1970; undefined where no event has a time. */
  start: number | undefined;
  end: number | undefined;

  /** `time`: that of the event. */
  add(time: string | undefined, { start, end }: EventSpan): void {
    const at = parseInstant(time ?? '');
    if (at === undefined) return;
    this.start = Math.min(this.start ?? at, at, parseInstant(start ?? '') ?? at);
    this.end = Math.max(this.end ?? at, at, parseInstant(end ?? '') ?? at);
  }
}
