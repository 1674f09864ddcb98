import * as z from 'zod';
import { eventSchema } from '../dialects/noesis/schema/event.ts';
import { manifestSchema } from '../dialects/noesis/schema/manifest.ts';
import { stateSchema } from '../dialects/noesis/schema/state.ts';
import { reportSchema } from '../findings/report-schema.ts';

const SCHEMAS = {
  event: { schema: eventSchema, title: 'An event of a Noēsis episode: the envelope' },
  state: { schema: stateSchema, title: 'state.json of a Noēsis episode' },
  manifest: { schema: manifestSchema, title: 'manifest.json of a Noēsis episode' },
  report: { schema: reportSchema, title: 'The report of noesis verify -j' },
} as const;

/** A JSON Schema (draft 2020-12) made from the zod schema of that name. */
export function jsonSchema(name: keyof typeof SCHEMAS): Record<string, unknown> {
  const { schema, title } = SCHEMAS[name];
  const { $schema, ...rest } = z.toJSONSchema(schema, { unrepresentable: 'any' });
  return { $schema, title, ...rest };
}
