import * as z from 'zod';
import { EVENT_SCHEMA_VERSION, FACULTIES } from '../model/vocabulary.ts';

const object = z.record(z.string(), z.unknown());

/** Timing of an event: ISO 8601 instants, and a duration in milliseconds that may be fractional. */
export const metricsSchema = z.looseObject({
  started_at: z.string().optional(),
  completed_at: z.string().optional(),
  duration_ms: z.number().optional(),
});

/**
 * The envelope of an event (docs/formats/noesis.md §2.1): what both the documents and the runtime require.
 * Unknown keys are kept. `timestamp`, `episode_id` and `evidence_ids` are optional here, because the
 * documents omit them.
 */
export const eventSchema = z
  .looseObject({
    id: z.string().min(1),
    phase: z.string(),
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

/** Events of phase `runtime` need a type, because it says what they are. */
export const runtimeEventSchema = eventSchema.extend({ event_type: z.string().min(1) });

/** Members that the runtime always writes and the documents omit: required, with any value. */
export const expectedSchema = z.looseObject({
  timestamp: z.unknown(),
  episode_id: z.unknown(),
  evidence_ids: z.unknown(),
});

/** The members of events of all phases. */
export type NoesisEnvelope = z.infer<typeof eventSchema>;
