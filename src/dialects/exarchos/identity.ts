import type { JsonObject } from '../../base/json/value.ts';

/**
 * Ids of records. The format has none (exarchos.md §3), so a record is identified by stream and sequence, by its
 * idempotency key or, in versions after 2.9, by an `eventId`.
 */

/** Separators between a stream and a number. */
const SEPARATORS = ':#@/';
const MOST_DIGITS = 15;
const LINE_BREAK = /[\n\r\u2028\u2029]/;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** The id of a record from its place in a stream, such as `my-feature:17`. */
function positionId(stream: string | undefined, sequence: number): string {
  return stream === undefined || stream === '' ? String(sequence) : `${stream}:${sequence}`;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The id of a record in commands and findings: its `eventId`, else its place in the stream. */
export function eventIdOf({ eventId, streamId, sequence }: JsonObject): string | undefined {
  if (text(eventId) !== undefined) return text(eventId);
  return Number.isSafeInteger(sequence) ? positionId(text(streamId), sequence as number) : undefined;
}

/** Returns the stream whose numbers an event continues. */
export type StreamNamer = (event: JsonObject) => string;

/**
 * Makes a namer. An event without a stream belongs to that of the previous event; `first` is for the start of the log.
 */
export function streamNamer(first: string): StreamNamer {
  let last = first;
  return ({ streamId }) => {
    if (typeof streamId === 'string') last = streamId;
    return last;
  };
}

/** A sequence number, with its stream if the text names one. */
interface Position {
  readonly stream: string | undefined;
  readonly sequence: number;
}

/** Parses `17`, `my-feature:17` and similar (`#`, `@` and `/` count as a colon). */
export function parsePosition(reference: string): Position | undefined {
  let at = reference.length;
  while (at > 0 && isDigit(reference.charCodeAt(at - 1))) at -= 1;
  const digits = reference.length - at;
  if (digits === 0 || digits > MOST_DIGITS) return undefined;
  const sequence = Number(reference.slice(at));
  if (at === 0) return { stream: undefined, sequence };
  const stream = reference.slice(0, at - 1);
  const isPosition =
    SEPARATORS.includes(reference.charAt(at - 1)) && stream !== '' && !LINE_BREAK.test(stream);
  return isPosition ? { stream, sequence } : undefined;
}

/** The cause of an event, in the form of {@link eventIdOf}. A bare number means a record of the same stream. */
export function causeOf({ causationId, streamId }: JsonObject): string | undefined {
  const cause = text(causationId);
  const position = cause === undefined ? undefined : parsePosition(cause);
  return position === undefined ? cause : positionId(position.stream ?? text(streamId), position.sequence);
}

/** All names by which a `causationId` may refer to a record, beginning with {@link eventIdOf}. */
export function namesOf(event: JsonObject): string[] {
  const { streamId, sequence, idempotencyKey } = event;
  const position = Number.isSafeInteger(sequence)
    ? positionId(text(streamId), sequence as number)
    : undefined;
  const names = [eventIdOf(event), position, text(idempotencyKey)];
  return [...new Set(names.filter((name) => name !== undefined))];
}
