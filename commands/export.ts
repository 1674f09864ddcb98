import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { UsageError } from '../src/base/errors.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import { writeTables } from '../src/cli/export/export-tables.ts';
import { headersFor, shownUrl, TracePoster, tracesUrl } from '../src/cli/export/post-traces.ts';
import { Failed, needs } from '../src/cli/failure.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { repeated, wholeNumber } from '../src/cli/option-values.ts';
import { openReport, pathToWrite, refuseTargetAsOutput } from '../src/cli/report/write-report.ts';
import { type Targets, targetsOf } from '../src/cli/targets/find-targets.ts';
import { eachEpisode } from '../src/cli/targets/packed.ts';
import { TargetFailures } from '../src/cli/targets/target-failures.ts';
import {
  ALL_RUNS,
  type ManyTargetsOptions,
  streamOption,
  withManyTargets,
} from '../src/cli/targets/target-options.ts';
import { ChromeTrace } from '../src/show/export/chrome.ts';
import { type OtlpRequest, otlpOf } from '../src/show/export/otlp.ts';
import { TABLE_FORMATS, type TableFormat } from '../src/show/export/parts.ts';
import { type ExportLog, type ExportRun, hasLog, openForExport } from '../src/show/export/runs.ts';
import { plural } from '../src/show/render/tally.ts';

const FORMATS = [...TABLE_FORMATS, 'otlp', 'chrome'] as const;

interface ExportOptions extends GlobalOptions, ManyTargetsOptions {
  readonly format: (typeof FORMATS)[number];
  readonly output?: string;
  readonly force?: boolean;
  readonly to?: string;
  readonly header?: string[];
  readonly records?: boolean;
  readonly jobs?: number;
  readonly tar?: string;
}

const MORE = `
Tables (parquet, ndjson, csv): one file each in DIR/events, DIR/episodes and
DIR/findings. Engines read each folder as one table. With --shard, each part has its
own file. Traces (otlp, chrome) go to standard output or a file, or with --to to a
collector (to /v1/traces if the URL has no path).`;

export function addExport(program: Command, io: Io): void {
  const command = withExamples(
    program.command('export'),
    ['export runs/ --format parquet -o tables', 'tables for DuckDB, pandas and others'],
    ['export latest --format chrome -o trace.json', 'open it in Perfetto'],
    ['export latest --format otlp --to http://localhost:4318', 'send it to a collector'],
  )
    .description('write runs as tables (Parquet, CSV) or as traces (OTLP, Chrome)')
    .argument('[target...]', ALL_RUNS)
    .addOption(new Option('-f, --format <name>', 'output format').choices(FORMATS).makeOptionMandatory())
    .option('-o, --output <path>', 'write tables to this folder, or a trace to this file')
    .option('--force', 'replace this part of an earlier export')
    .option('--to <url>', 'send the trace to a collector (OTLP over HTTP)')
    .option('--header <name=value>', 'send this header to the collector (repeatable)', repeated)
    .option('--no-records', 'do not put the stored records into the spans')
    .option('--tar <file>', 'read a tar of runs, compressed or not (-: standard input)')
    .option('--jobs <n>', 'use at most n threads (default: the number of cores)', wholeNumber(1));
  withManyTargets(command.addOption(streamOption())).addHelpText('after', MORE).action(action(io, runExport));
}

const isTable = (format: ExportOptions['format']): format is TableFormat =>
  TABLE_FORMATS.some((one) => one === format);

/** Refuses options that are for another format, or for sending. */
function requireEffect({ format, force, jobs, header, to, records }: ExportOptions): void {
  const ofTables = force ? '--force' : jobs === undefined ? undefined : '--jobs';
  if (ofTables !== undefined && !isTable(format))
    throw new UsageError('usage', `${ofTables} is for tables`, { hint: 'remove the option' });
  if (header && to === undefined) throw needs('--header', '--to');
  if (records === false && format !== 'otlp') throw needs('--no-records', '--format otlp');
}

async function runExport(context: Context, names: readonly string[], options: ExportOptions): Promise<void> {
  const { format, output, to } = options;
  requireEffect(options);
  if (isTable(format) && output === undefined)
    throw new UsageError('usage', 'tables need a folder', { hint: 'give it with -o DIR' });
  if (to !== undefined && format !== 'otlp')
    throw new UsageError('usage', 'only traces of --format otlp are sent to a collector');
  if (to !== undefined && output !== undefined)
    throw new UsageError('usage', '--to and --output cannot be combined: a trace is either sent or written');
  await using found = await targetsOf(context, names, options);
  // Tables may be written to an existing folder.
  if (output !== undefined)
    await refuseTargetAsOutput(resolve(context.io.cwd, output, isTable(format) ? 'part' : ''), found.targets);
  if (!isTable(format)) return await exportTraces(context, found, options);
  const dir = pathToWrite(context.io.cwd, '--output', output ?? '');
  const { force = false, jobs } = options;
  const written = await writeTables(context, found, { format, dir, force, jobs });
  await context.say(`${plural(written.episodes, 'run')} written to ${context.shortPath(dir)}`);
  if (written.left > 0) throw new Failed();
}

/** How many runs were exported, and how many logs could not be read. */
interface Exported {
  readonly runs: number;
  readonly unread: number;
}

/** Yields the runs of targets. Reports and skips corrupt and unreadable logs. */
async function eachRun(
  context: Context,
  found: Targets,
  take: (log: ExportLog, run: ExportRun) => Promise<void>,
): Promise<Exported> {
  const failures = new TargetFailures(context, found.targets);
  let runs = 0;
  for await (const { target, shown } of eachEpisode(context, found, failures)) {
    if (!hasLog(target)) continue;
    const label = context.shortPath(shown(target.log));
    const opened = await openForExport(target, context.dialect).catch((error) => failures.take(error, label));
    if (opened === undefined) continue;
    if ('corruption' in opened) await failures.takeCorrupt(label, opened.corruption, false);
    else
      for (const run of opened.runs) {
        await take(opened, run);
        runs += 1;
      }
  }
  await failures.sayCorrupt();
  return { runs, unread: failures.count };
}

async function exportTraces(context: Context, found: Targets, options: ExportOptions): Promise<void> {
  const { format, output, to, header = [], records = true } = options;
  await using file =
    output === undefined || output === '-' ? undefined : await openReport(resolve(context.io.cwd, output));
  const write = (text: string) => (file ? file.write(text) : context.out(text));
  // A trace without a run would look like a result.
  const isNothing = ({ runs, unread }: Exported) => runs === 0 && unread > 0;
  let exported: Exported;
  if (format === 'chrome') {
    const trace = new ChromeTrace(write);
    exported = await eachRun(context, found, (log, run) => trace.add(log, run));
    if (!isNothing(exported)) await trace.close();
  } else {
    const { io } = context;
    const url = to === undefined ? undefined : tracesUrl(to);
    const poster = url && new TracePoster(url, headersFor(header, io.env), io.interrupted);
    const send = (request: OtlpRequest) =>
      poster ? poster.post(request) : write(`${JSON.stringify(request)}\n`);
    exported = await eachRun(context, found, (log, run) => otlpOf(log, run, { records }, send));
    if (url && poster) await context.say(`sent ${plural(poster.sent, 'request')} to ${shownUrl(url)}`);
  }
  if (!isNothing(exported)) await file?.commit();
  if (exported.unread > 0) throw new Failed();
}
