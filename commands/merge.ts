import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { ReportError } from '../src/base/errors.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import { Failed } from '../src/cli/failure.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { wholeNumber } from '../src/cli/option-values.ts';
import { WhatWasChecked } from '../src/cli/report/nothing-checked.ts';
import { formatOf, printReport, type ReportOptions, ReportStream } from '../src/cli/report/print-report.ts';
import { FORMATS, type WholeFormat } from '../src/cli/report/report-formats.ts';
import type { EpisodeReport, ReportHead } from '../src/findings/report.ts';
import { type MergePlan, mergeReports, planMerge } from '../src/verify/fleet/merge.ts';
import { openReportFile, type ReportFile } from '../src/verify/fleet/report-file.ts';

interface MergeCommandOptions extends GlobalOptions, ReportOptions {
  readonly expect?: number;
  readonly partial?: boolean;
}

export function addMerge(program: Command, io: Io): void {
  withExamples(
    program.command('merge'),
    ['merge reports/ --expect 4', 'the reports of four shards as one'],
    ['merge a.json b.json -f junit', 'two reports, for a build server'],
  )
    .description('merge the reports of shards into one')
    .argument('<report...>', 'reports of verify (json or ndjson), or folders of them')
    .addOption(new Option('-f, --format <name>', 'output format of the report').choices(FORMATS))
    .option('-o, --output <file>', 'write the report to this file; the terminal shows the readable report')
    .option('--expect <n>', 'require exactly n reports', wholeNumber(1))
    .option('--partial', 'if shards are missing, report the others, then exit with 1')
    .action(action(io, runMerge));
}

/** The reports in a folder. Files still being written have names that begin with a dot. */
function reportsIn(dir: string): string[] {
  const names = readdirSync(dir).filter((name) => /^[^.].*\.(?:json|ndjson)$/.test(name));
  if (names.length > 0) return names.sort().map((name) => join(dir, name));
  throw new ReportError('report-missing', `there are no reports in ${dir}`, {
    place: { file: dir },
    hint: 'give reports of verify, files that end with .json or .ndjson',
  });
}

/** The named files without duplicates. */
function filesOf(context: Context, names: readonly string[]): string[] {
  const paths = names.flatMap((name) => {
    const path = resolve(context.io.cwd, name);
    return statSync(path).isDirectory() ? reportsIn(path) : [path];
  });
  return [...new Map(paths.map((path) => [realpathSync(path), path])).values()];
}

async function runMerge(context: Context, names: readonly string[], options: MergeCommandOptions) {
  const files: ReportFile[] = filesOf(context, names).map(openReportFile);
  const plan = planMerge(files, options);
  if (plan.missing.length > 0) await context.say(`incomplete: shard ${plan.missing.join(', ')} is missing`);
  const format = formatOf(context, options);
  if (format === 'ndjson') await streamMerged(context, plan, options);
  else await wholeMerged(context, plan, { ...options, format });
  if (plan.missing.length > 0) throw new Failed();
}

/** The error after a report on runs of which nothing was checked, as `verify` has it, unless parts are missing. */
const whyUnchecked = (head: ReportHead, { missing }: MergePlan, checked: WhatWasChecked) =>
  missing.length === 0 ? checked.error(head) : undefined;

async function streamMerged(context: Context, plan: MergePlan, options: ReportOptions): Promise<void> {
  await using stream = await ReportStream.open(context, options);
  const checked = new WhatWasChecked();
  const head = await mergeReports(plan, (episode) => {
    checked.add(episode);
    return stream.episode(episode);
  });
  await stream.end(head);
  const unchecked = whyUnchecked(head, plan, checked);
  if (unchecked !== undefined) throw unchecked;
  if (head.verdict === 'fail') throw new Failed();
}

async function wholeMerged(
  context: Context,
  plan: MergePlan,
  options: ReportOptions & { readonly format: WholeFormat },
): Promise<void> {
  const episodes: EpisodeReport[] = [];
  const checked = new WhatWasChecked();
  const head = await mergeReports(plan, (episode) => {
    episodes.push(episode);
    checked.add(episode);
  });
  const unchecked = whyUnchecked(head, plan, checked);
  await printReport(context, { ...head, episodes }, options, { unchecked });
  if (unchecked !== undefined) throw unchecked;
}
