import * as z from 'zod';
import type { JsonObject } from '../../../base/json/value.ts';
import { takesUtcTimes } from '../../../log/schema/zod-shape.ts';
import { SCHEMA_VERSION } from '../read.ts';
import { coerceInteger, coerceTime } from './coerce.ts';

/** A kind: at least two words of a–z and 0–9, joined by dots, each beginning with a letter (fishbowl.md §2). */
const KIND = /^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)+$/;

const object = z.record(z.string(), z.unknown());
const label = z.string().nullish();
const KIND_FORM = 'words of a-z and 0-9 joined by dots, as in agent.spoke';
/** `z.int()` would refuse integers beyond 2^53, which the format allows. */
const integer = z.number().refine(Number.isInteger, 'an integer');

/** A time in UTC as the engine writes it. */
const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?(?:Z|\+00:00)$/;

/** Whether a text is a time as the engine writes it. */
export const isUtcTime = takesUtcTimes((text) => UTC_TIME.test(text) && coerceTime(text) !== undefined);

/**
 * An event as the current engine writes it (fishbowl.md §1): the eight members of the document, and three later ones
 * that may be missing. No other members are allowed.
 */
export const eventSchema = z.strictObject({
  id: z.string(),
  run_id: z.string(),
  turn: integer,
  kind: z.string().regex(KIND, KIND_FORM),
  actor: z.string(),
  payload: object,
  created_at: z.string().refine(isUtcTime, 'an ISO 8601 time in UTC'),
  schema_version: integer,
  session_id: label,
  model_profile: label,
  model_id: label,
});

function coerced<T>(kinds: z.ZodType, read: (value: unknown) => T | undefined, expected: string) {
  return kinds.transform((value, context): T => {
    const result = read(value);
    if (result !== undefined) return result;
    context.addIssue({ code: 'custom', message: expected });
    return z.NEVER;
  });
}

const laxInteger = coerced(z.union([z.number(), z.string(), z.boolean()]), coerceInteger, 'an integer');
const laxTime = coerced(z.union([z.string(), z.number()]), coerceTime, 'an ISO 8601 time');

/** The engine's pattern also accepts one final newline (fishbowl.md §2). */
const isLaxKind = (kind: string) => KIND.test(kind.endsWith('\n') ? kind.slice(0, -1) : kind);

/**
 * An event that the engine's validator accepts (fishbowl.md §1). Where the engine would make up an id or a time, this
 * schema has a placeholder, because a made-up value proves nothing.
 */
export const compatibleEventSchema = eventSchema.extend({
  id: z.string().default('<generated>'),
  turn: laxInteger,
  kind: z.string().refine(isLaxKind, KIND_FORM),
  created_at: laxTime.default('<now-utc>'),
  schema_version: laxInteger.default(SCHEMA_VERSION),
  session_id: label.default(null),
  model_profile: label.default(null),
  model_id: label.default(null),
});

/** The members of an event in the order of the engine. The document lists the first eight (fishbowl.md §1). */
export const EVENT_KEYS: readonly string[] = Object.keys(eventSchema.shape);

/** The unknown members of an event. The engine refuses such events (fishbowl.md §1). */
export function unknownKeys(event: JsonObject): string[] {
  return Object.keys(event).filter((key) => !EVENT_KEYS.includes(key));
}
