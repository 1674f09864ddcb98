import type { EventSpan } from '../dialects/account.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { JsonObject } from '../json/value.ts';
import { parseInstant } from '../time/instant.ts';

/** How long an event took by its own times, in milliseconds; undefined where it tells no two of them. */
function between(start: string | undefined, end: string | undefined): number | undefined {
  const [from, to] = [parseInstant(start ?? ''), parseInstant(end ?? '')];
  return from === undefined || to === undefined || to < from ? undefined : to - from;
}

/** When an event began and ended and how it went: as its dialect tells it, else the moment it has. */
export function spanOfEvent(dialect: Dialect, event: JsonObject): EventSpan {
  const span = dialect.span?.(event) ?? { name: '', start: dialect.eventTime(event) };
  return span.durationMs === undefined ? { ...span, durationMs: between(span.start, span.end) } : span;
}
