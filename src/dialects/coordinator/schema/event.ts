import * as z from 'zod';
import { isInstant } from '../../../base/time/instant.ts';
import { EVENT_TYPES, IDS } from '../vocabulary.ts';

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

const present = z.unknown().refine((value) => value !== undefined, 'required');

/** The few details whose types the documents state (coordinator.md §3). */
export const TYPED_DETAILS: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['full_reload', z.boolean().nullable()],
  ['all_passed', z.boolean().nullable()],
  ['escalate', z.boolean().nullable()],
  ['response_summary', z.string().max(200).nullable()],
]);

function schemaOf(fields: readonly string[]): z.ZodType {
  const own = fields.filter((name) => !IDS.includes(name));
  return z.looseObject(
    Object.fromEntries(own.map((name) => [name, TYPED_DETAILS.get(name) ?? present])) as z.ZodRawShape,
  );
}

/** The documented details by type, without ids. More are allowed. */
export const detailsSchemas: ReadonlyMap<string, z.ZodType> = new Map(
  [...EVENT_TYPES].map(([type, { fields }]) => [type, schemaOf(fields)]),
);
