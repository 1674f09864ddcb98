import type { FindingCode } from './codes.ts';
import type { Finding } from './finding.ts';
import { LEVELS, type Level, type Proof, type RequiredLevel } from './level.ts';
import type { DialectSettings } from './options.ts';
import type { RuledSeverity, Severity } from './severity.ts';

/** fail: any error. warn: any warning. ok: neither; info does not count. */
export const VERDICTS = ['ok', 'warn', 'fail'] as const;

export type Verdict = (typeof VERDICTS)[number];

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
  /** How many findings do not count, as they are in the baseline. */
  readonly baselined?: number;
}

/** What verification says of one episode. */
export interface EpisodeReport extends Found, Partial<Proof> {
  /** In the report of a shard: the place, from 0, that its target has among all targets of all shards. */
  readonly position?: number;
  readonly episode: string;
  /** Absolute: the episode's directory, or the log file where there is none. */
  readonly path: string;
  readonly dialect: string;
  readonly events: number;
  readonly bytes: number;
  readonly sealed: boolean;
  readonly stages: readonly Stage[];
}

/** What the verdicts of a report rest on: reports of different policies are not put together. */
export interface ReportPolicy extends Strictness {
  readonly requireSeal: boolean;
  readonly requireSignature: boolean;
  readonly requireLevel?: RequiredLevel;
  readonly maxFindings?: number;
  /** Changed severities, by code, in the order of the codes. */
  readonly severities?: Readonly<Record<string, RuledSeverity>>;
  /** The dialect that was insisted on. */
  readonly dialect?: string;
  /** What the configuration says to dialects. */
  readonly settings?: DialectSettings;
  /** The digest of the baseline whose findings do not count. */
  readonly baseline?: string;
}

/** What a configuration file changed of the verdicts. */
export interface ReportConfiguration {
  /** Absolute. */
  readonly path: string;
  /** Findings whose severity it sets. */
  readonly rules: number;
  /** Other settings that change how logs are read. */
  readonly settings: number;
}

/** Which part of a run over many targets a report is of. */
export interface ReportShard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
  /** Of all shards together. */
  readonly targets: number;
  /** What the shards must agree on: the digest of all targets and of the shard that each is in. */
  readonly plan: string;
}

/** What came from a cache of verdicts. */
export interface ReportCache {
  readonly mode: 'stat' | 'hash';
  /** Episodes whose verdict came from it. */
  readonly used: number;
  /** Those that were read. */
  readonly read: number;
  /** Those that were not looked at in this run, and are not in the report. */
  readonly left: number;
}

/** Numbers over all episodes of a report. */
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
  /** How many findings do not count, as they are in the baseline. */
  readonly baselined?: number;
  /** Files below folders that may hold episodes and were not verified. */
  readonly not_verified?: number;
}

/** The program that made a report. */
export interface ReportTool {
  readonly name: 'noesis';
  readonly version: string;
  /** The versions of the schemas that it checks with, by dialect and artifact. */
  readonly schemas?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/** All of a report but its episodes: the last line of one in NDJSON. */
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

/** The parts of a head that only some reports have. */
export type ReportParts = {
  readonly [Part in 'configuration' | 'shard' | 'cache']?: ReportHead[Part] | undefined;
};

/** The whole report of `noesis verify`, as `-j` prints it (schema `noesis.verify/1`). */
export interface VerifyReport extends ReportHead {
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

/** What of a stored state was not compared with its log, with the reasons, as verification says it. */
export const notCompared = ({ findings }: Pick<Found, 'findings'>): string[] =>
  findings.filter(({ code }) => code === 'projection/not-derivable').map(({ message }) => message);

/** How many files a report names that may hold episodes and were not verified; 0 for the report of an episode. */
export function filesNotVerified({ findings, omitted = [] }: Pick<Found, 'findings' | 'omitted'>): number {
  const isOne = ({ code }: { readonly code: string }) => code === NOT_VERIFIED;
  return omitted.filter(isOne).reduce((sum, { count }) => sum + count, findings.filter(isOne).length);
}

const NOT_VERIFIED: FindingCode = 'verify/not-verified';

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

/** The report of an episode with the verdict that it has where a warning may fail. */
export const judged = (report: EpisodeReport, { strict }: Pick<Strictness, 'strict'>): EpisodeReport =>
  strict && report.verdict === 'warn' ? { ...report, verdict: 'fail' } : report;

/** The policy of a verification that changes nothing. */
const PLAIN_POLICY: ReportPolicy = { strict: false, requireSeal: false, requireSignature: false };

/** Counts episode reports one by one, and gives the head of the report that they make. */
export class ReportTally {
  readonly #tool: ReportTool;
  readonly #policy: ReportPolicy;
  #baselined = 0;
  #notVerified = 0;
  #lowest: number = LEVELS.length;
  /** Reports of older versions say no level. */
  #isLevelKnown = true;
  readonly #summary = { episodes: 0, ok: 0, warn: 0, fail: 0, events: 0, bytes: 0, errors: 0, warnings: 0 };

  /** `tool`: the program, or its version alone. */
  constructor(tool: ReportTool | string, policy: ReportPolicy) {
    this.#tool = typeof tool === 'string' ? { name: 'noesis', version: tool } : tool;
    this.#policy = policy;
  }

  /** Counts an episode; gives its report with the verdict that it has under the policy. */
  add(report: EpisodeReport): EpisodeReport {
    const counted = judged(report, this.#policy);
    const summary = this.#summary;
    const notVerified = filesNotVerified(counted);
    this.#notVerified += notVerified;
    // A list of files that nothing was compared in is not an episode that is ok.
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

/** Gathers episode reports into the whole, counting as it goes. */
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
