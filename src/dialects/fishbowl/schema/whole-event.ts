import { withPayloads } from '../../kit/event-schema.ts';
import { eventSchema } from './event.ts';
import { payloadSchemas } from './payloads.ts';

/** An event with the payload of its kind, for `noesis schema`. Checks choose the payload themselves. */
export const wholeEventSchema = withPayloads(
  eventSchema,
  { type: 'kind', payload: 'payload' },
  payloadSchemas,
);
