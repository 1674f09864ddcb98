import { type Command, Option } from 'commander';
import { escapeText } from '../src/render/escape.ts';
import type { ChainEnd } from '../src/select/lineage.ts';
import { type Query, selectLines } from '../src/select/select.ts';
import { Context, type GlobalOptions } from './context.ts';
import { type FilterOptions, filtersOf, wholeNumber, withFilterOptions } from './event-options.ts';
import { requireUsableFields } from './event-printer.ts';
import { corruptLog } from './failure.ts';
import type { Io } from './io.ts';
import { openLog } from './open-log.ts';
import { printSelection, sayWhyNothing } from './print-events.ts';

export interface EventsOptions extends GlobalOptions, FilterOptions {
  readonly chain?: string;
  readonly descendants?: string;
  readonly limit?: number;
  readonly last?: number;
  readonly fields?: string;
  readonly ids?: boolean;
  readonly partial?: boolean;
  readonly utc?: boolean;
}

function withEventsOptions(command: Command): Command {
  return withFilterOptions(command)
    .addOption(
      new Option('--chain <event>', 'the event (its id or line) and each of its ancestors').conflicts(
        'descendants',
      ),
    )
    .option('--descendants <event>', 'the event and all that it led to')
    .addOption(
      new Option('--limit <n>', 'the first n, after the filters').argParser(wholeNumber(0)).conflicts('last'),
    )
    .addOption(new Option('--last <n>', 'the last n, after the filters').argParser(wholeNumber(0)))
    .option('--fields <list>', 'with -j: only these dotted fields, such as id,payload.outcome')
    .option('--ids', 'with the id of each event')
    .option('--partial', 'show what comes before the first corrupt line, then fail')
    .option('--utc', 'times in UTC, not in local time');
}

export function addEvents(program: Command, io: Io): void {
  withEventsOptions(
    program.command('events').description('list the events of a log').argument('<target>'),
  ).action((target: string, _options, command: Command) =>
    runEvents(io, target, command.optsWithGlobals<EventsOptions>()),
  );
  withEventsOptions(
    program
      .command('insight')
      .description('list its insight events (events --phase insight)')
      .argument('<target>'),
  ).action((target: string, _options, command: Command) =>
    runEvents(io, target, { ...command.optsWithGlobals<EventsOptions>(), phase: ['insight'] }),
  );
}

function queryOf(options: EventsOptions, now: number, run?: string): Query {
  const { chain, descendants, limit, last } = options;
  return {
    filters: filtersOf(options, now, run),
    ...(chain !== undefined && { chain }),
    ...(descendants !== undefined && { descendants }),
    ...(limit !== undefined && { limit }),
    ...(last !== undefined && { last }),
  };
}

/** Fails closed: nothing is printed before the log was read to its end and found whole, unless with `--partial`. */
async function runEvents(io: Io, target: string, options: EventsOptions): Promise<void> {
  const context = new Context(io, options);
  requireUsableFields(context, options.fields);
  const query = queryOf(options, io.now());
  const streams =
    target === '-' &&
    options.partial &&
    context.json &&
    !query.chain &&
    !query.descendants &&
    query.last === undefined;
  if (streams) {
    const { streamEvents } = await import('./stream-events.ts');
    return streamEvents(context, query, options);
  }

  const log = await openLog(context, target, options.stream);
  try {
    const { filters, ...wanted } = queryOf(options, io.now(), log.run);
    const selection = await selectLines(log.path, { filters, ...wanted }, log.dialect);
    if (selection.corruption && !options.partial) throw corruptLog(log.label, selection.corruption);
    await printSelection(context, log, selection, options);
    await sayChainEnd(context, selection.chainEnd);
    const isAsked = wanted.limit !== 0 && wanted.last !== 0;
    if (selection.lines.length === 0 && isAsked) await sayWhyNothing(context, log, filters);
    if (selection.corruption) throw corruptLog(log.label, selection.corruption, { shown: true });
  } finally {
    await log.dispose();
  }
}

async function sayChainEnd(context: Context, end: ChainEnd | undefined): Promise<void> {
  if (end?.kind === 'cycle') await context.say(`the chain ends here: it comes back to ${escapeText(end.id)}`);
  if (end?.kind === 'missing')
    await context.say(`the chain ends here: its cause ${escapeText(end.id)} is not in this log`);
}
