import type { FindingCode } from './codes.ts';
import type { Finding } from './finding.ts';
import type { Severity } from './severity.ts';

/** fail: any error. warn: any warning. ok: neither; info does not count. */
export type Verdict = 'ok' | 'warn' | 'fail';

/** The stages of a verification, in the order in which they are reported. */
export const STAGES = [
  'log',
  'events',
  'lineage',
  'governance',
  'state',
  'projection',
  'artifacts',
  'manifest',
  'consistency',
] as const;

export type StageName = (typeof STAGES)[number];

/** One stage and whether it ran; `reason` says why it was skipped. */
export interface Stage {
  readonly name: StageName;
  readonly status: 'ran' | 'skipped';
  readonly reason?: string;
}

/** How many findings of each severity there are. */
export type SeverityCounts = Readonly<Record<Severity, number>>;

/** Findings of one code and severity beyond those that are kept. */
export interface OmittedFindings {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly count: number;
}

/** What was found in an episode. */
export interface Found {
  readonly verdict: Verdict;
  /** Ordered by file, line (those without first), column, code. */
  readonly findings: readonly Finding[];
  /** What there is beyond `findings`, where more was found of a code than is kept (`maxFindings` of the policy). */
  readonly omitted?: readonly OmittedFindings[];
}

/** What verification says of one episode. */
export interface EpisodeReport extends Found {
  readonly episode: string;
  /** Absolute: the episode's directory, or the log file where there is none. */
  readonly path: string;
  readonly dialect: string;
  readonly events: number;
  readonly bytes: number;
  readonly sealed: boolean;
  readonly stages: readonly Stage[];
}

/** The whole report of `noesis verify`, as `-j` prints it (schema `noesis.verify/1`). */
export interface VerifyReport {
  readonly schema: 'noesis.verify/1';
  readonly tool: { readonly name: 'noesis'; readonly version: string };
  readonly verdict: Verdict;
  readonly summary: {
    readonly episodes: number;
    readonly ok: number;
    readonly warn: number;
    readonly fail: number;
    readonly events: number;
    readonly bytes: number;
    readonly errors: number;
    readonly warnings: number;
  };
  readonly episodes: readonly EpisodeReport[];
}

/** How many findings of each severity an episode has, those that are only counted as well. */
export function severityCounts({
  findings,
  omitted = [],
}: Pick<Found, 'findings' | 'omitted'>): SeverityCounts {
  const counts = { error: 0, warn: 0, info: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  for (const { severity, count } of omitted) counts[severity] += count;
  return counts;
}

/** The verdict that findings give. */
export function verdictOf({ error, warn }: SeverityCounts): Verdict {
  return error > 0 ? 'fail' : warn > 0 ? 'warn' : 'ok';
}

/** What makes warnings fail. */
export interface Strictness {
  /** A warning fails an episode. */
  readonly strict: boolean;
  /** More warnings than this, in all, fail the verification. */
  readonly maxWarnings?: number;
}

/** Gathers episode reports into the whole, counting as it goes. */
export function assembleReport(
  version: string,
  reports: readonly EpisodeReport[],
  { strict, maxWarnings = Infinity }: Strictness = { strict: false },
): VerifyReport {
  const episodes = reports.map((report) =>
    strict && report.verdict === 'warn' ? { ...report, verdict: 'fail' as const } : report,
  );
  const summary = {
    episodes: episodes.length,
    ok: 0,
    warn: 0,
    fail: 0,
    events: 0,
    bytes: 0,
    errors: 0,
    warnings: 0,
  };
  for (const episode of episodes) {
    summary[episode.verdict] += 1;
    summary.events += episode.events;
    summary.bytes += episode.bytes;
    const { error, warn } = severityCounts(episode);
    summary.errors += error;
    summary.warnings += warn;
  }
  const failed = summary.fail > 0 || summary.warnings > maxWarnings;
  const verdict = failed ? 'fail' : summary.warn > 0 ? 'warn' : 'ok';
  return { schema: 'noesis.verify/1', tool: { name: 'noesis', version }, verdict, summary, episodes };
}
