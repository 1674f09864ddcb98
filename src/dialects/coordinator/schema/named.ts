import type { NamedSchema } from '../../dialect.ts';
import { eventSchema } from './event.ts';
import { stateSchema } from './state.ts';

/** The shapes of what a coordinator stores. */
export const NAMED_SCHEMAS: Readonly<Record<string, NamedSchema>> = {
  event: { schema: eventSchema, title: "An event of a coordinator's log" },
  state: { schema: stateSchema, title: 'state.json of a coordinator, as far as it is checked' },
};
