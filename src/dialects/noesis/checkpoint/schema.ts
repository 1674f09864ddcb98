import * as z from 'zod';

const text = z.string();

/** checkpoints/<id>/checkpoint.json (docs/formats/noesis.md §9). */
export const checkpointSchema = z.looseObject({
  schema_version: text.min(1),
  run_id: text.min(1),
  checkpoint_id: text.min(1),
  created_at: text.min(1),
  event_offset: z.number().int().min(1),
  last_event_id: text.min(1),
  state_hash: text.min(1),
  artifact_manifest_hash: text.min(1),
});
