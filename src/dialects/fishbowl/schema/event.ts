import * as z from 'zod';
import type { JsonObject } from '../../../json/value.ts';
import { takesUtcTimes } from '../../../schema/zod-shape.ts';
import { EVENT_KEYS, KIND, SCHEMA_VERSION } from '../vocabulary.ts';
import { coerceInteger, coerceTime } from './coerce.ts';

const object = z.record(z.string(), z.unknown());
const label = z.string().nullable().optional();
/** Not `z.int()`: that refuses integers beyond 2^53, which the format allows. */
const integer = z.number().refine(Number.isInteger, 'an integer');

/** A stored instant in UTC, as the engine writes it. */
const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?(?:Z|\+00:00)$/;

/** Whether a text is an instant as the engine writes it. */
export const isUtcTime = takesUtcTimes((text) => UTC_TIME.test(text) && coerceTime(text) !== undefined);

/**
 * An event as today's engine writes it (fishbowl.md §1): the eight members of the document, and three that came
 * later and that older ledgers lack. No other members.
 */
export const eventSchema = z.strictObject({
  id: z.string(),
  run_id: z.string(),
  turn: integer,
  kind: z.string().regex(KIND, 'words of a-z and 0-9 joined by dots, as in agent.spoke'),
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

/** `$` of the engine's pattern lets one final newline pass (fishbowl.md §2). */
const isLaxKind = (kind: string) => KIND.test(kind.endsWith('\n') ? kind.slice(0, -1) : kind);

/** What the validator puts where a member is missing that it fills in: a new id, the time of reading. */
export interface Minted {
  readonly id: () => string;
  readonly now: () => string;
}

/** Placeholders: reading is pure, and an id or a time made up by a reader would prove nothing. */
export const UNMINTED: Minted = { id: () => '<generated>', now: () => '<now-utc>' };

/** An event as the engine's lax validator takes it, made whole (fishbowl.md §1). */
export function compatibleEventSchema(minted: Minted = UNMINTED) {
  return z.strictObject({
    id: z
      .string()
      .optional()
      .transform((id) => id ?? minted.id()),
    run_id: z.string(),
    turn: laxInteger,
    kind: z.string().refine(isLaxKind, 'words of a-z and 0-9 joined by dots, as in agent.spoke'),
    actor: z.string(),
    payload: object,
    created_at: laxTime.optional().transform((time) => time ?? minted.now()),
    schema_version: laxInteger.optional().transform((version) => version ?? SCHEMA_VERSION),
    session_id: label.transform((text) => text ?? null),
    model_profile: label.transform((text) => text ?? null),
    model_id: label.transform((text) => text ?? null),
  });
}

const KEYS: readonly string[] = EVENT_KEYS;

/** The members of an event that the format does not know; the engine refuses them (fishbowl.md §1). */
export function unknownKeys(event: JsonObject): string[] {
  return Object.keys(event).filter((key) => !KEYS.includes(key));
}

/** The schema that explains what the engine's validator would refuse. */
export const laxEventSchema: z.ZodType = compatibleEventSchema();
