import * as z from 'zod';
import { isInstant } from '../../time/instant.ts';

/** An event of a session (copilot.md §2). */
export const eventSchema = z.looseObject({
  type: z.string(),
  data: z.looseObject({}),
  id: z.string(),
  timestamp: z.string().refine(isInstant, 'an ISO 8601 time'),
  parentId: z.string().nullable(),
  agentId: z.string().optional(),
});
