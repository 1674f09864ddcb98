import * as z from 'zod';

/** final.json, the seal marker (docs/formats/noesis.md §8.4). */
export const finalSchema = z.looseObject({
  schema_version: z.literal('final/2.0.0'),
  episode_id: z.string(),
  process_id: z.string(),
  run_index: z.number().int().min(1),
  finalized_at: z.string(),
  outcome: z.enum(['success', 'failed', 'vetoed', 'cancelled', 'interrupted', 'error']),
  verification_status: z.enum(['verified', 'unverified', 'not_applicable']),
});
