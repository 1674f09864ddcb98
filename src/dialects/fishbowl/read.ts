import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { parseInstant } from '../../time/instant.ts';
import { upcast } from '../upcast.ts';
import type { UpcastStep } from '../upcast-schema.ts';
import { coerceInteger, coerceTime } from './schema/coerce.ts';

/** The only version there is. */
export const SCHEMA_VERSION = 1;

/**
 * The members of an event that folds and rules need. The engine refuses a whole store because of one bad row;
 * a reader that looks for damage accepts what it can (fishbowl.md §4).
 */
export interface LedgerEvent {
  /** Left out if the row has an ordinal of the id. */
  readonly id?: string | undefined;
  readonly runId: string;
  readonly kind: string;
  readonly actor: string | undefined;
  readonly payload: JsonObject;
  readonly turn: number | undefined;
  /** As stored: {@link timeText} reads it. */
  readonly createdAt: JsonValue | undefined;
  /** The instant, if it is known without parsing the text. */
  readonly instant?: number | undefined;
  readonly sessionId: string | null;
}

const textOr = <T>(value: JsonValue | undefined, other: T): string | T =>
  typeof value === 'string' ? value : other;

/** The stored time. Other writers store numbers, which the engine reads too (fishbowl.md §1). */
export function storedTime(createdAt: JsonValue | undefined): string | undefined {
  return typeof createdAt === 'number' ? coerceTime(createdAt) : textOr(createdAt, undefined);
}

/** A time in normal form; any other text unchanged. */
export function timeText(createdAt: JsonValue | undefined): string | null {
  return coerceTime(createdAt) ?? textOr(createdAt, null);
}

/** The instant of a stored time, in milliseconds since 1970; without an offset it is in UTC (fishbowl.md §4). */
export function instantOf(createdAt: JsonValue | undefined): number | undefined {
  const text = timeText(createdAt);
  return text === null ? undefined : parseInstant(text);
}

/** Reads an event as far as possible; undefined without a run, kind or payload. */
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

/** Converts an event to the known version, if steps lead there (fishbowl.md §3). */
export function upcastEvent(event: JsonObject, steps: readonly UpcastStep[]): JsonObject {
  // An event that does not say its version is of the first.
  const version = coerceInteger(event['schema_version']) ?? SCHEMA_VERSION;
  if (version === SCHEMA_VERSION) return event;
  const wanted = { version, wanted: SCHEMA_VERSION, member: 'schema_version' };
  return upcast(event, { dialect: 'fishbowl', type: event['kind'], ...wanted }, steps) ?? event;
}
