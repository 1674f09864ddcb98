import { basename } from 'node:path';
import type { Command } from 'commander';
import { RunFold, StatsFold } from '../src/describe/stats.ts';
import { dialectOf } from '../src/dialects/sample.ts';
import type { VerifyTarget } from '../src/findings/options.ts';
import { CorruptLines } from '../src/log/corrupt-lines.ts';
import type { LogRecord } from '../src/log/record.ts';
import { readUntilCorrupt } from '../src/log/until-corrupt.ts';
import { compileRunFilter } from '../src/select/filter.ts';
import { Context, type GlobalOptions } from './context.ts';
import { withExamples } from './examples.ts';
import { corruptLog, Failed } from './failure.ts';
import { Interrupted, type Io } from './io.ts';
import { eachEpisode } from './packed.ts';
import { reportFailure } from './report-failure.ts';
import { type SkipOptions, saySkipped, withSkipCorrupt } from './skip-corrupt.ts';
import { type ManyTargetsOptions, withManyTargets } from './target-options.ts';
import { targetsOf } from './verify-targets.ts';

export function addStats(program: Command, io: Io): void {
  const command = withExamples(
    program.command('stats'),
    ['stats', 'all episodes under the root'],
    ['stats runs/ -j', 'those below a folder, as JSON'],
  )
    .description('what many runs have in common: results, times, vetoes, failures')
    .argument('[target...]', 'episodes, logs and folders; all under the root when absent');
  withSkipCorrupt(withManyTargets(command)).action((targets: string[], _options, command: Command) => {
    const options = command.optsWithGlobals<GlobalOptions & ManyTargetsOptions & SkipOptions>();
    return runStats(new Context(io, options), targets, options);
  });
}

/** Counts one run and says what of its log is corrupt: then nothing of it is counted, unless that is gone past. */
async function count(
  context: Context,
  target: VerifyTarget,
  into: StatsFold,
  skips = false,
): Promise<CorruptLines> {
  const { log, fileName, run } = target;
  const corrupt = new CorruptLines(skips);
  if (log === undefined) return corrupt;
  const dialect = await dialectOf(log, fileName ?? basename(log), context.dialect);
  const own = run === undefined ? [] : [{ name: 'run', values: [run] }];
  const inRun = compileRunFilter({ own }, dialect);
  const fold = new RunFold(dialect);
  const account = await dialect.account?.(run);
  const visitor = {
    record(record: LogRecord) {
      if (!inRun(record)) return;
      fold.add(record);
      account?.add(record);
    },
  };
  const { corruption } = await readUntilCorrupt(log, visitor, corrupt);
  if (corruption === undefined) {
    const { status = 'unknown', usage } = account?.result() ?? {};
    into.add(fold, status, usage);
  }
  return corrupt;
}

/** A log that is corrupt is left out and named, and the rest is counted: the exit code says that something was left out. */
async function runStats(
  context: Context,
  names: readonly string[],
  options: ManyTargetsOptions & SkipOptions,
): Promise<void> {
  const { targets, dispose } = await targetsOf(context, names, options);
  const fold = new StatsFold();
  let failed = false;
  try {
    for await (const { target, shown } of eachEpisode(context, targets)) {
      if (context.io.interrupted.aborted) throw new Interrupted();
      const { ending, skipped } = await count(context, target, fold, options.skipCorrupt);
      if (ending === undefined && skipped === undefined) continue;
      failed = true;
      const label = context.shortPath(shown(target.log ?? target.name));
      if (skipped) await saySkipped(context, label, skipped);
      if (ending)
        await reportFailure(
          context.io,
          corruptLog(label, ending, { offers: '--skip-corrupt' }),
          context.options,
        );
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
