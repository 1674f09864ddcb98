import * as z from 'zod';
import { LEVELS, REQUIRED_LEVELS } from './level.ts';
import { STAGES, VERDICTS } from './report-words.ts';
import { RULED_SEVERITIES, SEVERITIES } from './severity.ts';

const count = z.number().int().min(0);
const verdict = z.enum(VERDICTS);

/**
 * A finding, as `noesis verify -j` prints it.
 *
 * - `line` counts physical lines from 1, including blank ones.
 * - `column` counts UTF-16 units from 1.
 * - `byteStart` and `byteEnd` are offsets into `file`, the end exclusive. For a single place, `byteStart` and `column` are
 * that place.
 */
export const findingSchema = z.strictObject({
  code: z.string(),
  severity: z.enum(SEVERITIES),
  /** The fault and its reason, in one sentence. It may quote trace text, which renderers escape. */
  message: z.string(),
  /** The next step, often a command. */
  hint: z.string().optional(),
  /** The file, relative to the episode's folder, with forward slashes. */
  file: z.string(),
  line: count.min(1).optional(),
  column: count.min(1).optional(),
  byteStart: count.optional(),
  byteEnd: count.optional(),
  eventId: z.string().optional(),
  /** The path in the record or document, such as `payload.steps[0]`. */
  path: z.string().optional(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  /** The stored text around the place, with a bounded length. Not escaped; renderers escape it. */
  excerpt: z.string().optional(),
});

/** A stage and whether it ran; `reason` says why it was skipped. */
const stage = z.strictObject({
  name: z.enum(STAGES),
  status: z.enum(['ran', 'skipped']),
  reason: z.string().optional(),
});

/** The number of findings of one code and severity that are not listed. */
const omitted = z.strictObject({
  code: z.string(),
  severity: findingSchema.shape.severity,
  count: count.min(1),
});

/** What the chain of the records of a log proves. */
export const chainSchema = z.strictObject({
  /** The profile. */
  name: z.string(),
  records: count,
  /** The number of chains, if each group of records has its own. */
  chains: count,
  /** The hash of the last record, for `--expect-head`. */
  head: z.string().optional(),
  /** What would show that records were cut off at the end: `end`, `head`, `given`. */
  guards: z.array(z.string()),
  /** Records with a valid signature, and those of them whose key the user gave. */
  signed: count,
  pinned: count,
});

/** The session that a log is a part of. */
export const partOfSchema = z.strictObject({
  session: z.string(),
  /** It continues the session itself; otherwise it is the log of a subagent. */
  isFurther: z.boolean(),
  /** The task of the subagent. */
  title: z.string().optional(),
});

/** The report on one episode. */
export const episodeSchema = z.strictObject({
  /** In a shard's report: the position of its target among the targets of all shards, from 0. */
  position: count.optional(),
  episode: z.string(),
  /** Absolute: the episode's folder, or the log if there is none. */
  path: z.string(),
  dialect: z.string(),
  verdict,
  level: z.enum(LEVELS).optional(),
  notProven: z.string().optional(),
  /** The session that the log is a part of, such as that of a subagent, if it was not verified together with that session. */
  partOf: partOfSchema.optional(),
  events: count,
  bytes: count,
  sealed: z.boolean(),
  stages: z.array(stage),
  /** The chains of its records, if they are chained. */
  chains: z.array(chainSchema).optional(),
  /** Ordered by file, line (findings without a line first), column, code. */
  findings: z.array(findingSchema),
  /** The numbers of findings beyond the limit (`maxFindings` of the policy). */
  omitted: z.array(omitted).optional(),
  /** The number of findings ignored because they are in the baseline. */
  baselined: count.min(1).optional(),
});

/** The settings that verdicts depend on. Reports with different policies cannot be merged. */
const policy = z.strictObject({
  /** Any warning fails an episode. */
  strict: z.boolean(),
  requireSeal: z.boolean(),
  requireSignature: z.boolean(),
  requireLevel: z.enum(REQUIRED_LEVELS).optional(),
  /** The verification fails if there are more warnings in total. */
  maxWarnings: count.optional(),
  maxFindings: count.optional(),
  /** Changed severities by code, sorted by code. */
  severities: z.record(z.string(), z.enum(RULED_SEVERITIES)).optional(),
  /** The dialect that the user named. */
  dialect: z.string().optional(),
  /** The chain that the user named, and what it must end with. */
  chain: z
    .strictObject({ name: z.string().optional(), head: z.string().optional(), count: count.optional() })
    .optional(),
  /** The settings of dialects from the configuration. */
  settings: z.record(z.string(), z.record(z.string(), z.json())).optional(),
  /** The digest of the baseline. */
  baseline: z.string().optional(),
});

/** The effect of a configuration file on the verdicts, and on what was verified. */
const configuration = z.strictObject({
  /** Absolute. */
  path: z.string(),
  /** The number of findings whose severity it sets. */
  rules: count,
  /** The number of other settings that change how logs are read. */
  settings: count,
  /** The folder of the episodes, absolute, if the file chose it. */
  runsDir: z.string().optional(),
  /** The number of models whose prices it has, if the command shows costs. */
  prices: count.optional(),
});

/** Which part of a run over many targets a report covers. */
const shard = z.strictObject({
  /** From 1. */
  index: count.min(1),
  count: count.min(1),
  /** The number of targets of all shards. */
  targets: count,
  /** A digest of all targets and their shards, on which the shards must agree. */
  plan: z.string(),
});

/** Numbers about the cache of verdicts. */
const cache = z.strictObject({
  mode: z.enum(['stat', 'hash']),
  /** Episodes whose verdict came from the cache. */
  used: count,
  /** Episodes that were read. */
  read: count,
  /** Episodes that this run did not look at and the report does not contain. */
  left: count,
});

/** Totals over all episodes of a report. */
const summary = z.strictObject({
  episodes: count,
  ok: count,
  warn: count,
  fail: count,
  events: count,
  bytes: count,
  errors: count,
  warnings: count,
  /** The lowest level of any episode. */
  level: z.enum(LEVELS).optional(),
  /** The number of findings ignored because they are in the baseline. */
  baselined: count.min(1).optional(),
  /** The number of files that may belong to episodes and were not verified. */
  notVerified: count.min(1).optional(),
});

/** A report without its episodes: the last line of `noesis verify -f ndjson`. */
export const reportHeadSchema = z.strictObject({
  schema: z.literal('noesis.verify/1'),
  tool: z.strictObject({
    name: z.literal('noesis'),
    version: z.string(),
    /** The versions of the schemas it checks with, by dialect and artifact. */
    schemas: z.record(z.string(), z.record(z.string(), z.array(z.string()))).optional(),
  }),
  policy,
  configuration: configuration.optional(),
  shard: shard.optional(),
  cache: cache.optional(),
  verdict,
  summary,
});

/** The report of `noesis verify -j`, schema `noesis.verify/1`. */
export const reportSchema = reportHeadSchema.extend({ episodes: z.array(episodeSchema) });
