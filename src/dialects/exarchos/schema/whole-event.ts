import * as z from 'zod';
import { withPayloads } from '../../kit/event-schema.ts';
import { eventSchema } from './event.ts';
import { knownForms, PAYLOADS } from './payloads.ts';

/** The data of each built-in type: in the form of the store, or in another that versions of the program write. */
const DATA = Object.fromEntries(
  Object.entries(PAYLOADS).map(([type, schema]) => {
    const forms = knownForms(type);
    return [type, forms.length === 0 ? schema : z.union([schema, ...forms])];
  }),
);

/** An event with the data of its type, for `noesis schema`. Checks choose the data themselves. */
export const wholeEventSchema = withPayloads(eventSchema, { type: 'type', payload: 'data' }, DATA);
