import { UsageError } from '../../base/errors.ts';
import { writeJson } from '../../base/json/write.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { partName } from '../../dialects/registry.ts';
import type { NamedRun } from '../../find/target-names.ts';
import type { VerifyTarget } from '../../findings/options.ts';
import type { Corruption } from '../../log/corruption.ts';
import type { LogRecord } from '../../log/record.ts';
import { copyLines } from '../../read/select/copy-lines.ts';
import { parseFields, pickFields } from '../../read/select/pick-fields.ts';
import type { ResultTools } from '../../read/select/result-tools.ts';
import type { Selection } from '../../read/select/select.ts';
import { repeatedIds, shortNames } from '../../show/render/episode-names.ts';
import { escapeText } from '../../show/render/escape.ts';
import { episodeRoom } from '../../show/render/events-columns.ts';
import { plural } from '../../show/render/tally.ts';
import type { Context } from '../context.ts';
import { Failed } from '../failure.ts';
import { targetsOf } from '../targets/find-targets.ts';
import { type OpenLog, openEpisode } from '../targets/open-log.ts';
import { eachEpisode } from '../targets/packed.ts';
import { logsOfRun } from '../targets/parts.ts';
import { writtenSince } from '../targets/recent.ts';
import { TargetFailures } from '../targets/target-failures.ts';
import type { ManyTargetsOptions } from '../targets/target-options.ts';
import { eventsTable, type PrintOptions, printText } from './event-printer.ts';

/** Options for printing the events of many logs. */
interface ManyEventsOptions extends PrintOptions, ManyTargetsOptions {
  readonly withSource?: boolean;
}

/** The heading of the column with the name of a log: what the dialect calls a run, if its log has one. */
const titleFor = ({ folder, storesMuch }: Dialect): string =>
  folder !== undefined ? 'EPISODE' : storesMuch ? 'SESSION' : 'LOG';

/** Prints the events of several logs: stored events with their source, or one table. */
export class ManyEventsPrinter {
  readonly #context: Context;
  readonly #options: ManyEventsOptions;
  #episodes: readonly string[] = [];
  #table: { readonly dialect: Dialect; readonly drawn: Awaited<ReturnType<typeof eventsTable>> } | undefined;

  constructor(context: Context, options: ManyEventsOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** Receives all names first, because the column is as wide as the longest. */
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
    const textOf = isStored ? undefined : await this.#textOf(episode, log, startedAt, tools);
    const show = (text: string) => (context.json ? context.out(text) : context.show(text));
    for await (const taken of copyLines(log.path, lines)) {
      if (textOf === undefined) await context.out(taken.bytes);
      else await printText(taken, textOf, show, log.dialect.form);
    }
  }

  async #textOf(
    episode: string,
    log: OpenLog,
    start: number | undefined,
    tools: ResultTools | undefined,
  ): Promise<(record: LogRecord) => string> {
    const { fields, withSource } = this.#options;
    if (this.#context.json) {
      const paths = fields === undefined ? undefined : parseFields(fields);
      // Without fields, events are printed as stored, so numbers survive.
      const event = (record: LogRecord) =>
        paths ? writeJson(pickFields(record.exact, paths)) : record.printedBytes.toString('utf8');
      const name = JSON.stringify(episode);
      return (record) =>
        withSource
          ? `{"episode":${name},"line":${record.line},"event":${event(record)}}\n`
          : `${event(record)}\n`;
    }
    const { table, toRow } = await this.#tableFor(log.dialect);
    return (record) => table.row({ ...toRow(record, tools), episode, start });
  }

  /** One table for consecutive logs of the same dialect, because other dialects have other columns. */
  async #tableFor(dialect: Dialect): ReturnType<typeof eventsTable> {
    if (this.#table?.dialect.name === dialect.name) return this.#table.drawn;
    const context = this.#context;
    const drawn = await eventsTable(context, dialect, this.#options, {
      episodes: { ...shortNames(this.#episodes, episodeRoom(context.cutWidth)), title: titleFor(dialect) },
    });
    if (!context.quiet) await context.show(`${this.#table === undefined ? '' : '\n'}${drawn.table.header()}`);
    this.#table = { dialect, drawn };
    return drawn;
  }
}

/** Receives the logs of many targets. */
export interface EventsSink {
  /** Receives the names of all episodes first. */
  announce(names: readonly string[]): void;
  /** Returns the corruption because of which it took nothing. */
  take(episode: string, log: OpenLog): Promise<Corruption | undefined>;
  /** Whether to read a run, with its parts. */
  takes?(run: OpenLog): Promise<boolean>;
  /** The order of logs, if it is not that of the targets. */
  order?(targets: readonly VerifyTarget[]): readonly VerifyTarget[] | Promise<readonly VerifyTarget[]>;
}

/** The number of logs whose dialect lacks a filter. */
function countsOf(errors: readonly UsageError[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { message } of errors) counts.set(message, (counts.get(message) ?? 0) + 1);
  return counts;
}

/** Returns a function that names a target by its id, or by its path if several have that id. */
export function nameAmong(
  context: Context,
  targets: readonly VerifyTarget[],
): (target: VerifyTarget) => string {
  const repeated = repeatedIds(targets.map(({ name }) => ({ episode: name })));
  return ({ name, dir, log }) => (repeated.has(name) ? context.shortPath(dir ?? log ?? name) : name);
}

/** A target with the path by which the user knows it, for names that commands accept. */
export const namedRun = ({ name, dir, log, fileName }: VerifyTarget): NamedRun => ({
  episode: name,
  path: fileName === '-' ? fileName : (dir ?? log ?? name),
});

/** Passes on the log of a run and those of its parts, like {@link eventsOfMany}. */
export async function eventsOfRun(context: Context, log: OpenLog, sink: EventsSink): Promise<void> {
  const logs = logsOfRun(context, log);
  sink.announce(logs.map(({ name }) => name));
  const failures = new TargetFailures(context, logs);
  for (const one of logs) {
    try {
      const corruption = await sink.take(one.name, one);
      if (corruption) await failures.takeCorrupt(one.label, corruption, true);
    } catch (error) {
      await failures.take(error, one.label);
    }
  }
  await failures.sayLeftOut();
  if (failures.count > 0) throw new Failed();
}

/**
 * Yields the logs of many targets with those of their parts. Corrupt and unreadable logs are named and skipped, which the
 * exit code shows. A filter that a dialect does not have is only an error if no log has it. `since`: only logs that may have
 * an event since then.
 */
export async function eventsOfMany(
  context: Context,
  names: readonly string[],
  options: ManyTargetsOptions,
  sink: EventsSink,
  since?: number,
): Promise<void> {
  // The list is already read; standard input could not be read again.
  const { targets: _, null: __, ...how } = options;
  await using found = await targetsOf(context, names, how);
  const { targets: all } = found;
  const targets = (await sink.order?.(all)) ?? all;
  const nameOf = nameAmong(context, targets);
  sink.announce(targets.flatMap((target) => [nameOf(target), ...(target.parts ?? []).map(partName)]));
  const failures = new TargetFailures(context, targets);
  let taken = 0;
  const refused: UsageError[] = [];
  const open = { ...found, targets: writtenSince(targets, since) };
  for await (const { target, shown } of eachEpisode(context, open, failures)) {
    const { log, link, fileName } = target;
    if (log === undefined || link) continue;
    const label = fileName ?? context.shortPath(shown(log));
    try {
      const open = await openEpisode(context, target, shown);
      const whole = { ...open, label, name: shown(nameOf(target)) };
      if ((await sink.takes?.(whole)) === false) continue;
      for (const one of logsOfRun(context, whole)) {
        const corruption = await sink.take(one.name, one);
        if (corruption) await failures.takeCorrupt(one.label, corruption, true);
        else taken += 1;
      }
    } catch (error) {
      if (error instanceof UsageError) refused.push(error);
      else await failures.take(error, label);
    }
  }
  const [first] = refused;
  if (first !== undefined && taken === 0 && failures.count === 0) throw first;
  for (const [message, count] of countsOf(refused))
    await context.say(escapeText(`${message}: ${plural(count, 'log')} left out`));
  await failures.sayLeftOut();
  if (failures.count > 0) throw new Failed();
}
