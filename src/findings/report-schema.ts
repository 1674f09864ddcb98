import * as z from 'zod';
import { LEVELS, REQUIRED_LEVELS } from './level.ts';
import { STAGES, VERDICTS } from './report.ts';
import { RULED_SEVERITIES, SEVERITIES } from './severity.ts';

const count = z.number().int().min(0);
const verdict = z.enum(VERDICTS);

/** A finding, as `noesis verify -j` prints it. */
export const findingSchema = z.strictObject({
  code: z.string(),
  severity: z.enum(SEVERITIES),
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

/** The report on one episode. */
export const episodeSchema = z.strictObject({
  position: count.optional(),
  episode: z.string(),
  path: z.string(),
  dialect: z.string(),
  verdict,
  level: z.enum(LEVELS).optional(),
  not_proven: z.string().optional(),
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
    .array(z.strictObject({ code: z.string(), severity: findingSchema.shape.severity, count: count.min(1) }))
    .optional(),
  baselined: count.min(1).optional(),
});

const policy = z.strictObject({
  strict: z.boolean(),
  requireSeal: z.boolean(),
  requireSignature: z.boolean(),
  requireLevel: z.enum(REQUIRED_LEVELS).optional(),
  maxWarnings: count.optional(),
  maxFindings: count.optional(),
  severities: z.record(z.string(), z.enum(RULED_SEVERITIES)).optional(),
  dialect: z.string().optional(),
  settings: z.record(z.string(), z.record(z.string(), z.json())).optional(),
  baseline: z.string().optional(),
});

const shard = z.strictObject({
  index: count.min(1),
  count: count.min(1),
  targets: count,
  plan: z.string(),
});

/** A report without its episodes: the last line of `noesis verify -f ndjson`. */
export const reportHeadSchema = z.strictObject({
  schema: z.literal('noesis.verify/1'),
  tool: z.strictObject({
    name: z.literal('noesis'),
    version: z.string(),
    schemas: z.record(z.string(), z.record(z.string(), z.array(z.string()))).optional(),
  }),
  policy,
  configuration: z.strictObject({ path: z.string(), rules: count, settings: count }).optional(),
  shard: shard.optional(),
  cache: z.strictObject({ mode: z.enum(['stat', 'hash']), used: count, read: count, left: count }).optional(),
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
    level: z.enum(LEVELS).optional(),
    baselined: count.min(1).optional(),
    not_verified: count.min(1).optional(),
  }),
});

/** The report of `noesis verify -j`, schema `noesis.verify/1`. */
export const reportSchema = reportHeadSchema.extend({ episodes: z.array(episodeSchema) });
