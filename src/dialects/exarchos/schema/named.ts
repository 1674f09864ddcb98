import type { NamedSchema } from '../../dialect.ts';
import { stateSchema } from './artifacts.ts';
import { eventSchema } from './event.ts';

/** The shapes of what a workflow store holds. */
export const NAMED_SCHEMAS: Readonly<Record<string, NamedSchema>> = {
  event: { schema: eventSchema, title: 'An event of an exarchos stream: the envelope' },
  state: { schema: stateSchema, title: '<stream>.state.json of exarchos, as far as it is checked' },
};
