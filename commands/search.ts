import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { TargetError } from '../src/base/errors.ts';
import { isDirectory, statusOf } from '../src/base/files/paths.ts';
import { defined } from '../src/base/json/defined.ts';
import { forOutput } from '../src/base/json/output.ts';
import { countText } from '../src/base/text/count.ts';
import { shellWord } from '../src/base/text/shell-word.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import {
  type FilterOptions,
  filtersOf,
  sayTimes,
  withFilterOptions,
} from '../src/cli/events/event-options.ts';
import { eventsOfMany, namedRun } from '../src/cli/events/events-of-many.ts';
import { Failed } from '../src/cli/failure.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { instantOfOption, wholeNumber } from '../src/cli/option-values.ts';
import { ActiveTimes, activeWithin } from '../src/cli/targets/active-times.ts';
import { ChosenRuns, runsOfLog } from '../src/cli/targets/chosen-runs.ts';
import { namedLog, type OpenLog } from '../src/cli/targets/open-log.ts';
import { SkippedReports } from '../src/cli/targets/partial.ts';
import { type RunFilterOptions, withRunFilters } from '../src/cli/targets/run-filters.ts';
import { type ManyTargetsOptions, withManyTargets } from '../src/cli/targets/target-options.ts';
import { furtherLogsOf } from '../src/dialects/resume.ts';
import type { LoadingRemark } from '../src/dialects/sessions/kit/loading/model.ts';
import { LogFolders } from '../src/dialects/sessions/kit/loading/surroundings.ts';
import { holdsEpisodes } from '../src/find/find.ts';
import { homesOf } from '../src/find/homes.ts';
import { newestFirst } from '../src/find/last-activity.ts';
import { resumeOrWhy } from '../src/find/resume-of-kept.ts';
import { isRootMissing, noteRoot, requireRoot } from '../src/find/root.ts';
import { isForDoctor } from '../src/find/stored-form.ts';
import { targetNames } from '../src/find/target-names.ts';
import { nothingFound } from '../src/find/without-target.ts';
import type { VerifyTarget } from '../src/findings/options.ts';
import { lastRefusal } from '../src/read/describe/last-refusal.ts';
import { betweenSlashes } from '../src/read/select/expression.ts';
import { finderOf } from '../src/read/select/find-text.ts';
import { type SearchedLog, searchLog } from '../src/read/select/search-log.ts';
import { escapeText } from '../src/show/render/escape.ts';
import { plural } from '../src/show/render/tally.ts';

interface SearchOptions
  extends GlobalOptions,
    Omit<ManyTargetsOptions, 'stream'>,
    RunFilterOptions,
    Omit<FilterOptions, 'grep'> {
  readonly context?: number;
  readonly regexp?: boolean;
  readonly ignoreCase?: boolean;
  readonly limit?: number;
}

/** The default number of matches per log shown to people. */
const USUAL_LIMIT = 5;

export function addSearch(program: Command, io: Io): void {
  const command = withExamples(
    program.command('search'),
    ['search "rm -rf"', 'in every session of this machine and every run under the root'],
    ['search -i timeout ep_01KJ', 'in one run, ignoring case'],
    ['search -e "exit code [1-9]" -j', 'a regular expression; matches as JSON lines'],
  )
    .description('find a text in all runs; exit 1 if there is no match')
    .argument('<text>', 'the text to find, without JSON escapes')
    .argument('[target...]', 'runs, logs and folders (default: all on this machine)')
    .option('-e, --regexp', 'read the text as a regular expression')
    .option('-i, --ignore-case', 'ignore case')
    .option(
      '--limit <n>',
      'show at most n matches per log, not in total (default: 5; with -j: all; 0: all)',
      wholeNumber(0),
    )
    .option('-C, --context <n>', 'show n lines of the text before and after each match', wholeNumber(0));
  withRunFilters(withFilterOptions(command, ['grep']), 'search');
  withManyTargets(command).action(action(io, runSearch));
}

/** The folders and databases of all logs that are known without a target. */
async function everywhere({ searchWithoutTarget: search }: Context): Promise<string[]> {
  const folders: string[] = [];
  const root = await requireRoot(search).catch((error: unknown) => {
    if (isRootMissing(error)) return error;
    throw error;
  });
  if (!(root instanceof TargetError)) {
    noteRoot(search, root);
    folders.push(root.dir);
  }
  for (const home of search.flag === undefined ? homesOf(search) : [])
    if (statusOf(home)?.isFile() || (isDirectory(home) && (await holdsEpisodes(home)))) folders.push(home);
  if (folders.length > 0) return folders;
  if (root instanceof TargetError) throw nothingFound(search, root);
  return folders;
}

/** In bytes: of a longer log, search does not check whether its program loads it, because that takes as long as the search. */
const MOST_LOADED = 8 * 1024 ** 2;

/** The error with which the API refused the last request of a session, unless its logs are long. */
async function refusalOf({ path, origin, dialect, parts }: OpenLog): Promise<LoadingRemark | undefined> {
  const further = furtherLogsOf(dialect, origin, parts);
  const { size = Infinity } = statusOf(further.at(-1) ?? path) ?? {};
  return size > MOST_LOADED ? undefined : await lastRefusal(path, dialect, further);
}

/** Prints the matches in logs, and counts them. */
class MatchPrinter {
  readonly #context: Context;
  /** The logs to search, of which some have names. */
  targets: readonly VerifyTarget[] = [];
  #names: ReturnType<typeof targetNames> | undefined;
  readonly #folders = new LogFolders();
  readonly #skipped: SkippedReports;
  logs = 0;
  withMatches = 0;
  matches = 0;
  /** Some matches of a log are not shown. */
  isCut = false;

  constructor(context: Context) {
    this.#context = context;
    this.#skipped = new SkippedReports(context);
  }

  /** Reports the damaged logs. */
  end(): Promise<void> {
    return this.#skipped.end();
  }

  /** A name by which commands find the log: its id, or its path. */
  async #nameOf(name: string, log: OpenLog): Promise<string> {
    this.#names ??= targetNames(this.targets.map(namedRun), this.#context.search);
    return (await this.#names)({ ...namedLog(log), episode: name }).full;
  }

  async print(name: string, log: OpenLog, found: SearchedLog): Promise<void> {
    const context = this.#context;
    this.logs += 1;
    if (found.skipped) await this.#skipped.take(log.label, found.skipped, log);
    if (found.matches.length === 0) return;
    this.withMatches += 1;
    this.matches += found.matches.length + found.more;
    this.isCut ||= found.more > 0;
    if (context.json) return this.#json(name, log, found);
    const shownName = await this.#nameOf(name, log);
    if (context.quiet) return context.show(`${escapeText(shownName)}\n`);
    const { matchLines } = await import('../src/show/render/search-view.ts');
    const [summary] = await runsOfLog(context, log);
    const resumed = await resumeOrWhy(context.search, log, summary?.cwd, {
      most: MOST_LOADED,
      folders: this.#folders,
    });
    const refusal = 'command' in resumed ? await refusalOf(log) : undefined;
    const about = {
      day: summary?.started_at?.slice(0, 10),
      title: summary?.task,
      resume: 'command' in resumed ? { ...resumed, ...defined({ lastRefusal: refusal }) } : undefined,
      refused: 'why' in resumed && resumed.isRefused ? resumed.why : undefined,
      isExamined: isForDoctor(log.dialect, log.origin),
    };
    const layout = { width: context.cutWidth, style: await context.style };
    const lines = matchLines({ name: shownName, dialect: log.dialect.name, ...about }, found, layout);
    await context.show(`${this.withMatches === 1 ? '' : '\n'}${lines.join('\n')}\n`);
  }

  async #json(
    episode: string,
    { dialect, origin: path }: OpenLog,
    { matches, more }: SearchedLog,
  ): Promise<void> {
    const log = { episode, dialect: dialect.name, path };
    const records = [...matches, ...(more > 0 ? [{ more }] : [])];
    await this.#context.out(
      records.map((record) => `${JSON.stringify(forOutput({ ...log, ...record }))}\n`).join(''),
    );
  }
}

/** An error for a target that is a word: it may belong to a text of several words without quotes. */
function withQuotes(error: unknown, words: readonly string[]): unknown {
  const targets = words.slice(1);
  // A word with a digit or "_" may be an id, which the hint of the error helps to find.
  const isText =
    targets.every((word) => /^[^\s/\\.]+[.?!]?$/.test(word)) &&
    targets.some((word) => /^[^\d_]+$/.test(word));
  if (!(error instanceof TargetError && error.code === 'target-missing' && isText)) return error;
  // A word that is there was found, and is no text.
  if (error.place?.file !== undefined && existsSync(error.place.file)) return error;
  const text = shellWord(words.join(' '));
  const hint = `give a run, a log or a folder after the text; one text of several words needs quotes: noesis search ${text}`;
  return new TargetError(error.code, error.message, { place: error.place, hint, cause: error });
}

/** How to search for a regular expression, if a text that was not found looks like one of `events --grep`. */
function formHint(text: string, { regexp = false }: SearchOptions): string | undefined {
  const source = betweenSlashes(text)?.source;
  if (source === undefined) return undefined;
  const command = `noesis search -e ${shellWord(source)}`;
  return regexp
    ? `the slashes are a part of the expression; without them: ${command}`
    : `the text was searched for with its slashes; as a regular expression: ${command}`;
}

/** Searches the intact part of a damaged log. */
async function runSearch(
  context: Context,
  text: string,
  named: readonly string[],
  options: SearchOptions,
): Promise<void> {
  const finder = finderOf(text, options);
  const { limit = context.json || context.quiet ? 0 : USUAL_LIMIT } = options;
  const { io } = context;
  const chosen = new ChosenRuns(context, options);
  await sayTimes(context, options);
  const isNamed = [named[0], options.targets, options.stream].some((given) => given !== undefined);
  await context.believeKnown();
  const printer = new MatchPrinter(context);
  let runs = 0;
  const [since, until] = [instantOfOption(options.since, io.now()), instantOfOption(options.until, io.now())];
  const isLimited = since !== undefined || until !== undefined;
  const times = new ActiveTimes();
  let isActive = !isLimited;
  const searched = eventsOfMany(
    context,
    isNamed ? named : await everywhere(context),
    options,
    {
      announce: () => {},
      async takes(log) {
        const isTaken = await chosen.takes(log);
        if (isTaken) runs += 1;
        if (isTaken && !isActive) {
          const held = await runsOfLog(context, log);
          times.addRuns(held);
          isActive = held.some((run) => activeWithin(run, since, until));
        }
        return isTaken;
      },
      order: (targets) => {
        printer.targets = targets;
        return isNamed ? targets : newestFirst(targets, context.search);
      },
      async take(name, log) {
        const filters = filtersOf(options, io.now(), log.run);
        const how = { limit: limit === 0 ? Infinity : limit, context: options.context ?? 0 };
        await printer.print(name, log, await searchLog(log, finder, filters, how));
        return undefined;
      },
    },
    since,
  );
  await searched.catch((error: unknown) => {
    throw withQuotes(error, [text, ...named]);
  });
  await printer.end();
  await chosen.sayUnsure();
  for (const reason of chosen.reasons) await context.say(escapeText(reason));
  if (!isActive && chosen.reasons.length === 0) {
    await times.addUnread(context, printer.targets, since);
    await context.say(times.whyNone('local'));
  }
  const { logs, withMatches, matches, isCut } = printer;
  // A run has further logs, such as those of subagents.
  const all = logs === runs ? plural(logs, 'log') : `${plural(logs, 'log')} of ${plural(runs, 'run')}`;
  const where = withMatches === 0 ? all : `${withMatches} of ${all}`;
  // A user may take the limit for that of all logs together.
  const perLog = isCut && logs > 1 ? `; at most ${countText(limit)} of each log are shown (--limit)` : '';
  await context.say(`${matches === 0 ? 'no match' : plural(matches, 'event')} in ${where}${perLog}`);
  if (matches > 0) return;
  const hint = formHint(text, options);
  if (hint !== undefined) await context.say(escapeText(hint));
  throw new Failed();
}
