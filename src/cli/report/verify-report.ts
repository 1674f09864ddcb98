import { UsageError } from '../../base/errors.ts';
import { version } from '../../base/version.ts';
import { schemaVersions } from '../../dialects/registry.ts';
import type { RequiredLevel } from '../../findings/level.ts';
import type { VerifyTarget } from '../../findings/options.ts';
import {
  assembleReport,
  type EpisodeReport,
  type ReportConfiguration,
  type ReportPolicy,
  type ReportShard,
  ReportTally,
} from '../../findings/report.ts';
import type { Verified } from '../../verify/jobs.ts';
import type { Context, GlobalOptions } from '../context.ts';
import { Failed } from '../failure.ts';
import type { ManyTargetsOptions } from '../targets/target-options.ts';
import type { AttestationOptions, Attester } from './attestation.ts';
import { type Accepted, type BaselineOptions, sayUnused, writeBaseline } from './baseline.ts';
import type { CacheOptions, CacheRun } from './cache-options.ts';
import type { WhatWasChecked } from './nothing-checked.ts';
import { printReport, type ReportOptions, ReportStream } from './print-report.ts';
import type { FormatName, WholeFormat } from './report-formats.ts';
import { refuseTargetAsOutput } from './write-report.ts';

const TOOL = { name: 'noesis', version, schemas: schemaVersions() } as const;

/** The options of verify. */
export interface VerifyOptions
  extends GlobalOptions,
    AttestationOptions,
    CacheOptions,
    BaselineOptions,
    ManyTargetsOptions,
    ReportOptions {
  readonly strict?: boolean;
  readonly maxWarnings?: number;
  readonly maxFindings?: number;
  readonly rule?: string[];
  readonly key?: string[];
  readonly chain?: string;
  readonly expectHead?: string;
  readonly expectCount?: number;
  readonly requireSeal?: boolean;
  readonly requireSignature?: boolean;
  readonly requireLevel?: RequiredLevel;
  readonly jobs?: number;
  readonly views?: string;
  readonly tar?: string;
  readonly maxUnpacked?: number;
}

/** The contents of a report besides findings. */
interface ReportFacts {
  readonly policy: ReportPolicy;
  readonly configuration: ReportConfiguration | undefined;
  readonly shard: ReportShard | undefined;
  readonly attest?: Attester | undefined;
  readonly cache?: CacheRun | undefined;
  /** The baseline; undefined if there is none yet. */
  readonly accepted: Accepted | undefined;
  readonly baseline: string | undefined;
  /** Finds out if nothing was checked. */
  readonly checked: WhatWasChecked;
}

/** Further parts of a complete report. */
interface WholeFacts extends ReportFacts {
  readonly targets: readonly VerifyTarget[];
}

const policyWith = (policy: ReportPolicy, accepted: Accepted | undefined): ReportPolicy =>
  accepted === undefined ? policy : { ...policy, baseline: accepted.digest };

/** Throws `usage` if a baseline is combined with an attestation: it would attest that accepted findings are not there. */
export async function requireFitting(
  baseline: string,
  format: FormatName,
  { attest, writeBaseline: isWritten }: VerifyOptions,
  targets: readonly VerifyTarget[],
): Promise<void> {
  if (attest !== undefined)
    throw new UsageError('usage', '--attest cannot be combined with --baseline', {
      hint: 'remove the option; an attestation includes every finding',
    });
  if (!isWritten) return;
  if (format === 'ndjson') throw new UsageError('usage', '--write-baseline does not work with -f ndjson');
  await refuseTargetAsOutput(baseline, targets);
}

/** Receives the report on each episode. */
export type ReportSink = (verified: Verified) => void | Promise<void>;

type VerifyInto = (sink: ReportSink) => Promise<void>;

/** Verifies all episodes, then prints the report. */
export async function wholeReport(
  context: Context,
  options: VerifyOptions & { readonly format: WholeFormat },
  { policy, configuration, shard, cache, attest, targets, checked, ...facts }: WholeFacts,
  verify: VerifyInto,
): Promise<void> {
  const reports: EpisodeReport[] = [];
  await verify(({ report }) => {
    reports.push(report);
    checked.add(report);
  });
  const { baseline } = facts;
  if (options.writeBaseline && cache?.counts?.left)
    throw new UsageError('usage', 'a baseline covers all targets, and --subset skips some', {
      hint: 'remove --subset',
    });
  const accepted =
    options.writeBaseline && baseline !== undefined
      ? await writeBaseline(context, baseline, reports)
      : facts.accepted;
  const counting = accepted ? reports.map((one) => accepted.filter.apply(one)) : reports;
  const report = assembleReport(TOOL, counting, policyWith(policy, accepted), {
    configuration,
    shard,
    cache: cache?.counts,
  });
  if (accepted) await sayUnused(context, accepted);
  await cache?.end();
  // A shard may have no events; `merge` judges the whole report.
  const isJudged = shard === undefined && !cache?.counts?.left;
  const empty = isJudged ? checked.error(report) : undefined;
  if (empty === undefined) await attest?.(report);
  const views =
    options.views === undefined
      ? undefined
      : await (await import('./views.ts')).writeViews(context, report, targets, options);
  await printReport(context, report, options, { views, unchecked: empty });
  if (empty) throw empty;
}

/** Prints each episode after its verification, then the totals. */
export async function streamReport(
  context: Context,
  options: VerifyOptions,
  { policy, configuration, shard, cache, accepted, checked }: ReportFacts,
  verify: VerifyInto,
): Promise<void> {
  await using stream = await ReportStream.open(context, options);
  const tally = new ReportTally(TOOL, policyWith(policy, accepted));
  await verify(({ report }) => {
    checked.add(report);
    return stream.episode(tally.add(accepted ? accepted.filter.apply(report) : report));
  });
  const head = tally.head({ configuration, shard, cache: cache?.counts });
  await cache?.end();
  await stream.end(head);
  if (accepted) await sayUnused(context, accepted);
  const empty = shard === undefined && !cache?.counts?.left ? checked.error(head) : undefined;
  if (empty) throw empty;
  if (head.verdict === 'fail') throw new Failed();
}
