import * as z from 'zod';
import type { NamedSchema } from '../../dialect.ts';
import { wholeEventSchema } from './whole-event.ts';

const object = z.record(z.string(), z.unknown());

/** A line of `<stream>.hook-events.jsonl`: an event that waits to be merged (exarchos.md §9). */
export const sidecarSchema = z.looseObject({
  type: z.string().min(1),
  data: object.optional(),
  timestamp: z.string().optional(),
  idempotencyKey: z.string().min(1).optional(),
});

/** A line of `<stream>.projections.jsonl` (exarchos.md §1.2). `sequence` is a position in the log. */
export const snapshotSchema = z.looseObject({
  projectionId: z.string(),
  projectionVersion: z.string(),
  sequence: z.int().min(0),
  state: object,
  timestamp: z.string(),
});

/** `<stream>.seq` (exarchos.md §1.2). */
export const counterSchema = z.looseObject({ sequence: z.int().min(0) });

/** The parts of `<stream>.state.json` that can be compared with a log (exarchos.md §12). */
export const stateSchema = z.looseObject({
  featureId: z.string(),
  workflowType: z.string(),
  phase: z.string(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
  artifacts: object,
  tasks: z.array(
    z.looseObject({ id: z.string(), title: z.string().optional(), status: z.string().optional() }),
  ),
  worktrees: object.optional(),
  reviews: object.optional(),
  synthesis: object.optional(),
});

export const NAMED_SCHEMAS: Readonly<Record<string, NamedSchema>> = {
  event: {
    schema: wholeEventSchema,
    title: 'An event of an exarchos stream: the envelope, and the data by type',
  },
  state: { schema: stateSchema, title: '<stream>.state.json of exarchos, as far as it is checked' },
};
