import * as z from 'zod';
import { instant } from '../kit/shapes.ts';

/** Any record (claude-code.md §2). Records without a parent only have a type in common. */
const recordSchema = z.looseObject({ type: z.string(), timestamp: instant.optional() });

const chain = {
  uuid: z.string(),
  parentUuid: z.string().nullable(),
  timestamp: instant,
  sessionId: z.string(),
  isSidechain: z.boolean(),
};

const message = z.looseObject({
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
});

/** A record with a parent (claude-code.md §3). */
const chainSchema = z.looseObject({ type: z.string(), ...chain });

/** A message of the user, a tool or the model. */
export const saidSchema = z.looseObject({ type: z.enum(['user', 'assistant']), message, ...chain });

/** The schema of a record by its type. */
export function schemaOf(type: unknown, isChain: boolean): z.ZodType {
  if (type === 'user' || type === 'assistant') return saidSchema;
  return isChain ? chainSchema : recordSchema;
}
