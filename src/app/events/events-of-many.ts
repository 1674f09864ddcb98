import type { Dialect } from '../../dialects/dialect.ts';
import { NoesisError, UsageError } from '../../errors.ts';
import type { VerifyTarget } from '../../findings/options.ts';
import { writeJson } from '../../json/write.ts';
import type { LogRecord } from '../../log/record.ts';
import { repeatedIds, shortNames } from '../../render/episode-names.ts';
import { escapeText } from '../../render/escape.ts';
import { EventsTable } from '../../render/events-table.ts';
import { plural } from '../../render/tally.ts';
import { copyLines } from '../../select/copy-lines.ts';
import { parseFields, pickFields } from '../../select/pick-fields.ts';
import type { ResultTools } from '../../select/result-tools.ts';
import type { Selection } from '../../select/select.ts';
import { compileSearch } from '../../select/text-search.ts';
import type { Context } from '../context.ts';
import { Failed } from '../failure.ts';
import { Interrupted } from '../io.ts';
import { reportFailure } from '../report-failure.ts';
import { type OpenLog, openEpisode } from '../targets/open-log.ts';
import { eachEpisode } from '../targets/packed.ts';
import type { ManyTargetsOptions } from '../targets/target-options.ts';
import { targetsOf } from '../targets/verify-targets.ts';
import { instantOf, type PrintOptions, printText, rowOf } from './event-printer.ts';

/** How the events of many logs are printed. */
export interface ManyEventsOptions extends PrintOptions, ManyTargetsOptions {
  readonly withSource?: boolean;
}

/** Prints the events of one log after the other: as they are stored, with their source, or as one table. */
export class ManyEventsPrinter {
  readonly #context: Context;
  readonly #options: ManyEventsOptions;
  #episodes: readonly string[] = [];
  #table: { readonly dialect: Dialect; readonly table: EventsTable } | undefined;

  constructor(context: Context, options: ManyEventsOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** Says which names there will be: a column is as wide as the longest. */
  announce(names: readonly string[]): void {
    this.#episodes = names;
  }

  async print(
    episode: string,
    log: OpenLog,
    { lines, startedAt }: Selection,
    tools?: ResultTools,
  ): Promise<void> {
    if (lines.length === 0) return;
    const context = this.#context;
    const isStored = context.json && !this.#options.withSource && this.#options.fields === undefined;
    const textOf = isStored ? undefined : await this.#textOf(episode, log, instantOf(startedAt), tools);
    for await (const taken of copyLines(log.path, lines)) {
      if (textOf === undefined) await context.out(taken.bytes);
      else await printText(taken, textOf, (text) => (context.json ? context.out(text) : context.show(text)));
    }
  }

  async #textOf(
    episode: string,
    log: OpenLog,
    start: number | undefined,
    tools: ResultTools | undefined,
  ): Promise<(record: LogRecord) => string> {
    const { fields, withSource, grep } = this.#options;
    if (this.#context.json) {
      const paths = fields === undefined ? undefined : parseFields(fields);
      // Without fields an event is printed as it is stored, so that its numbers survive.
      const event = (record: LogRecord) =>
        paths ? writeJson(pickFields(record.exact, paths)) : record.printedBytes.toString('utf8');
      const name = JSON.stringify(episode);
      return (record) =>
        withSource
          ? `{"episode":${name},"line":${record.line},"event":${event(record)}}\n`
          : `${event(record)}\n`;
    }
    const table = await this.#tableFor(log.dialect);
    const search = grep === undefined ? undefined : compileSearch(grep);
    return (record) => table.row({ ...rowOf(record, log.dialect, { search, tools }), episode, start });
  }

  /** One table for as long as the logs are of one dialect: another one has other columns. */
  async #tableFor(dialect: Dialect): Promise<EventsTable> {
    if (this.#table?.dialect === dialect) return this.#table.table;
    const context = this.#context;
    const { ids = false, utc = false, grep } = this.#options;
    const table = new EventsTable({
      columns: dialect.columns,
      width: context.cutWidth,
      style: await context.style,
      zone: utc ? 'utc' : 'local',
      first: undefined,
      last: undefined,
      start: undefined,
      ids,
      episodes: shortNames(this.#episodes),
      marks: grep === undefined ? undefined : compileSearch(grep).placesIn,
    });
    if (!context.quiet) await context.show(`${this.#table === undefined ? '' : '\n'}${table.header()}`);
    this.#table = { dialect, table };
    return table;
  }
}

/** Where logs go. */
export interface EventsSink {
  /** Is told the names of all episodes first. */
  announce(names: readonly string[]): void;
  take(episode: string, log: OpenLog): Promise<void>;
  /** In which order they are taken, if it is not that of the targets. */
  order?(targets: readonly VerifyTarget[]): readonly VerifyTarget[];
}

/** A log that holds something to print, or why it gives nothing. */
async function openTarget(
  context: Context,
  { name, dir, log, run, owner }: VerifyTarget & { log: string },
): Promise<OpenLog> {
  return openEpisode(context, {
    name,
    dir,
    log,
    ...(run !== undefined && { run }),
    ...(owner !== undefined && { owner }),
  });
}

/** How many logs were asked for what their dialect does not have. */
function countsOf(errors: readonly UsageError[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { message } of errors) counts.set(message, (counts.get(message) ?? 0) + 1);
  return counts;
}

/**
 * Hands over the logs of many targets, one after the other. One that is corrupt, or cannot be read, is named and left
 * out, and the others go on: the exit code says that something was left out. A filter that a dialect does not have is a
 * slip only where all logs are of such dialects.
 */
export async function eventsOfMany(
  context: Context,
  names: readonly string[],
  options: ManyTargetsOptions,
  sink: EventsSink,
): Promise<void> {
  // The list was read already: standard input has no second one.
  const { targets: _, null: __, ...how } = options;
  const { targets: all, dispose } = await targetsOf(context, names, how);
  const targets = sink.order?.(all) ?? all;
  const repeated = repeatedIds(targets.map(({ name }) => ({ episode: name })));
  const nameOf = ({ name, dir, log }: VerifyTarget) =>
    repeated.has(name) ? context.shortPath(dir ?? log ?? name) : name;
  sink.announce(targets.map(nameOf));
  let failed = false;
  let taken = 0;
  const refused: UsageError[] = [];
  try {
    for await (const { target, shown } of eachEpisode(context, targets)) {
      if (context.io.interrupted.aborted) throw new Interrupted();
      const { log, link, fileName } = target;
      if (log === undefined || link) continue;
      try {
        const open = await openTarget(context, { ...target, log });
        const label = fileName ?? context.shortPath(shown(open.path));
        await sink.take(shown(nameOf(target)), { ...open, label });
        taken += 1;
      } catch (error) {
        if (!(error instanceof NoesisError)) throw error;
        if (error instanceof UsageError) {
          refused.push(error);
          continue;
        }
        failed = true;
        await reportFailure(context.io, error, context.options);
      }
    }
  } finally {
    await dispose();
  }
  const [first] = refused;
  if (first !== undefined && taken === 0 && !failed) throw first;
  for (const [message, count] of countsOf(refused))
    await context.say(escapeText(`${message}: ${plural(count, 'log')} left out`));
  if (failed) throw new Failed();
}
