import type { JsonObject } from '../../base/json/value.ts';
import { parseInstant } from '../../base/time/instant.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { EventSpan, TimeOfRun } from '../../dialects/kit/account.ts';
import { messageOfKind } from '../../dialects/kit/error-text.ts';
import { earlier } from '../../dialects/kit/run-start.ts';

/** The duration of an event by its times, in milliseconds; undefined unless it has both. */
function between(start: string | undefined, end: string | undefined): number | undefined {
  const [from, to] = [parseInstant(start), parseInstant(end)];
  return from === undefined || to === undefined || to < from ? undefined : to - from;
}

/** A time as ISO 8601 in UTC with microseconds. */
export function isoOf(ms: number): string {
  const micros = Math.round(ms * 1000);
  const text = new Date(Math.floor(micros / 1000)).toISOString();
  const rest = micros - Math.floor(micros / 1000) * 1000;
  return rest === 0 ? text : `${text.slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}

/** Years outside this range cannot be parsed back from ISO 8601. */
const LEAST = Date.UTC(0, 0, 1);
const MOST = Date.UTC(9999, 11, 31);

/** A span of which one time may be computed from its duration. */
export interface CompleteSpan extends EventSpan {
  readonly computed?: 'start' | 'end';
}

/**
 * Completes a span: computes its start, end or duration from the other two. Events that are written after the
 * work have an end and a duration.
 */
function complete(span: EventSpan): CompleteSpan {
  const { start, end, durationMs } = span;
  if (end === undefined && durationMs === undefined) return span;
  if (durationMs === undefined) return { ...span, start: start ?? end, durationMs: between(start, end) };
  const [known = Number.NaN, sign] = start === undefined ? [parseInstant(end), -1] : [parseInstant(start), 1];
  const other = known + sign * durationMs;
  const isPlausible = durationMs >= 0 && other >= LEAST && other <= MOST;
  if (start === undefined)
    return isPlausible ? { ...span, start: isoOf(other), computed: 'start' } : { ...span, start: end };
  return end === undefined && isPlausible ? { ...span, end: isoOf(other), computed: 'end' } : span;
}

/** The span of an event according to its dialect, else its time. */
export function spanOfEvent(dialect: Dialect, event: JsonObject): CompleteSpan {
  const one = dialect.span?.(event) ?? dialect.spans?.().span(event);
  return complete(one ?? { name: '', start: dialect.eventTime(event) });
}

/** Makes the span of an event on a line. */
export type SpanOf = (event: JsonObject, line: number) => CompleteSpan;

/** Returns a function that makes the spans of a log's events, called in order. */
export function spansInOrder(dialect: Dialect): SpanOf {
  const reader = dialect.spans?.();
  if (reader === undefined) return (event) => spanOfEvent(dialect, event);
  return (event, line) => complete(reader.span(event, line));
}

/** An event that failed or was refused. */
interface Failure {
  readonly isRefusal: boolean;
  /** Trace text. */
  readonly reason: string;
}

/** How an event failed; undefined if it did not. */
export const failureOf = ({ status, reason, name }: EventSpan): Failure | undefined =>
  status === 'error' || status === 'veto'
    ? { isRefusal: status === 'veto', reason: messageOfKind(name, reason ?? name) }
    : undefined;

/**
 * The failures of a run, in log order. What was copied from another session failed there. An event that sums up others, or only repeats a failure before it, is not counted
 * again.
 */
export class FailuresInOrder {
  #isAny = false;

  next(span: EventSpan): Failure | undefined {
    if (span.copied) return undefined;
    const failure = failureOf(span);
    const repeats = this.#isAny && (span.isSum || span.isEcho);
    if (failure === undefined || repeats) return undefined;
    this.#isAny = true;
    return failure;
  }
}

/** A time that is far outside those of the other events, so that the start or the end of the run may be untrue. */
export interface OutlyingTime {
  readonly line: number;
  /** In milliseconds: before the first event of the log, or after the last one. */
  readonly beforeMs?: number;
  readonly afterMs?: number;
}

/** In milliseconds. Several writers, or copied records, have times that are out of order by less. */
const OUTLYING_MS = 24 * 3_600_000;
/** Less than that is no fault of a clock that a user would notice. */
const LEAST_OUTLYING_MS = 600_000;

/** The start and end of a run: the first and the last time that its records state. */
export class RunTime {
  /** Milliseconds since 1970; undefined if no event has a time. */
  start: number | undefined;
  /** When the run ended, if an event says so; the records after it are not part of its duration. */
  over: number | undefined;
  #last: number | undefined;
  #events = 0;
  /** The times of the first and the last event of the log, of those that have one. */
  #first = 0;
  #newest = 0;
  #earliest = { at: Infinity, line: 0 };
  #latest = { at: -Infinity, line: 0 };

  /** Events with a time that is far from those of the first and the last event. */
  get outlying(): OutlyingTime[] {
    const found: OutlyingTime[] = [];
    const [beforeMs, afterMs] = [this.#first - this.#earliest.at, this.#latest.at - this.#newest];
    // A time that at least doubles how long the run lasted is not believed silently either.
    const usual = Math.max(LEAST_OUTLYING_MS, this.#newest - this.#first);
    const most = Math.min(OUTLYING_MS, usual);
    if (this.#events > 0 && beforeMs > most) found.push({ line: this.#earliest.line, beforeMs });
    if (this.#events > 0 && afterMs > most) found.push({ line: this.#latest.line, afterMs });
    return found;
  }

  /** Undefined if only one time is known, which says nothing about the last event. */
  get end(): number | undefined {
    return this.#events > 1 || this.#last !== this.start ? this.#last : undefined;
  }

  /**
   * `time`: the time of the event. `workEnd`: when its work ended, if the event says so. `isEnd`: the run ended with it. `line`:
   * its line.
   */
  add(
    time: string | undefined,
    { start, end, computed, copied }: CompleteSpan,
    workEnd?: string,
    isEnd?: boolean,
    line = 0,
  ): void {
    const at = parseInstant(time);
    // What was copied from another session was not in the time of this run.
    if (at === undefined || copied) return;
    if (this.#events === 0) this.#first = at;
    this.#newest = at;
    if (at < this.#earliest.at) this.#earliest = { at, line };
    if (at > this.#latest.at) this.#latest = { at, line };
    this.start = earlier(this.start, time, computed === 'start' ? undefined : start);
    this.#events += 1;
    const ended = computed === 'end' ? undefined : parseInstant(end);
    this.#last = Math.max(this.#last ?? at, at, ended ?? at, parseInstant(workEnd) ?? at);
    // The first end of a run is final.
    if (isEnd) this.over ??= at;
  }
}

/**
 * How long a run lasted, in milliseconds: as its account says, else from the first time of its events to its end, or to
 * the last time if no event says that it ended.
 */
export function lastedMs(
  { start, over, end }: Pick<RunTime, 'start' | 'end'> & { readonly over?: number | undefined },
  time: TimeOfRun | undefined,
): number | undefined {
  if (time !== undefined) return time.lasted_ms;
  if (start === undefined || end === undefined) return undefined;
  // A run cannot end before it starts. Its clock was wrong then.
  return over === undefined || over < start ? end - start : over - start;
}
