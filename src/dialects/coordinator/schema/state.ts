import * as z from 'zod';
import type { NamedSchema } from '../../dialect.ts';
import { wholeEventSchema } from './whole-event.ts';

const task = z.looseObject({ task_id: z.string() });

/**
 * The parts of `state.json` that a log can contain, or that the reference validator requires (coordinator.md §4).
 * Documents differ on whether completed tasks are ids, rows or a map.
 */
export const stateSchema = z.looseObject({
  session_id: z.string(),
  saved_at: z.string(),
  completed_tasks: z.union([
    z.array(z.union([z.string(), z.number(), task])),
    z.record(z.string(), z.unknown()),
  ]),
  available_tasks: z.union([
    z.array(z.union([z.string(), z.number(), task])),
    z.record(z.string(), z.unknown()),
  ]),
});

export const NAMED_SCHEMAS: Readonly<Record<string, NamedSchema>> = {
  event: {
    schema: wholeEventSchema,
    title: "An event of a coordinator's log: the envelope, and the details by type",
  },
  state: { schema: stateSchema, title: 'state.json of a coordinator, as far as it is checked' },
};
