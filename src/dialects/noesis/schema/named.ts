import * as z from 'zod';
import type { NamedSchema } from '../../dialect.ts';
import { eventSchema } from './event.ts';
import { eventByPhaseSchema } from './event-by-phase.ts';
import { manifestSchema } from './manifest.ts';
import { wordedStateSchema } from './state.ts';

/** The rules by phase are added to the envelope, so that its members stay where readers look for them. */
const { description, anyOf } = z.toJSONSchema(eventByPhaseSchema, { unrepresentable: 'any' });

/** The schemas of the files in an episode. */
export const NAMED_SCHEMAS: Readonly<Record<string, NamedSchema>> = {
  event: {
    schema: eventSchema.meta({ description, anyOf }),
    title: 'An event of a Noēsis episode: the envelope, and the payload by phase',
  },
  state: { schema: wordedStateSchema, title: 'state.json of a Noēsis episode' },
  manifest: { schema: manifestSchema, title: 'manifest.json of a Noēsis episode' },
};
