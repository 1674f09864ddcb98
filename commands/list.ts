import { setImmediate } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { Context, type GlobalOptions } from '../src/app/context.ts';
import {
  instantOfOption,
  listed,
  sayTimes,
  whenOption,
  wholeNumber,
} from '../src/app/events/event-options.ts';
import { Failed, needs } from '../src/app/failure.ts';
import { withExamples } from '../src/app/help/examples.ts';
import type { Io } from '../src/app/io.ts';
import { reportFailure } from '../src/app/report-failure.ts';
import { unpacked } from '../src/app/targets/packed.ts';
import { sayPassedOver } from '../src/app/targets/passed-over.ts';
import { namedError } from '../src/app/targets/target-failures.ts';
import {
  type ManyTargetsOptions,
  namesOf,
  sayTaken,
  shardOf,
  withShard,
} from '../src/app/targets/target-options.ts';
import { shardItem } from '../src/app/targets/verify-targets.ts';
import { withCost } from '../src/dialects/prices.ts';
import { findPrices } from '../src/discover/configuration.ts';
import { type Episode, pathOf, unreadable } from '../src/discover/find.ts';
import { changedAt, isReadable } from '../src/discover/homes.ts';
import { summariesUnder } from '../src/discover/list.ts';
import { hintBelow, noEpisodeBelow } from '../src/discover/no-episode.ts';
import { ORDERS, type OrderName, startedWithin } from '../src/discover/order.ts';
import { findRoot, projectOfRoot, requireRoot } from '../src/discover/root.ts';
import { type EpisodeSummary, summarizeAll } from '../src/discover/summary.ts';
import { resolveTarget } from '../src/discover/target.ts';
import { targetNames } from '../src/discover/target-names.ts';
import { withoutTarget } from '../src/discover/without-target.ts';
import { isOfTarget, UsageError } from '../src/errors.ts';
import { pushAll } from '../src/files/push-all.ts';
import { partOf } from '../src/fleet/shard.ts';
import { escapeText } from '../src/render/escape.ts';
import { insteadOf } from '../src/select/no-match.ts';

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
    .description('list episodes, the one written to last first')
    .argument('[target...]');
  withShard(command)
    .option('--limit <n>', 'list only the newest n', wholeNumber(0))
    .option('--status <status>', 'only episodes with this status (repeatable, or a comma list)', listed)
    .option(
      '--since <time>',
      'only those started at or after this time: ISO 8601, 2 hours ago, 13:00, yesterday',
      whenOption,
    )
    .option('--until <time>', 'only those started at or before this time', whenOption)
    .addOption(
      new Option(
        '--sort <by>',
        'sort by written (default, newest first), start, id, status, size or task',
      ).choices(Object.keys(ORDERS)),
    )
    .option('--wide', 'show whole ids, times and paths, however wide the terminal is')
    .option('--utc', 'show times in UTC instead of local time')
    .option('-0, --null', 'with -q: end each id with a zero byte instead of a newline')
    .action((targets: string[], _options, command: Command) =>
      runList(io, targets, command.optsWithGlobals<ListOptions>()),
    );
}

/** Selects one part of the episodes before any is read. */
type PickPart = <Item extends { readonly name: string; readonly dir: string | undefined }>(
  items: readonly Item[],
) => readonly Item[];

/** How a list reads its episodes. */
interface Reading {
  /** Makes the entries of an episode. */
  readonly summarise: (episode: Episode) => Promise<readonly EpisodeSummary[]>;
  readonly onUnreadable: (episode: Episode) => void;
}

/** The episodes under the root; without a root the streams of the folder, or the sessions on this machine. */
async function withoutTargets(
  context: Context,
  part: PickPart,
  { summarise, onUnreadable }: Reading,
): Promise<EpisodeSummary[]> {
  const taken = await withoutTarget(context.search, async (root) => {
    const project = projectOfRoot(root);
    let places = 0;
    const partOfPlaces: PickPart = (items) => {
      places = items.length;
      return part(items);
    };
    const passedOver: string[] = [];
    const found = await summariesUnder(root, {
      part: partOfPlaces,
      summariesOf: summarise,
      onPassedOver: (paths) => pushAll(passedOver, paths),
      onUnreadable,
    });
    await sayPassedOver(context, passedOver);
    return places === 0
      ? undefined
      : found.map((one) => ({ ...(project !== undefined && { project }), ...one }));
  });
  if (taken.from === 'root') return [...taken.found];
  const readable = taken.episodes.filter(isReadable);
  if (readable.length > 0) await sayTaken(context, { from: taken.from, episodes: readable });
  const files = taken.passedOver.flatMap((one) => one.files);
  await sayPassedOver(context, files, taken.episodes);
  taken.episodes.filter(({ unlisted }) => unlisted !== undefined).forEach(onUnreadable);
  if (readable.length === 0 && taken.episodes.length > 0) await requireRoot(context.search);
  const episodes = part(readable);
  return summariesOfEach(context, episodes, async (episode) => {
    const written_at = new Date(changedAt(episode)).toISOString();
    return (await summarise(episode)).map((one) => ({ ...one, written_at }));
  });
}

/** Yields list entries one by one: sessions are read completely, and there may be many. */
async function summariesOfEach(
  context: Context,
  episodes: readonly Episode[],
  summariesOf: (episode: Episode) => Promise<readonly EpisodeSummary[]>,
): Promise<EpisodeSummary[]> {
  const { startProgress } = await import('../src/app/terminal/progress.ts');
  const progress = startProgress(context, { doing: 'reading', unit: 'episodes', total: episodes.length });
  const found: EpisodeSummary[] = [];
  try {
    for (const [index, episode] of episodes.entries()) {
      pushAll(found, await summariesOf(episode));
      progress.update(index + 1);
      // Lets signals and the spinner run.
      await setImmediate();
    }
  } finally {
    progress.stop();
  }
  return found;
}

/** The episodes of a target that can be read. */
async function episodesOf(
  context: Context,
  text: string,
  { onUnreadable }: Reading,
): Promise<readonly Episode[]> {
  const target = await resolveTarget(text, context.search);
  if (target.kind === 'stdin')
    throw new UsageError('usage', 'list cannot read standard input', { hint: 'name a folder' });
  const episodes = target.kind === 'folder' ? target.episodes : [target.episode];
  const { files = [] } = target.passedOver ?? {};
  if (episodes.length === 0 && target.kind === 'folder')
    throw await noEpisodeBelow(target.dir, files, (path) => context.shortPath(path));
  await sayPassedOver(context, files, episodes);
  episodes.filter(({ unlisted }) => unlisted !== undefined).forEach(onUnreadable);
  return episodes.filter(isReadable);
}

async function summaries(
  context: Context,
  named: readonly string[],
  options: ManyTargetsOptions,
  reading: Reading,
): Promise<EpisodeSummary[]> {
  const shard = shardOf(context, options);
  const part: PickPart = (items) =>
    shard === undefined
      ? items
      : partOf(
          items.map((item) => shardItem({ log: undefined, ...item })),
          shard,
        ).positions.flatMap((at) => items[at] ?? []);
  // Here -0 concerns the output. Input with zero bytes is recognised.
  const targets = await namesOf(context, named, { ...options, null: false });
  if (targets.length === 0) return withoutTargets(context, part, reading);
  const episodes: Episode[] = [];
  for (const text of targets) pushAll(episodes, await episodesOf(context, text, reading));
  return summariesOfEach(context, part(episodes), reading.summarise);
}

/** The list entries of a target, which may have to be unpacked. */
async function summariesOf(context: Context, episode: Episode): Promise<EpisodeSummary[]> {
  const what = await unpacked(context, episode);
  if (what === undefined) {
    const { name, dir, log, run, parts } = episode;
    return summarizeAll(name, dir, log, run, parts);
  }
  try {
    const found: EpisodeSummary[] = [];
    for (const { name, dir, log } of what.episodes)
      for (const one of await summarizeAll(name, dir, log))
        found.push({ ...one, path: what.shown(one.path) });
    return found;
  } finally {
    what.dispose();
  }
}

/** An empty list may be due to a typing error. */
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
  for (const status of missing)
    await context.say(escapeText(`no episode has the status ${status}${insteadOf(status, held)}`));
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

async function runList(io: Io, targets: readonly string[], options: ListOptions): Promise<void> {
  const context = new Context(io, options);
  if (options.null && !context.quiet) throw needs('--null', '-q');
  await sayTimes(context, options);
  const errors: unknown[] = [];
  const sayErrors = async () => {
    for (const error of errors) await reportFailure(io, error, options);
  };
  const reading: Reading = {
    async summarise(episode) {
      try {
        return await summariesOf(context, episode);
      } catch (error) {
        if (!isOfTarget(error)) throw error;
        errors.push(namedError(error, context.shortPath(episode.log ?? pathOf(episode))));
        return [];
      }
    },
    onUnreadable: (episode) => errors.push(unreadable(episode, context.shortPath(pathOf(episode)))),
  };
  const all = await summaries(context, targets, options, reading).catch(async (error) => {
    await sayErrors();
    throw error;
  });
  if (all.length === 0 && errors.length === 1) throw errors[0];
  await sayErrors();
  await printList(context, all, targets, options);
  if (errors.length > 0) throw new Failed();
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
    return context.out(`${JSON.stringify(rows, null, 2)}\n`);
  }
  if (options.null || context.quiet) {
    const names = episodes.map((episode) => nameOf(episode).full);
    if (options.null) return context.out(names.map((name) => `${name}\0`).join(''));
    return context.show(names.map((name) => `${escapeText(name)}\n`).join(''));
  }
  if (episodes.length === 0) return;
  const { listSummary, renderList, showHint } = await import('../src/render/episode-list.ts');
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
