import * as z from 'zod';
import { isInstant } from '../../../base/time/instant.ts';
import { EVENT_TYPES, IDS } from '../vocabulary.ts';
import { MAY_BE_NULL, TYPED_DETAILS } from './details.ts';

const id = z.string().nullable();

/** An event in the documented form (coordinator.md §2). More members are allowed. */
export const eventSchema = z.looseObject({
  timestamp: z.string().refine(isInstant, 'an ISO 8601 time'),
  sequence: z.int(),
  session_id: z.string().min(1),
  event_type: z.string().min(1),
  agent_id: id,
  task_id: id,
  details: z.record(z.string(), z.unknown()),
});

/** An event as found in logs. Only type and time are required, as in the reference validator (coordinator.md §6). */
export const compatibleEventSchema = z.looseObject({
  timestamp: z.string(),
  event_type: z.string().min(1),
  sequence: z.int().nullish(),
  session_id: z.string().min(1).nullish(),
  agent_id: id.optional(),
  task_id: id.optional(),
  details: z.record(z.string(), z.unknown()).nullish(),
});

function schemaOf(fields: readonly string[]): z.ZodType {
  const own = fields.filter((name) => !IDS.includes(name));
  return z.looseObject(
    Object.fromEntries(own.map((name) => [name, detailSchema(name).optional()])) as z.ZodRawShape,
  );
}

/** The schema of a detail in a documented event. */
export function detailSchema(name: string): z.ZodType {
  const schema = TYPED_DETAILS.get(name) ?? z.unknown();
  return MAY_BE_NULL.has(name) ? schema.nullable() : schema;
}

/** The documented details by type, without ids. They are expected, not required, and more are allowed. */
export const detailsSchemas: ReadonlyMap<string, z.ZodType> = new Map(
  [...EVENT_TYPES].map(([type, { fields }]) => [type, schemaOf(fields)]),
);
