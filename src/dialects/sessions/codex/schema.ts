import * as z from 'zod';
import { instant } from '../kit/shapes.ts';

/** A line of a rollout (codex.md §2). */
export const lineSchema = z.looseObject({
  timestamp: instant,
  type: z.string(),
  payload: z.looseObject({ type: z.string().optional() }),
  ordinal: z.int().min(0).optional(),
});

/** A line of the old form without an envelope. Its time is missing, often also its type. */
export const bareSchema = z.looseObject({ type: z.string().optional(), timestamp: instant.optional() });
