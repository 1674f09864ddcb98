import * as z from 'zod';
import type { NamedSchema } from '../dialect.ts';
import { payloadRules, runtimeRules } from './event/payloads.ts';
import { eventSchema, runtimeEventSchema } from './event/schema.ts';
import { EVENT_SCHEMA_VERSION, PHASES } from './event/vocabulary.ts';
import { payloadSchema, wholeEventSchema } from './event/whole-event.ts';
import { manifestSchema } from './seal/manifest-schema.ts';
import { wordedStateSchema } from './state/schema.ts';

const ofPhase = PHASES.filter((phase) => phase !== 'runtime').map((phase) =>
  eventSchema.extend({ phase: z.literal(phase), payload: payloadSchema(payloadRules(phase)) }),
);

/** Matches texts that match `pattern` but none of the earlier patterns. */
const butNot = (pattern: RegExp, earlier: readonly RegExp[]): RegExp =>
  new RegExp(`${earlier.map(({ source }) => `(?!${source})`).join('')}${pattern.source}`);

const ofRuntime = runtimeRules.map(([pattern, rules], index) => {
  const earlier = runtimeRules.slice(0, index).map(([one]) => one);
  return runtimeEventSchema.extend({
    phase: z.literal('runtime'),
    event_type: z.string().min(1).regex(butNot(pattern, earlier)),
    payload: payloadSchema(rules()),
  });
});

/** Extensions may add phases, with any payload. */
const ofExtension = eventSchema.extend({
  phase: z.string().regex(new RegExp(`^(?!(?:${PHASES.join('|')})$)`)),
});

/** An event with the payload rules of its phase, for the JSON Schema and tests. Checks choose the rules by phase. */
export const eventByPhaseSchema = z
  .union([...ofPhase, ...ofRuntime, ofExtension])
  .describe(`Event schema ${EVENT_SCHEMA_VERSION}`);

/** The JSON Schema shows the members of the envelope, and adds the rules by phase as `anyOf`. */
const { description, anyOf } = z.toJSONSchema(eventByPhaseSchema, { unrepresentable: 'any' });

/** The schemas of the files in an episode. */
export const NAMED_SCHEMAS: Readonly<Record<string, NamedSchema>> = {
  event: {
    schema: wholeEventSchema.meta({ description, anyOf }),
    title: 'An event of a Noēsis episode: the envelope, and the payload by phase',
  },
  state: { schema: wordedStateSchema, title: 'state.json of a Noēsis episode' },
  manifest: { schema: manifestSchema, title: 'manifest.json of a Noēsis episode' },
};
