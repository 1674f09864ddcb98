import { statSync } from 'node:fs';
import { sep } from 'node:path';
import type { Command } from 'commander';
import { TargetError } from '../src/base/errors.ts';
import { isDirectory, statusOf } from '../src/base/files/paths.ts';
import { defined } from '../src/base/json/defined.ts';
import { forOutput } from '../src/base/json/output.ts';
import { plainShellWord } from '../src/base/text/shell-word.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import { type FilterOptions, filtersOf, sayTimes } from '../src/cli/events/event-options.ts';
import { eventsOfMany } from '../src/cli/events/events-of-many.ts';
import { Failed } from '../src/cli/failure.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { instantOfOption, listed, whenOption, wholeNumber } from '../src/cli/option-values.ts';
import { knownRows } from '../src/cli/targets/known-rows.ts';
import type { OpenLog } from '../src/cli/targets/open-log.ts';
import { saySkipped } from '../src/cli/targets/partial.ts';
import { type RunFilterOptions, runTest, withProjectAndModel } from '../src/cli/targets/run-filters.ts';
import { type ManyTargetsOptions, streamOption, withManyTargets } from '../src/cli/targets/target-options.ts';
import { holdsEpisodes } from '../src/find/find.ts';
import { homesOf } from '../src/find/homes.ts';
import { noteRoot, requireRoot } from '../src/find/root.ts';
import { type EpisodeSummary, summarizeAll } from '../src/find/summary.ts';
import type { VerifyTarget } from '../src/findings/options.ts';
import { finderOf } from '../src/read/select/find-text.ts';
import { type SearchedLog, searchLog } from '../src/read/select/search-log.ts';
import { escapeText } from '../src/show/render/escape.ts';
import { plural } from '../src/show/render/tally.ts';

interface SearchOptions
  extends GlobalOptions,
    ManyTargetsOptions,
    Pick<RunFilterOptions, 'project' | 'model'>,
    Pick<FilterOptions, 'phase' | 'since' | 'until'> {
  readonly tool?: string[];
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
      'show at most n matches per log (default: 5; with -j all; 0: all)',
      wholeNumber(0),
    );
  command
    .option('--since <time>', 'show only events at or after this time, such as 7d or yesterday', whenOption)
    .option('--until <time>', 'show only events at or before this time', whenOption)
    .option('-p, --phase <name>', 'show only events of this phase or kind, such as prompt or answer', listed)
    .option('--tool <name>', 'show only events of this tool (repeatable, or a comma list)', listed);
  withProjectAndModel(command);
  command.addOption(streamOption());
  withManyTargets(command).action(action(io, runSearch));
}

/** The folders and databases of all logs that are known without a target. */
async function everywhere({ search }: Context): Promise<string[]> {
  const folders: string[] = [];
  const root = await requireRoot(search).catch(() => undefined);
  if (root) {
    noteRoot(search, root);
    folders.push(root.dir);
  }
  for (const home of search.flag === undefined ? homesOf(search) : [])
    if (statusOf(home)?.isFile() || (isDirectory(home) && (await holdsEpisodes(home)))) folders.push(home);
  if (folders.length > 0) return folders;
  throw new TargetError(
    'target-missing',
    'found no runs: no .noesis folder here or above, and no sessions of coding agents on this machine',
    {
      hint: 'give the path of a log, or --root DIR',
    },
  );
}

const writtenAt = ({ log }: VerifyTarget): number =>
  log === undefined ? 0 : (statSync(log, { throwIfNoEntry: false })?.mtimeMs ?? 0);

/** Prints the matches in logs, and counts them. */
class MatchPrinter {
  readonly #context: Context;
  logs = 0;
  withMatches = 0;
  matches = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  /** The command that continues a session; undefined if the log is not where its program keeps sessions. */
  async #resume({ name, origin, dialect }: OpenLog, cwd: string | undefined): Promise<string | undefined> {
    const isKept = homesOf(this.#context.search).some((home) => origin.startsWith(`${home}${sep}`));
    // A file with a name of its own is not found by its program, and a subagent is no session.
    if (!isKept || dialect.nameOf?.(origin) !== name || name.startsWith('agent-')) return undefined;
    const command = (await dialect.repair?.())?.resume(name);
    return command === undefined || cwd === undefined ? command : `cd ${plainShellWord(cwd)} && ${command}`;
  }

  /** Whether a log is of a run that the user asked for. */
  async takes(log: OpenLog, test: ((run: EpisodeSummary) => boolean) | undefined): Promise<boolean> {
    return test === undefined || (await this.#summary(log)).some(test);
  }

  async print(name: string, log: OpenLog, found: SearchedLog): Promise<void> {
    const context = this.#context;
    this.logs += 1;
    if (found.skipped) await saySkipped(context, log.label, found.skipped);
    if (found.matches.length === 0) return;
    this.withMatches += 1;
    this.matches += found.matches.length + found.more;
    if (context.json) return this.#json(name, log, found);
    if (context.quiet) return context.show(`${escapeText(name)}\n`);
    const { matchLines } = await import('../src/show/render/search-view.ts');
    const [summary] = await this.#summary(log);
    const about = {
      day: summary?.started_at?.slice(0, 10),
      title: summary?.task,
      resume: await this.#resume(log, summary?.cwd),
    };
    const layout = { width: context.cutWidth, style: await context.style };
    const lines = matchLines({ name, dialect: log.dialect.name, ...about }, found, layout);
    await context.show(`${this.withMatches === 1 ? '' : '\n'}${lines.join('\n')}\n`);
  }

  /** What the list says of a log: from an earlier run if the log has not changed. */
  #summary({ name, dir, path, run, place, origin, parts }: OpenLog): Promise<readonly EpisodeSummary[]> {
    const isPlain = dir === undefined && run === undefined && origin === path;
    const plain = isPlain ? { name, log: path, ...defined({ parts }) } : undefined;
    return knownRows(this.#context, plain, () =>
      summarizeAll({ name, dir, log: path, ...defined({ run, place, parts }) }),
    );
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
  const test = runTest({ ...defined({ project: options.project, model: options.model }) }, io);
  await sayTimes(context, options);
  const isNamed = [named[0], options.targets, options.stream].some((given) => given !== undefined);
  await context.believeKnown();
  const printer = new MatchPrinter(context);
  await eventsOfMany(
    context,
    isNamed ? named : await everywhere(context),
    options,
    {
      announce: () => {},
      order: (targets) => (isNamed ? targets : [...targets].sort((a, b) => writtenAt(b) - writtenAt(a))),
      async take(name, log) {
        if (!(await printer.takes(log, test))) return undefined;
        const filters = filtersOf(options, io.now(), log.run);
        await printer.print(name, log, await searchLog(log, finder, filters, limit === 0 ? Infinity : limit));
        return undefined;
      },
    },
    instantOfOption(options.since, io.now()),
  );
  const { logs, withMatches, matches } = printer;
  const where = withMatches === 0 ? plural(logs, 'log') : `${withMatches} of ${plural(logs, 'log')}`;
  await context.say(`${matches === 0 ? 'no match' : plural(matches, 'event')} in ${where}`);
  if (matches === 0) throw new Failed();
}
