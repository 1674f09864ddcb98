import * as z from 'zod';
import type { FindingCode } from '../../findings/codes.ts';
import { LEVELS } from '../../findings/level.ts';
import type { Policy } from '../../findings/policy.ts';
import type { EpisodeReport, VerifyReport } from '../../findings/report.ts';
import { VERDICTS } from '../../findings/report-words.ts';

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const PREDICATE_TYPE = 'https://github.com/noesis-trace/noesis/verification/v1';

const verdictSchema = z.enum(VERDICTS);
const countSchema = z.int().min(0);

/** An in-toto statement about a verification (docs/formats/attestation.md). */
export const statementSchema = z.looseObject({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  /** Every file of the episodes: `<episode>/<file>`, or the name of a log alone. */
  subject: z.array(
    z.looseObject({
      name: z.string(),
      digest: z.looseObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    }),
  ),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: z.looseObject({
    tool: z.looseObject({ name: z.string(), version: z.string() }),
    /** When the verification was done: ISO 8601 in UTC. */
    verifiedAt: z.iso.datetime(),
    verdict: verdictSchema,
    policy: z.looseObject({
      strict: z.boolean(),
      requireSeal: z.boolean(),
      requireSignature: z.boolean(),
      maxWarnings: countSchema.optional(),
      /** Changed severities, by code. */
      rules: z.record(z.string(), z.string()),
    }),
    episodes: z.array(
      z.looseObject({
        name: z.string(),
        dialect: z.string(),
        verdict: verdictSchema,
        sealed: z.boolean(),
        level: z.enum(LEVELS).optional(),
        events: countSchema,
        /** The number of findings per code. */
        findings: z.record(z.string(), countSchema),
      }),
    ),
  }),
});

export type Statement = z.infer<typeof statementSchema>;

/** A file and its sha256 in hex. */
export interface Subject {
  readonly name: string;
  readonly sha256: string;
}

function findingCounts({ findings, omitted = [] }: EpisodeReport): Record<string, number> {
  const counts = new Map<FindingCode, number>();
  const add = (code: FindingCode, more: number) => counts.set(code, (counts.get(code) ?? 0) + more);
  for (const { code } of findings) add(code, 1);
  for (const { code, count } of omitted) add(code, count);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Builds the statement that files were verified, and with what result. `verifiedAt` is in milliseconds since
 * 1970.
 */
export function statementOf(
  report: VerifyReport,
  policy: Policy,
  subjects: readonly Subject[],
  verifiedAt: number,
): Statement {
  const { strict, requireSeal, requireSignature, maxWarnings, severities } = policy;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: PREDICATE_TYPE,
    predicate: {
      tool: { ...report.tool },
      verifiedAt: new Date(verifiedAt).toISOString(),
      verdict: report.verdict,
      policy: {
        strict,
        requireSeal,
        requireSignature,
        ...(maxWarnings !== undefined && { maxWarnings }),
        rules: Object.fromEntries(severities),
      },
      episodes: report.episodes.map((episode) => ({
        name: episode.episode,
        dialect: episode.dialect,
        verdict: episode.verdict,
        sealed: episode.sealed,
        ...(episode.level !== undefined && { level: episode.level }),
        events: episode.events,
        findings: findingCounts(episode),
      })),
    },
  };
}
