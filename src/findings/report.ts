import type * as z from 'zod';
import { defined } from '../base/json/defined.ts';
import type { FindingCode } from './codes.ts';
import type { Finding, Stored } from './finding.ts';
import { LEVELS } from './level.ts';
import type { DialectSettings } from './options.ts';
import type { episodeSchema, reportHeadSchema } from './report-schema.ts';
import type { Severity } from './severity.ts';

type EpisodeData = z.infer<typeof episodeSchema>;
type HeadData = z.infer<typeof reportHeadSchema>;

export type Stage = Stored<EpisodeData>['stages'][number];
export type StageName = Stage['name'];
export type Verdict = EpisodeData['verdict'];

/** The number of findings per severity. */
type SeverityCounts = Readonly<Record<Severity, number>>;

/** The number of findings of one code and severity that are not listed. */
export interface OmittedFindings {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly count: number;
}

/** The report on one episode. */
export interface EpisodeReport extends Stored<Omit<EpisodeData, 'findings' | 'omitted'>> {
  readonly findings: readonly Finding[];
  readonly omitted?: readonly OmittedFindings[];
}

/** The findings of an episode. */
export type Found = Pick<EpisodeReport, 'verdict' | 'findings' | 'omitted' | 'baselined'>;

/** The settings that verdicts depend on. Reports with different policies cannot be merged. */
export interface ReportPolicy extends Stored<Omit<HeadData['policy'], 'settings'>> {
  readonly settings?: DialectSettings;
}

/** A report without its episodes: the last line in NDJSON. */
export interface ReportHead extends Stored<Omit<HeadData, 'policy'>> {
  readonly policy: ReportPolicy;
}

export type ReportConfiguration = NonNullable<ReportHead['configuration']>;
export type ReportShard = NonNullable<ReportHead['shard']>;
export type ReportCache = NonNullable<ReportHead['cache']>;
type ReportTool = ReportHead['tool'];

/** The optional parts of a head. */
type ReportParts = {
  readonly [Part in 'configuration' | 'shard' | 'cache']?: ReportHead[Part] | undefined;
};

/** The report of `noesis verify`, as `-j` prints it (schema `noesis.verify/1`). */
export interface VerifyReport extends ReportHead {
  readonly episodes: readonly EpisodeReport[];
}

/** The number of findings per severity, including unlisted ones. */
export function severityCounts({
  findings,
  omitted = [],
}: Pick<Found, 'findings' | 'omitted'>): SeverityCounts {
  const counts = { error: 0, warn: 0, info: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  for (const { severity, count } of omitted) counts[severity] += count;
  return counts;
}

/** The parts of a stored state that were not compared with its log, with reasons. */
export const notCompared = ({ findings }: Pick<Found, 'findings'>): string[] =>
  findings.filter(({ code }) => code === 'projection/not-derivable').map(({ message }) => message);

/**
 * The number of files in a report that may belong to episodes and were not verified; 0 for the report of an
 * episode.
 */
export function filesNotVerified({ findings, omitted = [] }: Pick<Found, 'findings' | 'omitted'>): number {
  const isOne = ({ code }: { readonly code: string }) => code === NOT_VERIFIED;
  return omitted.filter(isOne).reduce((sum, { count }) => sum + count, findings.filter(isOne).length);
}

const NOT_VERIFIED: FindingCode = 'verify/not-verified';

export function verdictOf({ error, warn }: SeverityCounts): Verdict {
  return error > 0 ? 'fail' : warn > 0 ? 'warn' : 'ok';
}

/** When warnings fail. */
type Strictness = Pick<ReportPolicy, 'strict' | 'maxWarnings'>;

/** The report with its verdict under a policy, in which warnings may fail. */
export const judged = (report: EpisodeReport, { strict }: Pick<Strictness, 'strict'>): EpisodeReport =>
  strict && report.verdict === 'warn' ? { ...report, verdict: 'fail' } : report;

const PLAIN_POLICY: ReportPolicy = { strict: false, requireSeal: false, requireSignature: false };

/** Counts episode reports and makes the head of their report. */
export class ReportTally {
  readonly #tool: ReportTool;
  readonly #policy: ReportPolicy;
  #baselined = 0;
  #notVerified = 0;
  #lowest: number = LEVELS.length;
  /** Reports of older versions have no level. */
  #isLevelKnown = true;
  readonly #summary = { episodes: 0, ok: 0, warn: 0, fail: 0, events: 0, bytes: 0, errors: 0, warnings: 0 };

  /** `tool`: the program, or only its version. */
  constructor(tool: ReportTool | string, policy: ReportPolicy) {
    this.#tool = typeof tool === 'string' ? { name: 'noesis', version: tool } : tool;
    this.#policy = policy;
  }

  /** Counts an episode. Returns its report with the verdict under the policy. */
  add(report: EpisodeReport): EpisodeReport {
    const counted = judged(report, this.#policy);
    const summary = this.#summary;
    const notVerified = filesNotVerified(counted);
    this.#notVerified += notVerified;
    // An entry that only lists unverified files does not count as an ok episode.
    if (notVerified === 0 || counted.verdict !== 'ok') {
      summary.episodes += 1;
      summary[counted.verdict] += 1;
    }
    summary.events += counted.events;
    summary.bytes += counted.bytes;
    const { error, warn } = severityCounts(counted);
    summary.errors += error;
    summary.warnings += warn;
    this.#baselined += counted.baselined ?? 0;
    this.#lowest = Math.min(this.#lowest, LEVELS.indexOf(counted.level ?? 'none'));
    this.#isLevelKnown &&= counted.level !== undefined;
    return counted;
  }

  head({ configuration, shard, cache }: ReportParts = {}): ReportHead {
    const level = this.#isLevelKnown ? LEVELS.at(this.#lowest) : undefined;
    const summary = {
      ...this.#summary,
      ...(level !== undefined && { level }),
      ...(this.#baselined > 0 && { baselined: this.#baselined }),
      ...(this.#notVerified > 0 && { notVerified: this.#notVerified }),
    };
    const { maxWarnings = Infinity } = this.#policy;
    const failed = summary.fail > 0 || summary.warnings > maxWarnings;
    const verdict = failed ? 'fail' : summary.warn > 0 ? 'warn' : 'ok';
    const tool = this.#tool;
    const part = defined({ configuration, shard, cache });
    return { schema: 'noesis.verify/1', tool, policy: this.#policy, ...part, verdict, summary };
  }
}

/** Makes a report from episode reports. */
export function assembleReport(
  tool: ReportTool | string,
  reports: readonly EpisodeReport[],
  policy: ReportPolicy = PLAIN_POLICY,
  parts?: ReportParts,
): VerifyReport {
  const tally = new ReportTally(tool, policy);
  const episodes = reports.map((report) => tally.add(report));
  return { ...tally.head(parts), episodes };
}
