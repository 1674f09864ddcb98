import { isOfTarget, UsageError } from '../../base/errors.ts';
import { pushAll } from '../../base/files/push-all.ts';
import { defined } from '../../base/json/defined.ts';
import { Yielder } from '../../base/time/yielder.ts';
import { GENERIC_NAME } from '../../dialects/registry.ts';
import { type Episode, logOf, pathOf, unreadable } from '../../find/episode.ts';
import { isReadable } from '../../find/homes.ts';
import { activeAt, changedAt } from '../../find/last-activity.ts';
import { summariesUnder } from '../../find/list.ts';
import { noEpisodeBelow } from '../../find/no-episode.ts';
import { requireLog } from '../../find/require-log.ts';
import { projectOfRoot, requireRoot } from '../../find/root.ts';
import { type EpisodeSummary, summarizeAll } from '../../find/summary.ts';
import { resolveTarget } from '../../find/target.ts';
import { withoutTarget } from '../../find/without-target.ts';
import { partOf } from '../../verify/fleet/shard.ts';
import type { Context } from '../context.ts';
import { reportFailure } from '../report-failure.ts';
import { shardItem } from './find-targets.ts';
import { knownRows } from './known-rows.ts';
import { mounted } from './packed.ts';
import { sayPassedOver } from './passed-over.ts';
import { namedError } from './target-failures.ts';
import { type ManyTargetsOptions, namesOf, sayTaken, shardOf } from './target-options.ts';

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

/** The episodes under the root; without a root, the streams in the folder or the sessions on this machine. */
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
  await sayTaken(context, { from: taken.from, episodes: readable });
  const files = taken.passedOver.flatMap((one) => one.files);
  await sayPassedOver(context, files, taken.episodes);
  taken.episodes.filter(({ unlisted }) => unlisted !== undefined).forEach(onUnreadable);
  if (readable.length === 0 && taken.episodes.length > 0) await requireRoot(context.search);
  const episodes = part(readable);
  return summariesOfEach(context, episodes, async (episode) => {
    const file = new Date(changedAt(episode, context.search.known)).toISOString();
    const isStored = episode.changed !== undefined;
    return (await summarise(episode)).map((one) => ({
      ...one,
      written_at: isStored ? file : (one.written_at ?? file),
    }));
  });
}

/** Yields list entries one by one: sessions are read completely, and there may be many. */
async function summariesOfEach(
  context: Context,
  episodes: readonly Episode[],
  summariesOf: (episode: Episode) => Promise<readonly EpisodeSummary[]>,
): Promise<EpisodeSummary[]> {
  const { startProgress } = await import('../terminal/progress.ts');
  const progress = startProgress(context, { doing: 'reading', unit: 'runs', total: episodes.length });
  // Signals and the spinner.
  const others = new Yielder();
  const found: EpisodeSummary[] = [];
  try {
    for (const [index, episode] of episodes.entries()) {
      pushAll(found, await summariesOf(episode));
      progress.update(index + 1);
      if (others.isDue) await others.yield();
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
  // Here `-0` means the output. Input with zero bytes is detected.
  const targets = await namesOf(context, named, { ...options, null: false });
  if (targets.length === 0) return withoutTargets(context, part, reading);
  const episodes: Episode[] = [];
  for (const text of targets) pushAll(episodes, await episodesOf(context, text, reading));
  return summariesOfEach(context, part(episodes), reading.summarise);
}

/** The list entries of a target: those of an earlier run if its log is plain and has not changed. */
export async function summariesOf(context: Context, episode: Episode): Promise<readonly EpisodeSummary[]> {
  const { name, dir, log, run, packed, inside, parts, changed } = episode;
  const isPlain = [dir, run, packed, inside, changed].every((one) => one === undefined);
  const plain = isPlain && log !== undefined ? { name, log, ...defined({ parts }) } : undefined;
  return knownRows(context, plain, async () => {
    const { found, isConverted } = await readSummaries(context, episode);
    // The log is remembered now, so that the next `latest` need not read its end.
    if (plain !== undefined && context.known !== undefined)
      await activeAt(plain, context.search, isConverted ? found : undefined);
    return found;
  });
}

/** The name and path of a run in a store, which is one run whatever its dialect. */
const nameInStore = ({ name, log, changed }: Episode) =>
  changed === undefined || log === undefined ? {} : { episode: name, path: log };

/** The list entries of a target, and whether it had to be unpacked or converted for them. */
async function readSummaries(
  context: Context,
  episode: Episode,
): Promise<{ readonly found: readonly EpisodeSummary[]; readonly isConverted: boolean }> {
  const what = await mounted(context, episode, true);
  const named = defined({ dialect: context.dialect });
  if (what === undefined) {
    const { dir } = episode;
    const log = episode.log === undefined ? undefined : logOf(episode);
    const found = await summarizeAll({ ...episode, log, ...named });
    if (dir === undefined && log !== undefined && context.dialect === undefined)
      await requireLog(log, context.shortPath(log), !found.some(({ dialect }) => dialect === GENERIC_NAME));
    return { found, isConverted: false };
  }
  try {
    const found: EpisodeSummary[] = [];
    for (const unpackedEpisode of what.episodes)
      for (const one of await summarizeAll({ ...unpackedEpisode, ...named }))
        found.push({ ...one, path: what.shown(one.path), ...nameInStore(episode) });
    return { found, isConverted: true };
  } finally {
    what.dispose();
  }
}

/** The list entries of the targets. Reports episodes that cannot be read, and whether there were any. */
export async function listedEpisodes(
  context: Context,
  targets: readonly string[],
  options: ManyTargetsOptions,
): Promise<{ readonly all: readonly EpisodeSummary[]; readonly isWhole: boolean }> {
  const errors: unknown[] = [];
  const sayErrors = async () => {
    for (const error of errors) await reportFailure(context.io, error, context.options);
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
  return { all, isWhole: errors.length === 0 };
}
