import { type Command, Option } from 'commander';
import { selectLines } from '../src/select/select.ts';
import { Context, type GlobalOptions } from './context.ts';
import { type FilterOptions, filtersOf, wholeNumber, withFilterOptions } from './event-options.ts';
import { requireUsableFields } from './event-printer.ts';
import { corruptLog } from './failure.ts';
import type { Io } from './io.ts';
import { openLog } from './open-log.ts';
import { printSelection, sayWhyNothing } from './print-events.ts';

export interface TailOptions extends GlobalOptions, FilterOptions {
  readonly lines: number;
  readonly follow?: boolean;
  readonly forever?: boolean;
  readonly fields?: string;
  readonly ids?: boolean;
  readonly utc?: boolean;
}

export function addTail(program: Command, io: Io): void {
  const command = program
    .command('tail')
    .description('show the last events of a log, and follow it')
    .argument('<target>');
  withFilterOptions(command)
    .addOption(
      new Option('-n, --lines <n>', 'how many events to begin with').argParser(wholeNumber(0)).default(10),
    )
    .option('-f, --follow', 'go on with new events as they are written')
    .option('--forever', 'with -f: do not end when the episode does')
    .option('--fields <list>', 'with -j: only these dotted fields')
    .option('--ids', 'with the id of each event')
    .option('--utc', 'times in UTC, not in local time')
    .action(async (target: string, _options, self: Command) => {
      const options = self.optsWithGlobals<TailOptions>();
      const context = new Context(io, options);
      requireUsableFields(context, options.fields);
      if (!options.follow) return showLast(context, target, options);
      const { followEvents } = await import('./follow-events.ts');
      return followEvents(context, target, options);
    });
}

async function showLast(context: Context, target: string, options: TailOptions): Promise<void> {
  const log = await openLog(context, target, options.stream);
  try {
    const filters = filtersOf(options, context.io.now(), log.run);
    const selection = await selectLines(log.path, { filters, last: options.lines }, log.dialect);
    if (selection.corruption) throw corruptLog(log.label, selection.corruption, { hasPartial: false });
    await printSelection(context, log, selection, options);
    if (selection.lines.length === 0 && options.lines > 0) await sayWhyNothing(context, log, filters);
  } finally {
    await log.dispose();
  }
}
