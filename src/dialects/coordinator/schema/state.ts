import * as z from 'zod';
import type { NamedSchema } from '../../dialect.ts';
import { eventSchema } from './event.ts';

const task = z.looseObject({ task_id: z.string() });

/**
 * `state.json`, as far as a log can contain it and the reference validator requires it (coordinator.md §4).
 * Completed tasks are a list of ids; in some documents rows, or a map with one.
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

/** The shapes of what a coordinator stores. */
export const NAMED_SCHEMAS: Readonly<Record<string, NamedSchema>> = {
  event: { schema: eventSchema, title: "An event of a coordinator's log" },
  state: { schema: stateSchema, title: 'state.json of a coordinator, as far as it is checked' },
};
