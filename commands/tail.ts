import { type Command, Option } from 'commander';
import { action, type Context } from '../src/cli/context.ts';
import { filtersOf, sayTimes, withFilterOptions } from '../src/cli/events/event-options.ts';
import { requireUsableFields, toolsFor } from '../src/cli/events/event-printer.ts';
import type { TailOptions } from '../src/cli/events/follow-events.ts';
import { printSelection, sayNoneAsked, sayWhyNothing } from '../src/cli/events/print-events.ts';
import { corruptLog, needs } from '../src/cli/failure.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { wholeNumber } from '../src/cli/option-values.ts';
import { type OpenLog, openLog } from '../src/cli/targets/open-log.ts';
import { logsOfRun } from '../src/cli/targets/parts.ts';
import { NEWEST_RUN } from '../src/cli/targets/target-options.ts';
import { whileReading } from '../src/cli/terminal/while-reading.ts';
import { furtherLogsOf } from '../src/dialects/resume.ts';
import type { Filters } from '../src/read/select/filter.ts';
import type { ResultTools } from '../src/read/select/result-tools.ts';
import { type Selection, selectLines } from '../src/read/select/select.ts';
import { escapeText } from '../src/show/render/escape.ts';

export function addTail(program: Command, io: Io): void {
  const command = withExamples(
    program.command('tail'),
    ['tail latest', 'the last ten events'],
    ['tail -f latest', 'follow a run'],
  )
    .description('show the last events of a log, and follow new ones')
    .argument('[target]', NEWEST_RUN);
  withFilterOptions(command)
    .addOption(
      new Option('-n, --lines <n>', 'show the last n events first').argParser(wholeNumber(0)).default(10),
    )
    .option('-f, --follow', 'keep showing new events')
    .option('--forever', 'with -f: keep waiting after the run has ended')
    .option('--fields <list>', 'with -j: print only these fields')
    .option('--ids', 'show the id of each event')
    .option('--utc', 'show times in UTC instead of local time')
    .action(action(io, runTail));
}

async function runTail(context: Context, target: string | undefined, options: TailOptions): Promise<void> {
  requireUsableFields(context, options.fields);
  if (options.forever && !options.follow) throw needs('--forever', '-f');
  await sayTimes(context, options);
  if (!options.follow) return showLast(context, target, options);
  const { followEvents } = await import('../src/cli/events/follow-events.ts');
  return followEvents(context, target ?? 'latest', options);
}

/** The logs of a run, newest first, with the last selected lines of each, until there are as many as the user wants. */
async function lastOf(context: Context, log: OpenLog, options: TailOptions, filters: Filters) {
  const tools = toolsFor(context, log.dialect);
  const all = logsOfRun(context, log);
  const further = furtherLogsOf(log.dialect, log.origin, all.map(({ origin }) => origin).slice(1));
  const logs = [log, ...further.flatMap((path) => all.find(({ origin }) => origin === path) ?? [])];
  const found: {
    readonly log: OpenLog;
    readonly selection: Selection;
    readonly tools: ResultTools | undefined;
  }[] = [];
  let left = options.lines;
  for (const one of logs.toReversed()) {
    const selection = await whileReading(context, one, (onBytes) =>
      selectLines(one.path, { filters, last: left }, one.dialect, onBytes, tools),
    );
    if (selection.corruption) throw corruptLog(one.label, selection.corruption);
    found.push({ log: one, selection, tools });
    left -= selection.lines.length;
    if (left <= 0) break;
  }
  return found;
}

async function showLast(context: Context, target: string | undefined, options: TailOptions): Promise<void> {
  await using log = await openLog(context, target);
  const filters = filtersOf(options, context.io.now(), log.run);
  const found = await lastOf(context, log, options, filters);
  const shown = found.filter(({ selection }) => selection.lines.length > 0).toReversed();
  for (const { log: one, selection, tools } of shown) {
    if (one !== log && !context.json) await context.say(`in ${escapeText(one.label)}:`);
    await printSelection(context, one, selection, options, tools);
  }
  await sayNoneAsked(context, options);
  if (shown.length === 0 && options.lines > 0) await sayWhyNothing(context, log, filters);
}
