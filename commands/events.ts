import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { EventError, UsageError } from '../src/base/errors.ts';
import { isDirectory } from '../src/base/files/paths.ts';
import { defined } from '../src/base/json/defined.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import {
  type FilterOptions,
  filtersOf,
  sayTimes,
  withFilterOptions,
} from '../src/cli/events/event-options.ts';
import { requireUsableFields, toolsFor } from '../src/cli/events/event-printer.ts';
import type { EventsSink } from '../src/cli/events/events-of-many.ts';
import { printSelection, sayNoneAsked, sayReasons, sayWhyNothing } from '../src/cli/events/print-events.ts';
import { corruptLog, Failed } from '../src/cli/failure.ts';
import { type Example, withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { instantOfOption, notEmpty, wholeNumber } from '../src/cli/option-values.ts';
import { ChosenRuns } from '../src/cli/targets/chosen-runs.ts';
import { type OpenLog, openLog } from '../src/cli/targets/open-log.ts';
import {
  failIfSkipped,
  type PartialOptions,
  SkippedReports,
  withPartial,
} from '../src/cli/targets/partial.ts';
import { logsOfRun } from '../src/cli/targets/parts.ts';
import { hasRunFilters, type RunFilterOptions, withRunFilters } from '../src/cli/targets/run-filters.ts';
import { type ManyTargetsOptions, namesOf, withManyTargets } from '../src/cli/targets/target-options.ts';
import { whileReading } from '../src/cli/terminal/while-reading.ts';
import { holdsMany } from '../src/find/find.ts';
import type { Corruption } from '../src/log/corruption.ts';
import type { LogRecord } from '../src/log/record.ts';
import { hasAny, hasSeveral } from '../src/read/select/filter.ts';
import type { ChainEnd } from '../src/read/select/lineage.ts';
import { lostCalls } from '../src/read/select/lost-calls.ts';
import { NoMatch } from '../src/read/select/no-match.ts';
import type { ResultTools } from '../src/read/select/result-tools.ts';
import { type Query, selectLines } from '../src/read/select/select.ts';
import { escapeText } from '../src/show/render/escape.ts';
import { plural } from '../src/show/render/tally.ts';

interface EventsOptions
  extends GlobalOptions,
    FilterOptions,
    RunFilterOptions,
    ManyTargetsOptions,
    PartialOptions {
  readonly chain?: string;
  readonly descendants?: string;
  readonly limit?: number;
  readonly last?: number;
  readonly fields?: string;
  readonly ids?: boolean;
  readonly utc?: boolean;
  readonly all?: boolean;
  readonly tree?: boolean;
  readonly withSource?: boolean;
}

function withEventsOptions(command: Command, hasPhase: boolean): Command {
  return withFilterOptions(command, hasPhase ? [] : ['phase'])
    .addOption(
      new Option('--chain <event>', 'show this event (id or line) and its ancestors')
        .argParser(notEmpty)
        .conflicts('descendants'),
    )
    .option('--descendants <event>', 'show this event and everything it led to', notEmpty)
    .addOption(
      new Option('--limit <n>', 'show only the first n of each log, after the filters')
        .argParser(wholeNumber(0))
        .conflicts('last'),
    )
    .addOption(
      new Option('--last <n>', 'show only the last n of each log, after the filters').argParser(
        wholeNumber(0),
      ),
    )
    .option('--fields <list>', 'with -j: print only these fields, such as id,payload.outcome')
    .option('--ids', 'show the id of each event')
    .option('--tree', 'show each event below the one that led to it')
    .option('--all', 'read every run under the root')
    .option('--with-source', 'with -j: add the run and the line to each event')
    .option('--utc', 'show times in UTC instead of local time');
}

export function addEvents(program: Command, io: Io): void {
  const add = (
    name: string,
    description: string,
    preset: Partial<EventsOptions>,
    examples: readonly Example[],
  ): void => {
    const command = withExamples(program.command(name), ...examples)
      .description(description)
      .argument('[target...]', 'runs, logs and folders (default: the newest run)');
    withRunFilters(withEventsOptions(command, preset.phase === undefined), 'read');
    withPartial(withManyTargets(command)).action(
      action(io, (context, targets: string[], options: EventsOptions) =>
        runEvents(context, targets, { ...options, ...preset }),
      ),
    );
  };
  add('events', 'list the events of one log or many', {}, [
    ['events latest -p act,reflect', 'two phases of the newest run'],
    ['events latest --chain 12', 'what led to the event on line 12'],
    ['events - -j', 'from standard input, as NDJSON'],
  ]);
  add('insight', 'list how a run rated itself (events --phase insight)', { phase: ['insight'] }, [
    ['insight latest', 'how the newest run rated itself'],
    ['insight latest -j', 'the same, as NDJSON'],
  ]);
}

function queryOf(options: EventsOptions, now: number, run?: string): Query {
  const { chain, descendants, limit, last } = options;
  return {
    filters: filtersOf(options, now, run),
    ...defined({ chain, descendants, limit, last }),
    ...(options.partial && { partial: true }),
  };
}

/** Prints events of one log, or of many logs one after the other. */
async function runEvents(context: Context, named: readonly string[], options: EventsOptions): Promise<void> {
  requireUsableFields(context, options.fields);
  const targets = await namesOf(context, named, options);
  const [target] = targets;
  if (options.withSource && !context.json)
    throw new UsageError('usage', '--with-source needs -j', {
      hint: 'add -j; the table already has a column for the run',
    });
  const many = options.all || (await isMany(context, targets, options));
  if (options.tree) requireTree(context, many, options);
  await sayTimes(context, options);
  if (many) {
    if (options.all && targets.length > 0)
      throw new UsageError('usage', '--all cannot be combined with a target', {
        hint: 'remove one of the two options',
      });
    const { eventsOfMany } = await import('../src/cli/events/events-of-many.ts');
    const since = instantOfOption(options.since, context.io.now());
    return eventsOfAll(context, options, (sink) => eventsOfMany(context, targets, options, sink, since));
  }
  const query = queryOf(options, context.io.now());
  const streams =
    target === '-' &&
    options.partial &&
    context.json &&
    !query.chain &&
    !query.descendants &&
    query.last === undefined;
  if (streams) {
    const { streamEvents } = await import('../src/cli/events/stream-events.ts');
    return streamEvents(context, query, options);
  }
  await using log = await openLog(context, target);
  if (!options.tree && logsOfRun(context, log).length > 1) {
    const { eventsOfRun } = await import('../src/cli/events/events-of-many.ts');
    return await eventsOfAll(context, options, (sink) => eventsOfRun(context, log, sink));
  }
  if (options.tree) {
    const { printTree } = await import('../src/cli/events/print-tree.ts');
    return await printTree(context, log, options);
  }
  await eventsOf(context, log, options);
}

/** Throws `usage` if `--tree` is combined with other options: it shows one whole log. */
function requireTree({ json }: Context, many: boolean, options: EventsOptions): void {
  const { all, chain, descendants, limit, last, partial, shard } = options;
  const other = { all, chain, descendants, limit, last, partial, shard, json: json || undefined };
  const [name] = Object.entries(other).find(([, value]) => value !== undefined) ?? [];
  if (name === undefined && !many) return;
  const what = name === undefined ? 'the events of several logs' : `--${name}`;
  throw new UsageError('usage', `--tree cannot be combined with ${what}`, {
    hint: 'give one log; --tree shows all events of it',
  });
}

/** Whether the target is several logs, such as a folder without its own log. */
async function isMany(
  { io }: Context,
  targets: readonly string[],
  { shard, targets: list, stream, withSource, ...options }: EventsOptions,
): Promise<boolean> {
  const [only = '-'] = targets;
  if (hasRunFilters(options)) return true;
  if (targets.length > 1 || shard !== undefined || list !== undefined) return true;
  if (only === '-' || stream !== undefined) return false;
  if (withSource) return true;
  const folder = resolve(io.cwd, only);
  return isDirectory(folder) && (await holdsMany(folder));
}

/** Prints the events of many logs, which `read` passes on, or a remark if there are none. */
async function eventsOfAll(
  context: Context,
  options: EventsOptions,
  read: (sink: EventsSink) => Promise<void>,
): Promise<void> {
  const { ManyEventsPrinter } = await import('../src/cli/events/events-of-many.ts');
  const printer = new ManyEventsPrinter(context, options);
  const { filters } = queryOf(options, context.io.now());
  const none = new NoMatch(filters);
  const chosen = new ChosenRuns(context, options);
  let found = 0;
  let logs = 0;
  const skippedReports = new SkippedReports(context);
  /** The logs without the event of a chain. They are skipped, because an id is in one log only. */
  const missing: EventError[] = [];
  const take = async (episode: string, log: OpenLog): Promise<Corruption | undefined> => {
    const query = queryOf(options, context.io.now(), log.run);
    const tools = await toolsOf(context, log);
    const isObserved = found === 0 || hasSeveral(filters);
    const lost = isObserved ? await lostCalls(log.path, filters, log.dialect) : undefined;
    const also = isObserved ? seenBy(tools, none.of(log.dialect, lost)) : tools;
    const selection = await whileReading(context, log, (onBytes) =>
      selectLines(log.path, query, log.dialect, onBytes, also),
    ).catch((error: unknown) => {
      if (!(error instanceof EventError && error.code === 'event-missing')) throw error;
      missing.push(error);
    });
    if (selection === undefined || selection.corruption) return selection?.corruption;
    logs += 1;
    found += selection.lines.length;
    await printer.print(episode, log, selection, tools);
    await sayChainEnd(context, selection.chainEnd);
    if (selection.skipped === undefined) return undefined;
    await skippedReports.take(log.label, selection.skipped, log);
    return undefined;
  };
  try {
    await read({
      take,
      takes: (log) => chosen.takes(log),
      announce: (names) => printer.announce(names),
    });
  } finally {
    const isAsked = hasAny(filters) && options.limit !== 0 && options.last !== 0;
    await chosen.sayUnsure();
    for (const reason of chosen.reasons) await context.say(escapeText(reason));
    if (logs > 0) await sayNoneAsked(context, options);
    if (logs > 0 && isAsked) await sayReasons(context, found === 0 ? none.reasons : none.missing);
  }
  await skippedReports.end();
  const [first] = missing;
  if (first && logs === 0) {
    const wanted = options.chain ?? options.descendants ?? '';
    throw missing.length === 1
      ? first
      : new EventError('event-missing', `no event ${wanted} in ${plural(missing.length, 'log')}`, {
          hint: 'run noesis events <target> --ids to see the ids; a line number works too',
        });
  }
  if (skippedReports.hasAny || chosen.reasons.length > 0) throw new Failed();
}

/** Except with `--partial`, prints nothing until the whole log was read and is intact. */
async function eventsOf(context: Context, log: OpenLog, options: EventsOptions): Promise<void> {
  const query = queryOf(options, context.io.now(), log.run);
  const tools = await toolsOf(context, log);
  const none = new NoMatch(query.filters);
  const also = hasSeveral(query.filters) ? seenBy(tools, none.of(log.dialect)) : tools;
  const selection = await whileReading(context, log, (onBytes) =>
    selectLines(log.path, query, log.dialect, onBytes, also),
  );
  if (selection.corruption) throw corruptLog(log.label, selection.corruption, { offers: true });
  await printSelection(context, log, selection, options, tools);
  await sayChainEnd(context, selection.chainEnd);
  const isAsked = query.limit !== 0 && query.last !== 0;
  if (selection.lines.length > 0) await sayReasons(context, none.missing);
  else if (isAsked) await sayWhyNothing(context, log, query.filters);
  await sayNoneAsked(context, query);
  await failIfSkipped(context, [{ label: log.label, source: log, skipped: selection.skipped }]);
}

type Observer = { add(record: LogRecord): void; lost?(line: number): void };

/** Passes records to each of these that is there. */
const seenBy = (...observers: readonly (Observer | undefined)[]): Observer => ({
  add(record) {
    for (const observer of observers) observer?.add(record);
  },
  lost(line) {
    for (const observer of observers) observer?.lost?.(line);
  },
});

/** Finds the tools of results, and calls without a result if the format records both separately. */
const toolsOf = async (context: Context, { dialect }: OpenLog): Promise<ResultTools | undefined> =>
  toolsFor(context, dialect, context.json || !dialect.spans ? undefined : await dialect.account?.());

async function sayChainEnd(context: Context, end: ChainEnd | undefined): Promise<void> {
  if (end?.kind === 'cycle') await context.say(`the chain ends here: it returns to ${escapeText(end.id)}`);
  if (end?.kind === 'missing')
    await context.say(`the chain ends here: its cause ${escapeText(end.id)} is not in this log`);
}
