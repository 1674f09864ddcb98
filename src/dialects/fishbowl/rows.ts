import { layoutOf } from '../../log/row-layout.ts';
import { at } from '../../schema/shape.ts';
import { shapeOf } from '../../schema/zod-shape.ts';
import { eventSchema } from './schema/event.ts';
import { payloadSchemas } from './schema/payloads.ts';

const envelope = shapeOf(eventSchema);

/** How verification reads the records of a ledger. A kind that no document describes may hold any payload. */
export const LAYOUT = layoutOf(
  'kind',
  { id: 'id', kind: 'kind' },
  Object.entries(payloadSchemas).map(
    ([kind, schema]) => [kind, [envelope, at(['payload'], shapeOf(schema))]] as const,
  ),
  [envelope],
);
