import { type Command, Option } from 'commander';
import { statusOf } from '../src/base/files/paths.ts';
import { byText } from '../src/base/text/order.ts';
import { plainShellWord } from '../src/base/text/shell-word.ts';
import { parseInstant } from '../src/base/time/instant.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import { sayTimes, withTimes } from '../src/cli/events/event-options.ts';
import { Failed, needs } from '../src/cli/failure.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { instantOfOption, wholeNumber } from '../src/cli/option-values.ts';
import { ActiveTimes, activeWithin } from '../src/cli/targets/active-times.ts';
import { sayMayHaveChanged, whyNoneChanged } from '../src/cli/targets/changed-runs.ts';
import { listedEpisodes } from '../src/cli/targets/listed-episodes.ts';
import { otherDialect, sayIfUnlikely } from '../src/cli/targets/open-log.ts';
import {
  FAILED_RUNS,
  givenOption,
  passes,
  type RunFilter,
  type RunFilterOptions,
  runFilters,
  whyNone,
  withFailedRuns,
  withRunFilters,
} from '../src/cli/targets/run-filters.ts';
import { ALL_RUNS, type ManyTargetsOptions, withShard } from '../src/cli/targets/target-options.ts';
import { modelsOf } from '../src/dialects/kit/charges.ts';
import { compareCosts, stepCost } from '../src/dialects/kit/prices.ts';
import { totalTokens } from '../src/dialects/kit/tokens.ts';
import { withCosts } from '../src/dialects/kit/usage.ts';
import { dialectNamed, GENERIC_NAME } from '../src/dialects/registry.ts';
import { byWritten } from '../src/find/list.ts';
import { hintBelow } from '../src/find/no-episode.ts';
import { findPrices } from '../src/find/prices.ts';
import { withRepairs } from '../src/find/repairs.ts';
import { findRoot } from '../src/find/root.ts';
import { isForDoctor } from '../src/find/stored-form.ts';
import type { EpisodeSummary } from '../src/find/summary.ts';
import { targetNames } from '../src/find/target-names.ts';
import { escapeText } from '../src/show/render/escape.ts';
import { plural } from '../src/show/render/tally.ts';

const MORE = `
The status and the seal are those that the run stored: list does not verify them, and
counts only damage that it happens to read. To check runs, use noesis verify.`;

type Order = (a: EpisodeSummary, b: EpisodeSummary) => number;

const startOf = ({ started_at: start = '' }: EpisodeSummary): number => parseInstant(start) ?? -Infinity;

const tokensOf = ({ tokens }: EpisodeSummary): number => (tokens === undefined ? -1 : totalTokens(tokens));

/** Sort orders of a list. Equal episodes stay in the order of `written`. */
const ORDERS: Readonly<
  Record<'written' | 'start' | 'id' | 'status' | 'size' | 'task' | 'tokens' | 'took' | 'cost', Order>
> = {
  written: byWritten,
  start: (a, b) => (startOf(a) === startOf(b) ? 0 : startOf(b) - startOf(a)),
  id: (a, b) => byText(a.episode, b.episode),
  status: (a, b) => byText(a.status ?? '~', b.status ?? '~'),
  size: (a, b) => (b.log_bytes ?? -1) - (a.log_bytes ?? -1),
  task: (a, b) => byText(a.task ?? '\uffff', b.task ?? '\uffff'),
  tokens: (a, b) => tokensOf(b) - tokensOf(a),
  took: (a, b) => (b.took_ms ?? -1) - (a.took_ms ?? -1),
  cost: (a, b) => compareCosts(b.cost, a.cost),
};

type OrderName = keyof typeof ORDERS;

interface ListOptions extends GlobalOptions, ManyTargetsOptions, RunFilterOptions {
  readonly limit?: number;
  readonly failed?: boolean;
  readonly utc?: boolean;
  readonly since?: string;
  readonly until?: string;
  readonly sort?: OrderName;
  readonly wide?: boolean;
}

export function addList(program: Command, io: Io): void {
  const command = withExamples(
    program.command('list'),
    ['list --limit 5', 'the five newest runs'],
    ['list --failed --project .', 'what went wrong in this folder'],
    ['list -q --status vetoed', 'the ids of vetoed runs'],
  )
    .description('list runs, the most recently active first')
    .argument('[target...]', ALL_RUNS);
  withTimes(withFailedRuns(withRunFilters(withShard(command), 'list'), 'list'), 'list only runs active')
    .option('--limit <n>', 'list only the newest n', wholeNumber(0))
    .addOption(
      new Option(
        '--sort <by>',
        'sort by this: written (default) and start, the newest first; size, tokens, took (how long it lasted) and cost, the largest first; id, status and task, in alphabetical order',
      ).choices(Object.keys(ORDERS)),
    )
    .option('--wide', 'show whole ids, times and paths, however wide the terminal is')
    .option('--utc', 'show times in UTC instead of local time')
    .option('-0, --null', 'with -q: end each id with a zero byte instead of a newline')
    .addHelpText('after', MORE)
    .action(action(io, runList));
}

/** The runs that changed the requested files or may have, if the user asked for that. Reads the logs of these runs. */
async function thatChanged(
  context: Context,
  runs: EpisodeSummary[],
  { changed }: ListOptions,
): Promise<EpisodeSummary[]> {
  if (changed === undefined || runs.length === 0) return runs;
  const { pathsThatChanged } = await import('../src/cli/targets/changed-files.ts');
  const found = await pathsThatChanged(
    context,
    changed,
    runs.map(({ path }) => path),
  );
  const maybe = runs.filter(({ path }) => found.get(path) === 'maybe');
  if (maybe.length > 0) {
    const nameOf = await targetNames(runs, context.search);
    await sayMayHaveChanged(
      context,
      maybe.map((run) => nameOf(run).brief),
    );
  }
  return runs.filter(({ path }) => found.has(path));
}

/** Explains an empty list, which may be due to a typing error. */
async function sayNothingFound(
  context: Context,
  all: readonly EpisodeSummary[],
  filters: readonly RunFilter<EpisodeSummary>[],
  { changed }: ListOptions,
): Promise<void> {
  if (all.length === 0) {
    if (context.search.flag === undefined) return context.say('found no runs');
    // Unlike a target without runs, which exits with 3.
    await context.say('found no runs; a new root has none, so this is not an error');
    const hint = await hintBelow(await findRoot(context.search));
    return hint === undefined ? undefined : context.say(escapeText(hint));
  }
  const reasons = whyNone(filters, all);
  // The other runs were not read, so that nothing is known of what they changed.
  if (reasons.length === 0 && changed !== undefined)
    await context.say(escapeText(whyNoneChanged(changed, filters, all)));
  for (const reason of reasons) await context.say(escapeText(reason));
}

/** The filters that need only the entries of a list: all except that of changed files. */
function listFilters(options: ListOptions, io: Io): readonly RunFilter<EpisodeSummary>[] {
  const filters: RunFilter<EpisodeSummary>[] = [...runFilters(options, io)];
  if (options.failed) filters.push(FAILED_RUNS);
  const now = io.now();
  const [since, until] = [instantOfOption(options.since, now), instantOfOption(options.until, now)];
  if (since !== undefined || until !== undefined)
    filters.push({
      option: Object.entries({ since: options.since, until: options.until })
        .flatMap(([name, text]) => (text === undefined ? [] : givenOption(name, [text])))
        .join(' '),
      test: (run) => activeWithin(run, since, until),
      reason: (all) => {
        const times = new ActiveTimes();
        times.addRuns(all);
        return times.whyNone(options.utc ? 'utc' : 'local');
      },
    });
  return filters;
}

/** Runs in the requested order; those that are equal in it by their last time. */
function inOrder(runs: readonly EpisodeSummary[], { sort = 'written' }: ListOptions): EpisodeSummary[] {
  const byTime = runs.toSorted(ORDERS.written);
  return sort === 'written' ? byTime : byTime.sort(ORDERS[sort]);
}

/** The runs with their costs, if these are shown: the list of prices takes time to load. */
async function withListedCosts(
  context: Context,
  all: readonly EpisodeSummary[],
  { sort, wide = false }: ListOptions,
): Promise<EpisodeSummary[]> {
  const find = await findPrices(context.search);
  const isShown = context.json || sort === 'cost' || wide || (await find([])) !== undefined;
  const models = all.flatMap(({ charges }) => [...modelsOf(charges)]);
  const prices = isShown ? await find(models) : undefined;
  const priced = all.map((episode) => withCosts(episode, prices));
  if (sort === 'cost' && all.length > 0 && priced.every(({ cost }) => stepCost(cost) === ''))
    await context.say(escapeText(whyNoCost(models)));
  return priced;
}

/** Why no run has a cost. */
const whyNoCost = (models: readonly string[]): string =>
  models.length === 0
    ? 'no cost is known, because no run has tokens'
    : `no cost is known, because these models have no price: ${[...new Set(models)].join(', ')} (see noesis help prices)`;

async function runList(context: Context, targets: readonly string[], options: ListOptions): Promise<void> {
  if (options.null && !context.quiet) throw needs('--null', '-q');
  await context.believeKnown();
  await sayTimes(context, options);
  const { all, isWhole } = await listedEpisodes(context, targets, options);
  if (targets.length > 0) await requireDialect(context, all);
  const priced = await withListedCosts(context, await withRepairs(all), options);
  const filters = listFilters(options, context.io);
  const fitting = await thatChanged(context, inOrder(priced.filter(passes(filters)), options), options);
  const isEmpty = fitting.length === 0;
  if (isEmpty && options.limit !== 0) await sayNothingFound(context, all, filters, options);
  const nameOf = await targetNames(all, context.search);
  await printList(context, fitting, nameOf, options);
  if (!context.json)
    await sayFoot(context, { all: priced, shown: fitting.slice(0, options.limit), filters, nameOf }, targets);
  const [only, ...others] = all;
  // Of many runs, a remark about each would hide what is listed.
  if (targets.length > 0 && only?.dialect === GENERIC_NAME && others.length === 0 && !context.json)
    await sayIfUnlikely(context, only.path);
  const isFiltered = options.changed !== undefined || filters.length > 0;
  if (!isWhole || (isEmpty && isFiltered)) throw new Failed();
}

/** Says how many logs are not of `--dialect`, but of another one. Throws `log-missing` if none is of it. */
async function requireDialect(context: Context, all: readonly EpisodeSummary[]): Promise<void> {
  const files = all.map(({ path }) => path).filter((path) => statusOf(path)?.isFile());
  const others = files.flatMap((path) => otherDialect(context, path) ?? []);
  const [first] = others;
  if (first === undefined) return;
  if (others.length === all.length) throw first;
  await context.say(
    escapeText(
      `${others.length} of ${plural(all.length, 'log')} ${others.length === 1 ? 'is' : 'are'} not of ${context.dialect}: ${first.message}`,
    ),
  );
}

type NameOf = Awaited<ReturnType<typeof targetNames>>;

/** The runs of a list before and after its filters. */
interface Listed {
  readonly all: readonly EpisodeSummary[];
  readonly shown: readonly EpisodeSummary[];
  readonly filters: readonly RunFilter<EpisodeSummary>[];
  readonly nameOf: NameOf;
}

/** Says what a list leaves open: runs that `--failed` does not take because nobody knows how they ended, and damaged logs. */
async function sayFoot(
  context: Context,
  { all, shown, filters, nameOf }: Listed,
  targets: readonly string[],
): Promise<void> {
  const { damageHints, withoutEnd, withoutProject } = await import('../src/show/render/list-foot.ts');
  const left = (is: (filter: RunFilter<EpisodeSummary>) => boolean): readonly EpisodeSummary[] =>
    filters.some(is) ? all.filter(passes(filters.filter((filter) => !is(filter)))) : [];
  const open = [
    withoutEnd(left((filter) => filter === FAILED_RUNS)),
    withoutProject(left(({ isByName }) => isByName === true)),
  ];
  for (const text of open) if (text !== '') await context.say(text);
  const { flag: root } = context.search;
  const named = targets.length > 0 || root === undefined ? targets : [root];
  const given = named.map((word) => plainShellWord(word));
  const isExamined = ({ dialect: name, path }: EpisodeSummary) => {
    const dialect = name === undefined ? undefined : dialectNamed(name);
    return dialect !== undefined && isForDoctor(dialect, path);
  };
  for (const hint of damageHints(shown, { nameOf, given, isExamined })) await context.sayWhole(hint);
}

/** Prints the runs that pass the filters. */
async function printList(
  context: Context,
  fitting: readonly EpisodeSummary[],
  nameOf: NameOf,
  options: ListOptions,
): Promise<void> {
  const { io } = context;
  const episodes = fitting.slice(0, options.limit).map(({ tokens_by_model: _, ...episode }) => episode);
  if (context.json) {
    const rows = episodes.map((episode) => ({ ...episode, id: nameOf(episode).short }));
    return context.printJson(rows);
  }
  if (options.null || context.quiet) {
    const names = episodes.map((episode) => nameOf(episode).full);
    if (options.null) return context.outExactly(names.map((name) => `${name}\0`).join(''));
    return context.show(names.map((name) => `${escapeText(name)}\n`).join(''));
  }
  if (episodes.length === 0) {
    if (fitting.length > 0)
      await context.say(`${plural(fitting.length, 'run')} not shown, because --limit is 0`);
    return;
  }
  const { renderList } = await import('../src/show/render/episode-list.ts');
  const { listSummary, showHint } = await import('../src/show/render/list-foot.ts');
  const isTimed = options.utc || !io.stdout.isTTY;
  const { text, titles } = renderList(episodes, {
    style: await context.style,
    width: context.cutWidth,
    zone: options.utc ? 'utc' : 'local',
    nameOf,
    ...(!isTimed && { now: io.now() }),
    ...(options.wide && { wide: true }),
    ...(options.sort !== undefined && { sortedBy: options.sort }),
  });
  await context.show(text);
  await context.say(listSummary(episodes, fitting.length, titles));
  if (!io.stdout.isTTY) return;
  const { flag: root } = context.search;
  // The terminal wraps a long command, so it can be copied as one line.
  await context.sayWhole(
    showHint(episodes, { nameOf, width: context.width, ...(root !== undefined && { root }) }),
  );
}
