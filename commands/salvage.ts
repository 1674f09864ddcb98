import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../src/base/errors.ts';
import { forOutput } from '../src/base/json/output.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { byteSize } from '../src/cli/option-values.ts';
import { folderToWrite, refuseTargetAsOutput } from '../src/cli/report/write-report.ts';
import { sayCopyName } from '../src/cli/targets/copy-name.ts';
import { notOneRun, requireOneFile, resolveOrNewest } from '../src/cli/targets/open-log.ts';
import { streamOption } from '../src/cli/targets/target-options.ts';
import type { Dialect } from '../src/dialects/dialect.ts';
import { dialectOf } from '../src/dialects/kit/sample.ts';
import { loadingOfLog } from '../src/dialects/sessions/kit/resume.ts';
import { logOf } from '../src/find/episode.ts';
import { escapeText } from '../src/show/render/escape.ts';
import { salvagedFiles, salvagedPlaces, salvageSummary } from '../src/show/render/salvage-view.ts';
import type { SalvageEntry } from '../src/write/salvage/account.ts';
import { type DamagedLog, salvage } from '../src/write/salvage/salvage.ts';

interface SalvageCommandOptions extends GlobalOptions {
  readonly output?: string;
  readonly dryRun?: boolean;
  readonly maxCopied?: number;
}

const MORE = `
Every intact record is kept, in order. The other bytes are written to <log>.rejected
next to the copy; <log>.salvage says where each record came from. The original is never
touched. The seal is copied only if the repaired log matches it.`;

export function addSalvage(program: Command, io: Io): void {
  withExamples(
    program.command('salvage'),
    ['salvage latest --dry-run', 'show what would be kept and lost'],
    ['salvage run.jsonl -o copy', 'copy the intact records to a new folder'],
  )
    .description('copy the intact records of a damaged log')
    .argument('<target>', 'a damaged run or log')
    .addOption(streamOption())
    .option('-o, --output <dir>', 'create this folder for the copy')
    .option('--dry-run', 'only report what would be kept and lost')
    .option('--max-copied <size>', 'copy at most this much of the other files (default: 64G)', byteSize)
    .addHelpText('after', MORE)
    .action(action(io, runSalvage));
}

/** The damaged log, and its episode, in which nothing may be written. */
async function logAt(context: Context, target: string): Promise<DamagedLog & { owner?: string | undefined }> {
  const found = await resolveOrNewest(context, target);
  if (found.kind === 'stdin')
    throw new UsageError('usage', 'standard input cannot be salvaged', { hint: 'write it to a file first' });
  const { dir, owner, run } = found.episode;
  if (run !== undefined) throw notOneRun('salvage copies', context.shortPath(logOf(found.episode)));
  requireOneFile('salvage copies', found.episode, target);
  return { log: logOf(found.episode), dir, owner };
}

/** Intact records need not be joined: says if a program would not load all of them. */
async function sayStillCut(context: Context, copy: string, dialect: Dialect): Promise<void> {
  const loading = await loadingOfLog(copy, dialect);
  if (loading === undefined || loading.loaded.length >= loading.of) return;
  await context.say(
    `a continued session loads only ${loading.loaded.length} of ${loading.of} parts of the conversation: noesis doctor ${escapeText(context.shortPath(copy))} says why, and whether more can be loaded`,
  );
}

async function runSalvage(
  context: Context,
  target: string,
  { output, dryRun, maxCopied }: SalvageCommandOptions,
): Promise<void> {
  if (output === undefined && !dryRun)
    throw new UsageError('usage', 'salvage needs a folder for the copy', {
      hint: 'name it with -o DIR, or try it with --dry-run',
    });
  const damaged = await logAt(context, target);
  const dialect = await dialectOf(damaged.log, basename(damaged.log), context.dialect ?? damaged.owner);
  const to = dryRun || output === undefined ? undefined : folderToWrite(context.io.cwd, '--output', output);
  if (to !== undefined) await refuseTargetAsOutput(to, [damaged]);
  const shown = (path: string) => escapeText(context.shortPath(path));
  const onEntries = async (entries: readonly SalvageEntry[]) => {
    if (context.json)
      await context.out(entries.map((entry) => `${JSON.stringify(forOutput(entry))}\n`).join(''));
    else if (!context.quiet) await context.show(salvagedPlaces(entries, shown));
  };
  const { leftovers } = context.io;
  const summary = await salvage(damaged, dialect, { to, onEntries, maxCopied, leftovers });
  const isShown = !context.json && !context.quiet;
  if (isShown) await context.show(salvageSummary(summary));
  if (to === undefined) return;
  const copy = join(to, basename(damaged.log));
  if (isShown) await context.show(salvagedFiles(summary, copy, shown));
  await sayCopyName(context, damaged.dir, to);
  await sayStillCut(context, copy, dialect);
  if (!summary.sealed && summary.leftOut.length > 0)
    await context.say(
      `the copy is not sealed: ${escapeText(summary.leftOut.join(', '))} belong to the damaged log and were left out`,
    );
}
