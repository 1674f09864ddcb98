import { type Command, Option } from 'commander';
import { selectLines } from '../src/select/select.ts';
import { Context, type GlobalOptions } from './context.ts';
import { type FilterOptions, filtersOf, sayTimes, wholeNumber, withFilterOptions } from './event-options.ts';
import { requireUsableFields, toolsFor } from './event-printer.ts';
import { withExamples } from './examples.ts';
import { corruptLog, needs } from './failure.ts';
import type { Io } from './io.ts';
import { openLog } from './open-log.ts';
import { printSelection, sayWhyNothing } from './print-events.ts';
import { whileReading } from './while-reading.ts';

export interface TailOptions extends GlobalOptions, FilterOptions {
  readonly lines: number;
  readonly follow?: boolean;
  readonly forever?: boolean;
  readonly fields?: string;
  readonly ids?: boolean;
  readonly utc?: boolean;
}

export function addTail(program: Command, io: Io): void {
  const command = withExamples(
    program.command('tail'),
    ['tail latest', 'the last ten events'],
    ['tail -f latest', 'follow a run'],
  )
    .description('show the last events of a log, and follow new ones')
    .argument('[target]');
  withFilterOptions(command)
    .addOption(
      new Option('-n, --lines <n>', 'show the last n events first').argParser(wholeNumber(0)).default(10),
    )
    .option('-f, --follow', 'keep showing new events')
    .option('--forever', 'with -f: keep waiting after the episode has ended')
    .option('--fields <list>', 'with -j: print only these fields')
    .option('--ids', 'show the id of each event')
    .option('--utc', 'show times in UTC instead of local time')
    .action(async (target: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<TailOptions>();
      const context = new Context(io, options);
      requireUsableFields(context, options.fields);
      if (options.forever && !options.follow) throw needs('--forever', '-f');
      await sayTimes(context, options);
      if (!options.follow) return showLast(context, target, options);
      const { followEvents } = await import('./follow-events.ts');
      return followEvents(context, target ?? 'latest', options);
    });
}

async function showLast(context: Context, target: string | undefined, options: TailOptions): Promise<void> {
  const log = await openLog(context, target);
  try {
    const filters = filtersOf(options, context.io.now(), log.run);
    const query = { filters, last: options.lines };
    const tools = toolsFor(context, log.dialect);
    const selection = await whileReading(context, log, (onBytes) =>
      selectLines(log.path, query, log.dialect, onBytes, tools),
    );
    if (selection.corruption) throw corruptLog(log.label, selection.corruption);
    await printSelection(context, log, selection, options, tools);
    if (selection.lines.length === 0 && options.lines > 0) await sayWhyNothing(context, log, filters);
  } finally {
    await log.dispose();
  }
}
