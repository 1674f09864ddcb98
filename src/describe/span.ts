import type { EventSpan } from '../dialects/account.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { JsonObject } from '../json/value.ts';
import { parseInstant } from '../time/instant.ts';

/** How long an event took by its own times, in milliseconds; undefined where it tells no two of them. */
function between(start: string | undefined, end: string | undefined): number | undefined {
  const [from, to] = [parseInstant(start ?? ''), parseInstant(end ?? '')];
  return from === undefined || to === undefined || to < from ? undefined : to - from;
}

/** A span with how long it took, as it tells it or by its own times. */
const withDuration = (span: EventSpan): EventSpan =>
  span.durationMs === undefined ? { ...span, durationMs: between(span.start, span.end) } : span;

/** When an event began and ended and how it went: as its dialect tells it, else the moment it has. */
export function spanOfEvent(dialect: Dialect, event: JsonObject): EventSpan {
  const one = dialect.span?.(event) ?? dialect.spans?.().span(event);
  return withDuration(one ?? { name: '', start: dialect.eventTime(event) });
}

/** The same for the events of a log, handed over in their order. */
export function spansInOrder(dialect: Dialect): (event: JsonObject) => EventSpan {
  const reader = dialect.spans?.();
  if (reader === undefined) return (event) => spanOfEvent(dialect, event);
  return (event) => withDuration(reader.span(event));
}

/** When a run began and ended: its first event, and the last moment that an event of it was at or lasted to. */
export class RunTime {
  /** Milliseconds since 1970; undefined where no event has a time. */
  start: number | undefined;
  end: number | undefined;

  /** `time`: that of the event; `end`: of its span. */
  add(time: string | undefined, end: string | undefined): void {
    const at = parseInstant(time ?? '');
    if (at === undefined) return;
    this.start = Math.min(this.start ?? at, at);
    this.end = Math.max(this.end ?? at, at, parseInstant(end ?? '') ?? at);
  }
}
