import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { parseInstant } from '../../base/time/instant.ts';
import { asObject, stringOf } from '../kit/members.ts';
import { upcast } from '../kit/upcast.ts';
import type { UpcastStep } from '../kit/upcast-schema.ts';
import { coerceInteger, coerceTime } from './schema/coerce.ts';

/** The only known version. */
export const SCHEMA_VERSION = 1;

/**
 * The part of an event that rules and views need. The engine refuses a whole store because of one bad event; this
 * reader accepts what it can, because it looks for damage (fishbowl.md §4).
 */
export interface LedgerEvent {
  /** Absent if the row has the ordinal of the id. */
  readonly id?: string | undefined;
  readonly runId: string;
  readonly kind: string;
  readonly actor: string | undefined;
  readonly payload: JsonObject;
  readonly turn: number | undefined;
  /** As stored; see {@link timeText}. */
  readonly createdAt: JsonValue | undefined;
  /** The instant, if it is known without parsing the text. */
  readonly instant?: number | undefined;
  readonly sessionId: string | null;
}

const textOr = <T>(value: JsonValue | undefined, other: T): string | T =>
  typeof value === 'string' ? value : other;

/** The time as text. Other writers store numbers, which the engine accepts too (fishbowl.md §1). */
export function storedTime(createdAt: JsonValue | undefined): string | undefined {
  return typeof createdAt === 'number' ? coerceTime(createdAt) : textOr(createdAt, undefined);
}

/** A time in normal form. A text that is not a time is unchanged. */
export function timeText(createdAt: JsonValue | undefined): string | null {
  return coerceTime(createdAt) ?? textOr(createdAt, null);
}

/** The instant of a stored time, in milliseconds since 1970. Without an offset it is in UTC (fishbowl.md §4). */
export function instantOf(createdAt: JsonValue | undefined): number | undefined {
  const text = timeText(createdAt);
  return text === null ? undefined : parseInstant(text);
}

/** Reads as much of an event as possible. Undefined if it has no run, kind or payload. */
export function readEvent(event: JsonObject): LedgerEvent | undefined {
  const { id, run_id: runId, kind, actor, payload, turn } = event;
  const { created_at: createdAt, session_id: sessionId } = event;
  if (typeof runId !== 'string' || typeof kind !== 'string' || !isObject(payload)) return undefined;
  return {
    id: textOr(id, undefined),
    runId,
    kind,
    actor: textOr(actor, undefined),
    payload,
    turn: coerceInteger(turn),
    createdAt,
    sessionId: textOr(sessionId, null),
  };
}

/** Reads any object as an event, for views. */
export const readLeniently = (event: JsonObject): LedgerEvent =>
  readEvent({
    ...event,
    run_id: stringOf(event['run_id']) || 'a run without an id',
    kind: stringOf(event['kind']) ?? '',
    payload: asObject(event['payload']),
  }) as LedgerEvent;

/** Converts an event to the known version, if steps lead there (fishbowl.md §3); otherwise returns it unchanged. */
export function upcastEvent(event: JsonObject, steps: readonly UpcastStep[]): JsonObject {
  // An event without a version has the first one.
  const version = coerceInteger(event['schema_version']) ?? SCHEMA_VERSION;
  if (version === SCHEMA_VERSION) return event;
  const wanted = { version, wanted: SCHEMA_VERSION, member: 'schema_version' };
  return upcast(event, { dialect: 'fishbowl', type: event['kind'], ...wanted }, steps) ?? event;
}
