import type { FindingCode } from './codes.ts';
import type { Finding } from './finding.ts';
import { LEVELS, type Level, type Proof, type RequiredLevel } from './level.ts';
import type { DialectSettings } from './options.ts';
import type { RuledSeverity, Severity } from './severity.ts';

/** fail: any error. warn: any warning. ok: neither; info does not count. */
export const VERDICTS = ['ok', 'warn', 'fail'] as const;

export type Verdict = (typeof VERDICTS)[number];

/** The stages of a verification, in report order. */
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

/** A stage and whether it ran; `reason` says why it was skipped. */
export interface Stage {
  readonly name: StageName;
  readonly status: 'ran' | 'skipped';
  readonly reason?: string;
}

/** The number of findings per severity. */
export type SeverityCounts = Readonly<Record<Severity, number>>;

/** The number of findings of one code and severity that are not listed. */
export interface OmittedFindings {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly count: number;
}

/** The findings of an episode. */
export interface Found {
  readonly verdict: Verdict;
  /** Ordered by file, line (findings without a line first), column, code. */
  readonly findings: readonly Finding[];
  /** The numbers of findings beyond the limit (`maxFindings` of the policy). */
  readonly omitted?: readonly OmittedFindings[];
  /** The number of findings ignored because they are in the baseline. */
  readonly baselined?: number;
}

/** The report on one episode. */
export interface EpisodeReport extends Found, Partial<Proof> {
  /** In a shard's report: the position of its target among the targets of all shards, from 0. */
  readonly position?: number;
  readonly episode: string;
  /** Absolute: the episode's folder, or the log if there is none. */
  readonly path: string;
  readonly dialect: string;
  readonly events: number;
  readonly bytes: number;
  readonly sealed: boolean;
  readonly stages: readonly Stage[];
}

/** The settings that verdicts depend on. Reports with different policies cannot be merged. */
export interface ReportPolicy extends Strictness {
  readonly requireSeal: boolean;
  readonly requireSignature: boolean;
  readonly requireLevel?: RequiredLevel;
  readonly maxFindings?: number;
  /** Changed severities by code, sorted by code. */
  readonly severities?: Readonly<Record<string, RuledSeverity>>;
  /** The dialect that the user named. */
  readonly dialect?: string;
  /** The settings of dialects from the configuration. */
  readonly settings?: DialectSettings;
  /** The digest of the baseline. */
  readonly baseline?: string;
}

/** The effect of a configuration file on the verdicts. */
export interface ReportConfiguration {
  /** Absolute. */
  readonly path: string;
  /** The number of findings whose severity it sets. */
  readonly rules: number;
  /** The number of other settings that change how logs are read. */
  readonly settings: number;
}

/** Which part of a run over many targets a report covers. */
export interface ReportShard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
  /** The number of targets of all shards. */
  readonly targets: number;
  /** A digest of all targets and their shards, on which the shards must agree. */
  readonly plan: string;
}

/** Numbers about the cache of verdicts. */
export interface ReportCache {
  readonly mode: 'stat' | 'hash';
  /** Episodes whose verdict came from the cache. */
  readonly used: number;
  /** Episodes that were read. */
  readonly read: number;
  /** Episodes that this run did not look at and the report does not contain. */
  readonly left: number;
}

/** Totals over all episodes of a report. */
export interface ReportSummary {
  readonly episodes: number;
  readonly ok: number;
  readonly warn: number;
  readonly fail: number;
  readonly events: number;
  readonly bytes: number;
  readonly errors: number;
  readonly warnings: number;
  /** The lowest level of any episode. */
  readonly level?: Level;
  /** The number of findings ignored because they are in the baseline. */
  readonly baselined?: number;
  /** The number of files that may belong to episodes and were not verified. */
  readonly not_verified?: number;
}

/** The program that made a report. */
export interface ReportTool {
  readonly name: 'noesis';
  readonly version: string;
  /** The versions of the schemas it checks with, by dialect and artifact. */
  readonly schemas?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/** A report without its episodes: the last line in NDJSON. */
export interface ReportHead {
  readonly schema: 'noesis.verify/1';
  readonly tool: ReportTool;
  readonly policy: ReportPolicy;
  readonly configuration?: ReportConfiguration;
  readonly shard?: ReportShard;
  readonly cache?: ReportCache;
  readonly verdict: Verdict;
  readonly summary: ReportSummary;
}

/** The optional parts of a head. */
export type ReportParts = {
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
export interface Strictness {
  /** Any warning fails an episode. */
  readonly strict: boolean;
  /** The verification fails if there are more warnings in total. */
  readonly maxWarnings?: number;
}

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
      ...(this.#notVerified > 0 && { not_verified: this.#notVerified }),
    };
    const { maxWarnings = Infinity } = this.#policy;
    const failed = summary.fail > 0 || summary.warnings > maxWarnings;
    const verdict = failed ? 'fail' : summary.warn > 0 ? 'warn' : 'ok';
    const tool = this.#tool;
    const part = {
      ...(configuration !== undefined && { configuration }),
      ...(shard !== undefined && { shard }),
      ...(cache !== undefined && { cache }),
    };
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
