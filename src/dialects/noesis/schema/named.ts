import type { NamedSchema } from '../../dialect.ts';
import { eventSchema } from './event.ts';
import { manifestSchema } from './manifest.ts';
import { stateSchema } from './state.ts';

/** The shapes of what an episode stores. */
export const NAMED_SCHEMAS: Readonly<Record<string, NamedSchema>> = {
  event: { schema: eventSchema, title: 'An event of a Noēsis episode: the envelope' },
  state: { schema: stateSchema, title: 'state.json of a Noēsis episode' },
  manifest: { schema: manifestSchema, title: 'manifest.json of a Noēsis episode' },
};
