import { type Command, Option } from 'commander';
import { byText } from '../src/base/text/order.ts';
import { parseInstant } from '../src/base/time/instant.ts';
import { action, type Context, type GlobalOptions } from '../src/cli/context.ts';
import { sayTimes } from '../src/cli/events/event-options.ts';
import { Failed, needs } from '../src/cli/failure.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { instantOfOption, listed, whenOption, wholeNumber } from '../src/cli/option-values.ts';
import { listedEpisodes } from '../src/cli/targets/listed-episodes.ts';
import { type ManyTargetsOptions, withShard } from '../src/cli/targets/target-options.ts';
import { withCost } from '../src/dialects/kit/prices.ts';
import { findPrices } from '../src/find/configuration.ts';
import { byWritten } from '../src/find/list.ts';
import { hintBelow } from '../src/find/no-episode.ts';
import { findRoot } from '../src/find/root.ts';
import type { EpisodeSummary } from '../src/find/summary.ts';
import { targetNames } from '../src/find/target-names.ts';
import { noStatus } from '../src/read/select/no-match.ts';
import { escapeText } from '../src/show/render/escape.ts';

const MORE = `
The status and the seal are those that the run stored: list does not verify them, and
lists a damaged run like an intact one. To check runs, use noesis verify.`;

type Order = (a: EpisodeSummary, b: EpisodeSummary) => number;

const startOf = ({ started_at: start = '' }: EpisodeSummary): number => parseInstant(start) ?? -Infinity;

/** Sort orders of a list. Equal episodes stay in the order of `written`. */
const ORDERS: Readonly<Record<'written' | 'start' | 'id' | 'status' | 'size' | 'task', Order>> = {
  written: byWritten,
  start: (a, b) => (startOf(a) === startOf(b) ? 0 : startOf(b) - startOf(a)),
  id: (a, b) => byText(a.episode, b.episode),
  status: (a, b) => byText(a.status ?? '~', b.status ?? '~'),
  size: (a, b) => (b.log_bytes ?? -1) - (a.log_bytes ?? -1),
  task: (a, b) => byText(a.task ?? '\uffff', b.task ?? '\uffff'),
};

type OrderName = keyof typeof ORDERS;

/** Whether an episode started in a time range; false if its start is unknown. */
function startedWithin(
  { started_at: start = '' }: EpisodeSummary,
  since = -Infinity,
  until = Infinity,
): boolean {
  if (since === -Infinity && until === Infinity) return true;
  const instant = parseInstant(start) ?? Number.NaN;
  return instant >= since && instant <= until;
}

interface ListOptions extends GlobalOptions, ManyTargetsOptions {
  readonly limit?: number;
  readonly status?: string[];
  readonly utc?: boolean;
  readonly since?: string;
  readonly until?: string;
  readonly sort?: OrderName;
  readonly wide?: boolean;
}

export function addList(program: Command, io: Io): void {
  const command = withExamples(
    program.command('list'),
    ['list --limit 5', 'the five newest episodes'],
    ['list -q --status vetoed', 'the ids of vetoed runs'],
  )
    .description('list episodes, the most recently written first')
    .argument('[target...]');
  withShard(command)
    .option('--limit <n>', 'list only the newest n', wholeNumber(0))
    .option('--status <status>', 'list only episodes with this status (repeatable, or a comma list)', listed)
    .option(
      '--since <time>',
      'list only episodes started at or after this time: ISO 8601, 2 hours ago, 13:00, yesterday',
      whenOption,
    )
    .option('--until <time>', 'list only episodes started at or before this time', whenOption)
    .addOption(
      new Option(
        '--sort <by>',
        'sort by written (default, newest first), start, id, status, size or task',
      ).choices(Object.keys(ORDERS)),
    )
    .option('--wide', 'show whole ids, times and paths, however wide the terminal is')
    .option('--utc', 'show times in UTC instead of local time')
    .option('-0, --null', 'with -q: end each id with a zero byte instead of a newline')
    .addHelpText('after', MORE)
    .action(action(io, runList));
}

/** Explains an empty list, which may be due to a typing error. */
async function sayNothingFound(
  context: Context,
  all: readonly EpisodeSummary[],
  { status: wanted = [], since, until }: ListOptions,
): Promise<void> {
  if (all.length === 0) {
    await context.say('there are no episodes');
    const hint =
      context.search.flag === undefined ? undefined : await hintBelow(await findRoot(context.search));
    return hint === undefined ? undefined : context.say(escapeText(hint));
  }
  const held = [...new Set(all.map(({ status }) => status ?? 'unknown'))];
  const missing = wanted.filter((status) => !held.includes(status));
  const isTime = since !== undefined || until !== undefined;
  if (missing.length === 0 && isTime) {
    const starts = all.flatMap(({ started_at: start }) => start ?? []).sort();
    return context.say(
      escapeText(
        `no episode started at that time: the first started at ${starts[0] ?? '?'}, the last at ${starts.at(-1) ?? '?'}`,
      ),
    );
  }
  for (const status of missing) await context.say(escapeText(noStatus(status, held)));
}

/** The requested episodes in the requested order. */
function fittingOf(all: readonly EpisodeSummary[], options: ListOptions, now: number): EpisodeSummary[] {
  const { status: wanted, sort = 'written' } = options;
  const [since, until] = [instantOfOption(options.since, now), instantOfOption(options.until, now)];
  const fitting = all
    .filter(({ status }) => wanted === undefined || wanted.includes(status ?? 'unknown'))
    .filter((episode) => startedWithin(episode, since, until))
    .sort(ORDERS.written);
  return sort === 'written' ? fitting : fitting.sort(ORDERS[sort]);
}

async function runList(context: Context, targets: readonly string[], options: ListOptions): Promise<void> {
  if (options.null && !context.quiet) throw needs('--null', '-q');
  await context.believeKnown();
  await sayTimes(context, options);
  const { all, isWhole } = await listedEpisodes(context, targets, options);
  await printList(context, all, targets, options);
  if (!isWhole) throw new Failed();
}

/** Prints the requested part of a list. */
async function printList(
  context: Context,
  all: readonly EpisodeSummary[],
  targets: readonly string[],
  options: ListOptions,
): Promise<void> {
  const { io } = context;
  const fitting = fittingOf(all, options, io.now());
  const prices = await findPrices(context.search);
  const episodes = fitting
    .slice(0, options.limit)
    .map(({ tokens_by_model: used, ...episode }) => withCost(episode, prices, used));
  if (episodes.length === 0 && options.limit !== 0) await sayNothingFound(context, all, options);
  const isPart = targets.some((target) => target.includes('#'));
  const nameOf = await targetNames(all, context.search, isPart);
  if (context.json) {
    const rows = episodes.map((episode) => ({ ...episode, id: nameOf(episode).short }));
    return context.printJson(rows);
  }
  if (options.null || context.quiet) {
    const names = episodes.map((episode) => nameOf(episode).full);
    if (options.null) return context.outExactly(names.map((name) => `${name}\0`).join(''));
    return context.show(names.map((name) => `${escapeText(name)}\n`).join(''));
  }
  if (episodes.length === 0) return;
  const { renderList } = await import('../src/show/render/episode-list.ts');
  const { listSummary, showHint } = await import('../src/show/render/list-foot.ts');
  const isTimed = options.utc || !io.stdout.isTTY;
  await context.show(
    renderList(episodes, {
      style: await context.style,
      width: context.cutWidth,
      zone: options.utc ? 'utc' : 'local',
      nameOf,
      ...(!isTimed && { now: io.now() }),
      ...(options.wide && { wide: true }),
      ...(options.sort === 'start' && { showsStart: true }),
    }),
  );
  await context.say(listSummary(episodes, fitting.length));
  if (!io.stdout.isTTY) return;
  const { flag: root } = context.search;
  // The terminal wraps a long command, so it can be copied as one line.
  await context.sayWhole(
    showHint(episodes, { nameOf, width: context.width, ...(root !== undefined && { root }) }),
  );
}
