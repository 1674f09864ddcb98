import * as z from 'zod';
import { STAGES } from './report.ts';

const count = z.number().int().min(0);
const verdict = z.enum(['ok', 'warn', 'fail']);

/** A finding, as `noesis verify -j` prints it. */
export const findingSchema = z.strictObject({
  code: z.string(),
  severity: z.enum(['error', 'warn', 'info']),
  message: z.string(),
  hint: z.string().optional(),
  file: z.string(),
  line: count.min(1).optional(),
  column: count.min(1).optional(),
  byteStart: count.optional(),
  byteEnd: count.optional(),
  eventId: z.string().optional(),
  path: z.string().optional(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  excerpt: z.string().optional(),
});

/** The report of `noesis verify -j`, schema `noesis.verify/1`. */
export const reportSchema = z.strictObject({
  schema: z.literal('noesis.verify/1'),
  tool: z.strictObject({ name: z.literal('noesis'), version: z.string() }),
  verdict,
  summary: z.strictObject({
    episodes: count,
    ok: count,
    warn: count,
    fail: count,
    events: count,
    bytes: count,
    errors: count,
    warnings: count,
  }),
  episodes: z.array(
    z.strictObject({
      episode: z.string(),
      path: z.string(),
      dialect: z.string(),
      verdict,
      events: count,
      bytes: count,
      sealed: z.boolean(),
      stages: z.array(
        z.strictObject({
          name: z.enum(STAGES),
          status: z.enum(['ran', 'skipped']),
          reason: z.string().optional(),
        }),
      ),
      findings: z.array(findingSchema),
      omitted: z
        .array(
          z.strictObject({ code: z.string(), severity: findingSchema.shape.severity, count: count.min(1) }),
        )
        .optional(),
    }),
  ),
});
