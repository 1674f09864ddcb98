import { setImmediate } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { Episode } from '../src/discover/find.ts';
import { episodesAtHome, hasHomes } from '../src/discover/homes.ts';
import { byStart, summariesUnder } from '../src/discover/list.ts';
import { noEpisodeBelow } from '../src/discover/no-episode.ts';
import { ORDERS, type OrderName, startedWithin } from '../src/discover/order.ts';
import { requireRoot } from '../src/discover/root.ts';
import { type EpisodeSummary, summarizeAll } from '../src/discover/summary.ts';
import { resolveTarget } from '../src/discover/target.ts';
import { targetNames } from '../src/discover/target-names.ts';
import { TargetError, UsageError } from '../src/errors.ts';
import { partOf } from '../src/fleet/shard.ts';
import { escapeText } from '../src/render/escape.ts';
import { insteadOf } from '../src/select/no-match.ts';
import { shortestPrefixes } from '../src/text/shortest-prefix.ts';
import { Context, type GlobalOptions } from './context.ts';
import { instantOfOption, listed, sayTimes, whenOption, wholeNumber } from './event-options.ts';
import { withExamples } from './examples.ts';
import { needs } from './failure.ts';
import type { Io } from './io.ts';
import { unpacked } from './packed.ts';
import { sayPassedOver } from './passed-over.ts';
import { type ManyTargetsOptions, namesOf, shardOf, withShard } from './target-options.ts';
import { shardItem } from './verify-targets.ts';

interface ListOptions extends GlobalOptions, ManyTargetsOptions {
  readonly limit?: number;
  readonly status?: string[];
  readonly utc?: boolean;
  readonly since?: string;
  readonly until?: string;
  readonly sort?: OrderName;
}

export function addList(program: Command, io: Io): void {
  const command = withExamples(
    program.command('list'),
    ['list --limit 5', 'the five newest episodes'],
    ['list -q --status vetoed', 'the ids of vetoed runs'],
  )
    .description('list episodes, newest first')
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
      new Option('--sort <by>', 'sort by start (default, newest first), id, status, size or task').choices(
        Object.keys(ORDERS),
      ),
    )
    .option('--utc', 'show times in UTC instead of local time')
    .option('-0, --null', 'with -q: end each id with a zero byte instead of a newline')
    .action((targets: string[], _options, command: Command) =>
      runList(io, targets, command.optsWithGlobals<ListOptions>()),
    );
}

/** Picks those of a part, before anything of them is read. */
type PickPart = <Item extends { readonly name: string; readonly dir: string | undefined }>(
  items: readonly Item[],
) => readonly Item[];

/** What lies under the root; without one, the sessions that programs keep on this machine. */
async function withoutTarget(context: Context, part: PickPart): Promise<EpisodeSummary[]> {
  const { search } = context;
  if (hasHomes(context.dialect) && search.flag === undefined) return sessionsAtHome(context, part);
  try {
    const passedOver: string[] = [];
    const listed = await summariesUnder(
      await requireRoot(search),
      part,
      (episode) => summariesOf(context, episode),
      (paths) => passedOver.push(...paths),
    );
    await sayPassedOver(context, passedOver);
    return listed;
  } catch (error) {
    const isMissing = error instanceof TargetError && error.code === 'root-missing';
    const found =
      isMissing && search.flag === undefined && !search.runsDir ? await sessionsAtHome(context, part) : [];
    if (found.length === 0) throw error;
    await context.say(
      'no .noesis folder here or above it; listing the sessions of coding agents on this machine',
    );
    return found;
  }
}

async function sessionsAtHome(context: Context, part: PickPart): Promise<EpisodeSummary[]> {
  const episodes = part(await episodesAtHome(context.search));
  return summariesOfEach(context, episodes, (episode) => summariesOf(context, episode));
}

/** The lines of episodes, one after the other: sessions are read to their end, and a home may be full of them. */
async function summariesOfEach(
  context: Context,
  episodes: readonly Episode[],
  summariesOf: (episode: Episode) => Promise<readonly EpisodeSummary[]>,
): Promise<EpisodeSummary[]> {
  const { startProgress } = await import('./progress.ts');
  const progress = startProgress(context, { doing: 'reading', unit: 'episodes', total: episodes.length });
  const found: EpisodeSummary[] = [];
  try {
    for (const [index, episode] of episodes.entries()) {
      found.push(...(await summariesOf(episode)));
      progress.update(index + 1);
      // A signal and the spinner get their turn.
      await setImmediate();
    }
  } finally {
    progress.stop();
  }
  return found;
}

/** The episodes that a target names; a link is none. */
async function episodesOf(context: Context, text: string): Promise<readonly Episode[]> {
  const target = await resolveTarget(text, context.search);
  if (target.kind === 'stdin')
    throw new UsageError('usage', 'list cannot read standard input', { hint: 'name a folder' });
  const episodes = target.kind === 'folder' ? target.episodes : [target.episode];
  const { files = [] } = target.passedOver ?? {};
  if (episodes.length === 0 && target.kind === 'folder')
    throw await noEpisodeBelow(target.dir, files, (path) => context.shortPath(path));
  const links = episodes.flatMap(({ link, dir }) => (link && dir !== undefined ? dir : []));
  await sayPassedOver(context, files, links);
  return episodes.filter(({ link }) => !link);
}

async function summaries(
  context: Context,
  named: readonly string[],
  options: ManyTargetsOptions,
): Promise<EpisodeSummary[]> {
  const shard = shardOf(context, options);
  const part: PickPart = (items) =>
    shard === undefined
      ? items
      : partOf(
          items.map((item) => shardItem({ log: undefined, ...item })),
          shard,
        ).positions.flatMap((at) => items[at] ?? []);
  // Here -0 is of what is printed; a list with zero bytes in it is told by them.
  const targets = await namesOf(context, named, { ...options, null: false });
  if (targets.length === 0) return withoutTarget(context, part);
  const episodes: Episode[] = [];
  for (const text of targets) for (const episode of await episodesOf(context, text)) episodes.push(episode);
  return summariesOfEach(context, part(episodes), (episode) => summariesOf(context, episode));
}

/** The lines of what a target is, unpacked first where it is packed. */
async function summariesOf(context: Context, episode: Episode): Promise<EpisodeSummary[]> {
  const what = await unpacked(context, episode);
  if (what === undefined) return summarizeAll(episode.name, episode.dir, episode.log, episode.run);
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

/** An empty list may be a slip of the hand. */
async function sayNothingFound(
  context: Context,
  all: readonly EpisodeSummary[],
  { status: wanted = [], since, until }: ListOptions,
): Promise<void> {
  if (all.length === 0) return context.say('there are no episodes');
  const held = [...new Set(all.map(({ status }) => status ?? 'unknown'))];
  const missing = wanted.filter((status) => !held.includes(status));
  const isTime = since !== undefined || until !== undefined;
  if (missing.length === 0 && isTime) {
    const starts = all.flatMap(({ started_at: start }) => start ?? []).sort();
    return context.say(
      escapeText(
        `no episode started at that time: they did from ${starts[0] ?? '?'} to ${starts.at(-1) ?? '?'}`,
      ),
    );
  }
  for (const status of missing)
    await context.say(escapeText(`no episode of status ${status}${insteadOf(status, held)}`));
}

/** The episodes that were asked for, in the order that was asked for. */
function fittingOf(all: readonly EpisodeSummary[], options: ListOptions, now: number): EpisodeSummary[] {
  const { status: wanted, sort = 'start' } = options;
  const [since, until] = [instantOfOption(options.since, now), instantOfOption(options.until, now)];
  return all
    .filter(({ status }) => wanted === undefined || wanted.includes(status ?? 'unknown'))
    .filter((episode) => startedWithin(episode, since, until))
    .sort(byStart)
    .sort(ORDERS[sort]);
}

async function runList(io: Io, targets: readonly string[], options: ListOptions): Promise<void> {
  const context = new Context(io, options);
  if (options.null && !context.quiet) throw needs('--null', '-q');
  await sayTimes(context, options);
  const all = await summaries(context, targets, options);
  const fitting = fittingOf(all, options, io.now());
  const episodes = fitting.slice(0, options.limit);
  if (episodes.length === 0 && options.limit !== 0) await sayNothingFound(context, all, options);
  if (context.json) return context.out(`${JSON.stringify(episodes, null, 2)}\n`);
  if (options.null || context.quiet) {
    const names = await targetNames(episodes, context.search);
    if (options.null) return context.out(names.map((name) => `${name}\0`).join(''));
    return context.show(names.map((name) => `${escapeText(name)}\n`).join(''));
  }
  if (episodes.length === 0) return;
  const { listSummary, renderList, showHint } = await import('../src/render/episode-list.ts');
  const layout = { style: await context.style, width: context.cutWidth };
  const prefixes = shortestPrefixes(all.map(({ episode }) => episode));
  await context.show(
    renderList(episodes, {
      ...layout,
      zone: options.utc ? 'utc' : 'local',
      shortPath: (path) => context.shortPath(path),
      prefixes,
      ...(io.stdout.isTTY && { now: io.now() }),
    }),
  );
  await context.say(listSummary(episodes, fitting.length));
  if (!io.stdout.isTTY) return;
  const { flag: root } = context.search;
  const shortPath = (path: string) => context.shortPath(path);
  const byName = targets.length === 0 && { prefixes, ...(root !== undefined && { root }) };
  // A terminal breaks a long command so that it is copied whole.
  await context.sayWhole(showHint(episodes, { shortPath, width: context.width, ...byName }));
}
