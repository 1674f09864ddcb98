import type { Finding, Severity } from './finding.ts';

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

/** What verification says of one episode. */
export interface EpisodeReport {
  readonly episode: string;
  /** Absolute: the episode's directory, or the log file where there is none. */
  readonly path: string;
  readonly dialect: string;
  readonly verdict: Verdict;
  readonly events: number;
  readonly bytes: number;
  readonly sealed: boolean;
  readonly stages: readonly Stage[];
  /** Ordered by file, line (those without first), column, code. */
  readonly findings: readonly Finding[];
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

/** The verdict that a list of findings gives. */
export function verdictOf(findings: readonly { readonly severity: Severity }[]): Verdict {
  let verdict: Verdict = 'ok';
  for (const { severity } of findings) {
    if (severity === 'error') return 'fail';
    if (severity === 'warn') verdict = 'warn';
  }
  return verdict;
}

function byNumber(a: number | undefined, b: number | undefined): number {
  return (a ?? 0) - (b ?? 0);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The order of findings in a report: file, line (those without first), column, code, then path and message. */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    byText(a.file, b.file) ||
    byNumber(a.line, b.line) ||
    byNumber(a.column, b.column) ||
    byText(a.code, b.code) ||
    byText(a.path ?? '', b.path ?? '') ||
    byText(a.message, b.message)
  );
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
    for (const { severity } of episode.findings) {
      if (severity === 'error') summary.errors += 1;
      else if (severity === 'warn') summary.warnings += 1;
    }
  }
  const failed = summary.fail > 0 || summary.warnings > maxWarnings;
  const verdict = failed ? 'fail' : summary.warn > 0 ? 'warn' : 'ok';
  return { schema: 'noesis.verify/1', tool: { name: 'noesis', version }, verdict, summary, episodes };
}
