import * as z from 'zod';
import { EVENT_SCHEMA_VERSION, FACULTIES } from './vocabulary.ts';

const object = z.record(z.string(), z.unknown());

/** Timing of an event: ISO 8601 instants, and a duration in milliseconds that may be fractional. */
export const metricsSchema = z.looseObject({
  started_at: z.string().optional(),
  completed_at: z.string().optional(),
  duration_ms: z.number().optional(),
});

/**
 * The envelope of an event (docs/formats/noesis.md §2.1): what both the documents and the runtime require. `timestamp`,
 * `episode_id` and `evidence_ids` are optional because the documents omit them. Unknown keys are kept.
 */
export const eventSchema = z
  .looseObject({
    id: z.string().min(1),
    phase: z.string().min(1),
    payload: object,
    timestamp: z.string().optional(),
    episode_id: z.string().optional(),
    agent_id: z.string().nullish(),
    evidence_ids: z.array(z.string()).optional(),
    caused_by: z.string().nullish(),
    event_type: z.string().nullish(),
    faculty: z.enum(FACULTIES).nullish(),
    metrics: metricsSchema.nullish(),
  })
  .describe(`Event schema ${EVENT_SCHEMA_VERSION}`);

/** A runtime event needs a type, because its phase says nothing. */
export const runtimeEventSchema = eventSchema.extend({ event_type: z.string().min(1) });

/** Members that the runtime always writes, although the documents omit them. */
export const expectedSchema = z.looseObject({
  timestamp: z.unknown(),
  episode_id: z.unknown(),
  evidence_ids: z.unknown(),
});

export type NoesisEnvelope = z.infer<typeof eventSchema>;
