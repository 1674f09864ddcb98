import * as z from 'zod';
import { instant } from '../kit/shapes.ts';

/** An event of a session (copilot.md §2). */
export const eventSchema = z.looseObject({
  type: z.string(),
  data: z.looseObject({}),
  id: z.string(),
  timestamp: instant,
  parentId: z.string().nullable(),
  agentId: z.string().optional(),
});
