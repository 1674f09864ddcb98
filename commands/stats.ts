import { basename } from 'node:path';
import type { Command } from 'commander';
import { RunFold, StatsFold } from '../src/describe/stats.ts';
import type { AccountBuilder } from '../src/dialects/account.ts';
import type { Dialect } from '../src/dialects/dialect.ts';
import { runOfRecord } from '../src/dialects/record-filters.ts';
import { dialectOf } from '../src/dialects/sample.ts';
import type { VerifyTarget } from '../src/findings/options.ts';
import { CorruptLines } from '../src/log/corrupt-lines.ts';
import type { LogRecord } from '../src/log/record.ts';
import { readUntilCorrupt } from '../src/log/until-corrupt.ts';
import { Context, type GlobalOptions } from './context.ts';
import { withExamples } from './examples.ts';
import { corruptLog, Failed } from './failure.ts';
import { Interrupted, type Io } from './io.ts';
import { eachEpisode } from './packed.ts';
import { type PartialOptions, saySkipped, withPartial } from './partial.ts';
import { reportFailure } from './report-failure.ts';
import { type ManyTargetsOptions, streamOption, withManyTargets } from './target-options.ts';
import { targetsOf } from './verify-targets.ts';

export function addStats(program: Command, io: Io): void {
  const command = withExamples(
    program.command('stats'),
    ['stats', 'all episodes under the root'],
    ['stats runs/ -j', 'those below a folder, as JSON'],
  )
    .description('summarise runs: results, durations, failures, tokens')
    .argument('[target...]', 'episodes, logs and folders (default: all under the root)');
  withPartial(withManyTargets(command.addOption(streamOption()))).action(
    (targets: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ManyTargetsOptions & PartialOptions>();
      return runStats(new Context(io, options), targets, options);
    },
  );
}

/** What is gathered of one run. */
interface Lane {
  readonly fold: RunFold;
  readonly account: AccountBuilder | undefined;
}

/** Where the records of a log are counted: all in one place, or each run of a log that holds many in its own. */
async function lanesOf(
  dialect: Dialect,
  log: string,
  run: string | undefined,
): Promise<[lanes: readonly Lane[], laneOf: (record: LogRecord) => Lane | undefined]> {
  const laneFor = async (id?: string): Promise<Lane> => ({
    fold: new RunFold(dialect),
    account: await dialect.account?.(id),
  });
  const ids = run === undefined ? ((await dialect.runs?.(log)) ?? []).map(({ id }) => id) : [run];
  const runOf = runOfRecord(dialect);
  if (ids.length === 0 || runOf === undefined) {
    const lane = await laneFor();
    return [[lane], () => lane];
  }
  const lanes = new Map<string | undefined, Lane>();
  for (const id of ids) lanes.set(id, await laneFor(id));
  return [[...lanes.values()], (record) => lanes.get(runOf(record))];
}

/** Counts the runs of a log and says what of it is corrupt: then nothing of it is counted, unless that is gone past. */
async function count(
  context: Context,
  { log, fileName, run }: VerifyTarget,
  into: StatsFold,
  skips = false,
): Promise<CorruptLines> {
  const corrupt = new CorruptLines(skips);
  if (log === undefined) return corrupt;
  const dialect = await dialectOf(log, fileName ?? basename(log), context.dialect);
  const [lanes, laneOf] = await lanesOf(dialect, log, run);
  const visitor = {
    record(record: LogRecord) {
      const lane = laneOf(record);
      lane?.fold.add(record);
      lane?.account?.add(record);
    },
  };
  const { corruption } = await readUntilCorrupt(log, visitor, corrupt);
  if (corruption === undefined) for (const { fold, account } of lanes) into.add(fold, account?.result());
  return corrupt;
}

/** A log that is corrupt is left out and named, and the rest is counted: the exit code says that something was left out. */
async function runStats(
  context: Context,
  names: readonly string[],
  options: ManyTargetsOptions & PartialOptions,
): Promise<void> {
  const { targets, dispose } = await targetsOf(context, names, options);
  const fold = new StatsFold();
  let failed = false;
  try {
    for await (const { target, shown } of eachEpisode(context, targets)) {
      if (context.io.interrupted.aborted) throw new Interrupted();
      const { ending, skipped } = await count(context, target, fold, options.partial);
      if (ending === undefined && skipped === undefined) continue;
      failed = true;
      const label = context.shortPath(shown(target.log ?? target.name));
      if (skipped) await saySkipped(context, label, skipped);
      if (ending)
        await reportFailure(context.io, corruptLog(label, ending, { offers: true }), context.options);
    }
  } finally {
    await dispose();
  }
  const statistics = fold.result();
  if (context.json) await context.out(`${JSON.stringify(statistics, null, 2)}\n`);
  else {
    const { statsView } = await import('../src/render/stats-view.ts');
    await context.showView(statsView(statistics));
  }
  if (failed) throw new Failed();
}
