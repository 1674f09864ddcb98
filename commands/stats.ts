import { basename } from 'node:path';
import type { Command } from 'commander';
import { RunFold, StatsFold } from '../src/describe/stats.ts';
import { dialectOf } from '../src/dialects/sample.ts';
import type { VerifyTarget } from '../src/findings/options.ts';
import type { Corruption } from '../src/log/corruption.ts';
import { readLog, requireUnchanged } from '../src/log/read.ts';
import { compileRunFilter } from '../src/select/filter.ts';
import { Context, type GlobalOptions } from './context.ts';
import { corruptLog, Failed } from './failure.ts';
import { Interrupted, type Io } from './io.ts';
import { reportFailure } from './report-failure.ts';
import { targetsOf } from './verify-targets.ts';

export function addStats(program: Command, io: Io): void {
  program
    .command('stats')
    .description('what many runs have in common: results, times, vetoes, failures')
    .argument('[target...]', 'episodes, logs and folders; all under the root when absent')
    .action((targets: string[], _options, command: Command) =>
      runStats(new Context(io, command.optsWithGlobals<GlobalOptions>()), targets),
    );
}

/** Counts one run; the first corruption where its log is not whole, and then nothing of it is counted. */
async function count(
  context: Context,
  target: VerifyTarget,
  into: StatsFold,
): Promise<Corruption | undefined> {
  const { log, fileName, run } = target;
  if (log === undefined) return undefined;
  const dialect = await dialectOf(log, fileName ?? basename(log), context.dialect);
  const inRun = compileRunFilter(
    { phases: [], types: [], agents: [], own: run === undefined ? [] : [{ name: 'run', values: [run] }] },
    dialect,
  );
  const fold = new RunFold(dialect);
  const account = await dialect.account?.(run);
  let corruption: Corruption | undefined;
  const extent = await readLog(log, {
    record(record) {
      if (corruption || !inRun(record)) return;
      fold.add(record);
      account?.add(record);
    },
    corrupt(found) {
      corruption ??= found;
    },
    between: () => corruption === undefined,
  });
  requireUnchanged(log, extent);
  if (corruption === undefined) into.add(fold, account?.result().status ?? 'unknown');
  return corruption;
}

/** A log that is corrupt is left out and named, and the rest is counted: the exit code says that something was left out. */
async function runStats(context: Context, names: readonly string[]): Promise<void> {
  const { targets, dispose } = await targetsOf(context, names);
  const fold = new StatsFold();
  let failed = false;
  try {
    for (const target of targets) {
      if (context.io.interrupted.aborted) throw new Interrupted();
      const corruption = await count(context, target, fold);
      if (corruption === undefined) continue;
      failed = true;
      const label = context.shortPath(target.log ?? target.name);
      await reportFailure(context.io, corruptLog(label, corruption), context.options);
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
