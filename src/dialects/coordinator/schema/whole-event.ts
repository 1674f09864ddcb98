import { withPayloads } from '../../kit/event-schema.ts';
import { detailsSchemas, eventSchema } from './event.ts';

/** An event with the details of its type, for `noesis schema`. Checks judge the details themselves. */
export const wholeEventSchema = withPayloads(
  eventSchema,
  { type: 'event_type', payload: 'details' },
  Object.fromEntries(detailsSchemas),
);
