import * as z from 'zod';
import { withPayload } from '../../kit/event-schema.ts';
import { type PayloadRules, rulesFor } from './payloads.ts';
import { eventSchema } from './schema.ts';

const made = new WeakMap<PayloadRules, z.ZodType>();

/** The schema of a payload by itself. */
export function payloadSchema(rules: PayloadRules | undefined): z.ZodType {
  if (rules === undefined) return eventSchema.shape.payload;
  const schema = made.get(rules) ?? schemaOf(rules);
  made.set(rules, schema);
  return schema;
}

function schemaOf({ forms, fields }: PayloadRules): z.ZodType {
  // A form already requires its fields, so they are optional here.
  const optional = z.looseObject(fields.partial().shape);
  if (forms === undefined) return optional;
  return z.intersection(forms.length === 1 ? forms[0] : z.union(forms), optional);
}

/**
 * An event with the payload of its phase (docs/formats/noesis.md §2.2), and for a runtime event with its type. The rules
 * are only made for the phases that occur, because making all of them takes longer than reading a short log.
 */
export const wholeEventSchema = withPayload(eventSchema, 'payload', ({ phase, event_type: type }) =>
  payloadSchema(rulesFor(String(phase), type)),
).superRefine(({ phase, event_type: type }, context) => {
  if (phase !== 'runtime' || (typeof type === 'string' && type !== '')) return;
  context.addIssue({ code: 'custom', message: 'a runtime event needs a type', path: ['event_type'] });
});
