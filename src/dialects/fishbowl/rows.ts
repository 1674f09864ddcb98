import { layoutOf } from '../../log/row-layout.ts';
import { at } from '../../schema/shape.ts';
import { shapeOf } from '../../schema/zod-shape.ts';
import { eventSchema } from './schema/event.ts';
import { payloadSchemas } from './schema/payloads.ts';

/** All members of an event, and what a check reads of every payload. */
const COLUMNS = {
  id: ['id', 'id'],
  run_id: ['run_id', 'word'],
  turn: ['turn', 'number'],
  kind: ['kind', 'word'],
  actor: ['actor', 'word'],
  payload: 'payload',
  salvaged: 'payload._raw_fallback',
  created_at: ['created_at', 'time'],
  schema_version: ['schema_version', 'number'],
  session_id: ['session_id', 'word'],
  model_profile: ['model_profile', 'word'],
  model_id: ['model_id', 'word'],
} as const;

/** Put in place by the build, which makes it of the layout (scripts/tables.ts). */
declare const NOESIS_TABLE_FISHBOWL: string | undefined;

/** How verification reads the records of a ledger. A kind that no document describes may hold any payload. */
export const LAYOUT = layoutOf(
  'kind',
  COLUMNS,
  Object.entries(payloadSchemas).map(
    ([kind, schema]) => [kind, () => [shapeOf(eventSchema), at(['payload'], shapeOf(schema))]] as const,
  ),
  () => [shapeOf(eventSchema)],
  /* v8 ignore next -- only the build puts it in place */
  typeof NOESIS_TABLE_FISHBOWL === 'string' ? NOESIS_TABLE_FISHBOWL : undefined,
);

/** The numbers of the columns. */
export const COLUMN = LAYOUT.at;
