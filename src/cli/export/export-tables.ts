import { join, relative } from 'node:path';
import { cannotRead } from '../../base/errors.ts';
import { sizeOf } from '../../base/files/paths.ts';
import { version } from '../../base/version.ts';
import { formatsInUse } from '../../dialects/registry.ts';
import { findConfiguration } from '../../find/configuration.ts';
import { pathOf, unreadable } from '../../find/episode.ts';
import type { VerifyTarget } from '../../findings/options.ts';
import { DEFAULT_POLICY } from '../../findings/policy.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import type { BatchOutcome, ExportBatch, Exported, ExportSettings } from '../../show/export/batch.ts';
import { openTables, type Part, type TableFormat, type Tables } from '../../show/export/parts.ts';
import { exportEach } from '../../show/export/pool.ts';
import { episodeRow, findingRow, unreadRow } from '../../show/export/rows.ts';
import { plural } from '../../show/render/tally.ts';
import type { Job, JobSource } from '../../verify/jobs.ts';
import type { Context } from '../context.ts';
import { Interrupted } from '../io.ts';
import { threadsWanted, usefulThreads } from '../report/threads.ts';
import { VerifyJobs } from '../report/verify-jobs.ts';
import { reportFailure } from '../report-failure.ts';
import type { Targets } from '../targets/find-targets.ts';
import { TargetFailures } from '../targets/target-failures.ts';

/** How tables are written. */
interface TableOptions {
  readonly format: TableFormat;
  readonly dir: string;
  readonly force: boolean;
  /** The number of threads; by default the number of cores. */
  readonly jobs?: number | undefined;
}

/** Jobs whose events go into one fragment. A job without a target has no events. */
interface Batch extends ExportBatch {
  readonly jobs: readonly Job[];
}

/**
 * Limits of a batch in bytes and logs. A batch is a row group in Parquet, so it depends only on the targets:
 * with any number of threads the files are identical.
 */
const BATCH_BYTES = 8 * 1024 * 1024;
const BATCH_JOBS = 512;

const bytesIn = (job: Job): number =>
  'target' in job && job.target.log !== undefined ? sizeOf(job.target.log) : 0;

async function* batchesOf(source: JobSource, fragment: () => string): AsyncGenerator<Batch> {
  let jobs: Job[] = [];
  let bytes = 0;
  const take = (): Batch => {
    const targets = jobs.flatMap((job) => ('target' in job ? [job.target] : []));
    const batch = { jobs, targets, fragment: fragment() };
    jobs = [];
    bytes = 0;
    return batch;
  };
  for (let job = await source.next(); job !== undefined; job = await source.next()) {
    jobs.push(job);
    bytes += bytesIn(job);
    if (bytes >= BATCH_BYTES || jobs.length >= BATCH_JOBS) yield take();
  }
  if (jobs.length > 0) yield take();
}

/** The path of a log for the user; for an unpacked log, its place in the archive. */
function logOf({ dir, copy }: VerifyTarget, { path }: EpisodeReport, log: string): string {
  if (!copy) return log;
  return dir === undefined ? path : join(path, relative(dir, log));
}

/** The result of a report without a target. An archive with errors may contain more than was unpacked. */
function notUnpacked(report: EpisodeReport): Exported {
  const error = report.findings.find(({ severity }) => severity === 'error');
  return { report, ...(error && { left: { log: report.path, reason: error.message } }) };
}

/** The result of a job: its report for display, and what else was found. */
function* exportsOf({ jobs }: Batch, { exported }: BatchOutcome): Generator<Exported> {
  let at = 0;
  for (const job of jobs) {
    if ('known' in job) yield notUnpacked(job.known);
    if (!('target' in job)) continue;
    const one = exported[at++];
    if (one === undefined) continue;
    const report = job.finish?.(one.report) ?? one.report;
    const left = one.left && { ...one.left, log: logOf(job.target, report, one.left.log) };
    yield { ...one, report, ...(left && { left }) };
  }
}

/** Reports a target whose events are not in the tables. */
async function sayLeft({ left }: Exported, context: Context, failures: TargetFailures): Promise<void> {
  if (left === undefined) return;
  const file = context.shortPath(left.log);
  if ('corruption' in left) await failures.takeCorrupt(file, left.corruption, false);
  else await failures.say(cannotRead(file, left.reason));
}

async function addRows(tables: Tables, { report, log }: Exported): Promise<void> {
  for (const finding of report.findings) tables.findings.add(findingRow(report.episode, finding));
  if (log === undefined) tables.episodes.add(unreadRow(report));
  else for (const run of log.runs) tables.episodes.add(episodeRow(run, report, log.dialect));
  await tables.findings.drain();
  await tables.episodes.drain();
}

async function settingsOf(context: Context, { format }: TableOptions): Promise<ExportSettings> {
  const config = await findConfiguration(context.search);
  return {
    policy: { ...DEFAULT_POLICY, maxFindings: 0 },
    keys: { byKid: new Map(), byVariable: new Map() },
    dialect: context.dialect,
    settings: config?.dialects ?? {},
    formats: formatsInUse(),
    format,
    createdBy: `noesis version ${version}`,
  };
}

/** The written and the omitted parts. */
interface Written {
  readonly episodes: number;
  /** The number of logs without exported events. Each was named. */
  readonly left: number;
}

/** Writes the tables of targets to a folder. */
export async function writeTables(context: Context, found: Targets, options: TableOptions): Promise<Written> {
  const { targets, part } = found;
  const { format, dir, force } = options;
  const settings = await settingsOf(context, options);
  const whole: Part = { index: 1, count: 1 };
  const { createdBy } = settings;
  const tables = await openTables({ dir, format, part: part?.shard ?? whole, force, createdBy });
  const { exportWorkerUrl: workerUrl, interrupted: signal } = context.io;
  const unlisted = targets.filter((target) => target.unlisted !== undefined);
  for (const target of unlisted)
    await reportFailure(context.io, unreadable(target, context.shortPath(pathOf(target))), context.options);
  const failures = new TargetFailures(context, targets);
  let episodes = 0;
  try {
    const jobs = await usefulThreads(threadsWanted(options.jobs), targets);
    const source = new VerifyJobs(context, found, settings, { wholeArchives: true });
    const batches = batchesOf(source, () => tables.fragment());
    await exportEach(batches, settings, { jobs, workerUrl, signal }, async (batch, outcome) => {
      await tables.events.append(outcome.events);
      for (const exported of exportsOf(batch, outcome)) {
        // A log with several runs has a row for each.
        episodes += exported.log?.runs.length ?? 1;
        await addRows(tables, exported);
        await sayLeft(exported, context, failures);
      }
    });
    await tables.finish();
  } catch (error) {
    await tables.abandon();
    throw signal.aborted ? new Interrupted() : error;
  }
  const left = failures.count;
  await failures.sayCorrupt();
  if (left > 0) await context.say(`the events of ${plural(left, 'damaged log')} are left out`);
  // A folder that cannot be listed is not an episode; its row says why it has no events.
  return { episodes: episodes - unlisted.length, left: left + unlisted.length };
}
