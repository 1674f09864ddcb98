import { basename, relative } from 'node:path';
import { isOfTarget, TargetError, UsageError } from '../../base/errors.ts';
import { sizeOf } from '../../base/files/paths.ts';
import { documentAt } from '../../find/document-source.ts';
import type { Episode } from '../../find/episode.ts';
import { homesOf, isReadable } from '../../find/homes.ts';
import type { Mount } from '../../find/mount.ts';
import { hintBelow, noEpisodeBelow } from '../../find/no-episode.ts';
import { episodesOf } from '../../find/root-episodes.ts';
import { logsOfStreams } from '../../find/streams.ts';
import { resolveTarget } from '../../find/target.ts';
import { orNothing, withoutTarget } from '../../find/without-target.ts';
import type { PassedOver, VerifyTarget } from '../../findings/options.ts';
import type { ReportShard } from '../../findings/report.ts';
import { partOf, type ShardItem, shardKey } from '../../verify/fleet/shard.ts';
import type { Context } from '../context.ts';
import { dialectToRead } from './open-log.ts';
import { mounted, mountedInput, type OpenTargets, tarTarget } from './packed.ts';
import { sayPassedOver } from './passed-over.ts';
import { type ManyTargetsOptions, namesOf, sayTaken, shardOf } from './target-options.ts';

/** The targets of a verification. Disposing them removes the copy of standard input. */
export interface Targets extends OpenTargets, AsyncDisposable {
  /** What the user named, also in a list. */
  readonly names: readonly string[];
  /** Why some of several named targets were not found, or are no logs; the others are still targets. */
  readonly missing?: readonly TargetError[];
  /** For a shard: its position among all, and those of its targets. */
  readonly part?: { readonly shard: ReportShard; readonly positions: readonly number[] } | undefined;
}

/** A target for files that may be logs and were not read, if there are any. */
const passedOverIn = (passedOver: PassedOver | undefined): VerifyTarget[] =>
  passedOver === undefined || passedOver.files.length === 0
    ? []
    : [{ name: basename(passedOver.folder), dir: undefined, log: undefined, passedOver }];

/** The episodes used without a target. Says so, unless they are under a root. */
async function allWithoutTarget(context: Context): Promise<readonly VerifyTarget[]> {
  const { searchWithoutTarget: search } = context;
  let passedOver: readonly string[] = [];
  const taken = await withoutTarget(search, async (root) => {
    const below = await episodesOf(root, context.dialect);
    passedOver = below.passedOver;
    // A root with files that were not read is still used, instead of other places.
    return passedOver.length > 0 ? below.episodes : orNothing(below.episodes);
  });
  if (taken.from === 'root') {
    const { root, found } = taken;
    if (found.length > 0) return [...found, ...passedOverIn({ folder: root.dir, files: passedOver })];
    throw new TargetError('target-missing', `no run under ${root.dir}, so nothing was checked`, {
      place: { file: root.dir },
      hint: (await hintBelow(root)) ?? 'give a folder, or the root with --root DIR',
    });
  }
  if (taken.episodes.length === 0)
    throw new TargetError('target-missing', `no log of ${context.dialect} in ${homesOf(search).join(', ')}`, {
      hint: 'name a folder',
    });
  const readable = taken.episodes.filter(isReadable);
  await sayTaken(context, { from: taken.from, episodes: readable });
  return [...taken.episodes, ...taken.passedOver.flatMap(passedOverIn)];
}

/**
 * The runs that a target names in an archive, a compressed log or a document, each by its whole id. Throws `target-missing`
 * and `usage`, as for a plain log. A damaged target stays as it is: the command that opens it again reports the damage.
 */
async function runsNamed(context: Context, episode: Episode): Promise<readonly VerifyTarget[]> {
  let mount: Mount | undefined;
  try {
    mount = await mounted(context, episode, true);
  } catch (error) {
    if (!isOfTarget(error) || error instanceof TargetError) throw error;
  }
  if (mount === undefined) return [episode];
  const { shown, episodes } = mount;
  const { log: archive = '', packed } = episode;
  try {
    const found = episodes.flatMap(({ name, log = '', run }): VerifyTarget[] => {
      if (run === undefined) return [];
      if (packed === undefined || packed.kind === 'file') return [{ ...episode, name, run }];
      const inside = `${relative(archive, shown(log))}#${run}`;
      return [{ name, dir: undefined, log: archive, packed, inside }];
    });
    return found.length === 0 ? [episode] : found;
  } finally {
    mount.dispose();
  }
}

/** The episodes of a path or id. */
async function episodesNamed(context: Context, name: string): Promise<readonly VerifyTarget[] | 'stdin'> {
  // Skipping an episode that may be the newest would let a gate pass, so it is an error.
  const target = await resolveTarget(name, { ...context.search, onUnreadable: undefined });
  if (target.kind === 'stdin') return 'stdin';
  if (target.kind === 'folder') {
    if (target.episodes.length > 0) return [...target.episodes, ...passedOverIn(target.passedOver)];
    const { files } = target.passedOver;
    throw await noEpisodeBelow(target.dir, files, (path) => context.shortPath(path));
  }
  const { dir, log, run, owner, unlisted, link, packed, inside } = target.episode;
  if (run !== undefined || inside !== undefined) return runsNamed(context, target.episode);
  if (packed !== undefined) return [target.episode];
  if (log === undefined && owner === undefined && unlisted === undefined && !link) {
    throw new TargetError('log-missing', `${dir} has no event log`, { place: { file: dir ?? '' } });
  }
  if (log !== undefined && dir === undefined && (await documentAt(log)) === undefined)
    await dialectToRead(context, log);
  return [target.episode, ...passedOverIn(target.passedOver)];
}

/** All named targets; by default everything under the root. */
async function allTargets(
  context: Context,
  names: readonly string[],
  tar: string | undefined,
  keepsFound: boolean,
): Promise<Omit<Targets, 'names'>> {
  if (names.length === 0 && tar === undefined)
    return { targets: await allWithoutTarget(context), [Symbol.asyncDispose]: async () => {} };
  const targets: VerifyTarget[] = tar === undefined ? [] : [tarTarget(context, tar)];
  let input: Mount | undefined;
  const missing: TargetError[] = [];
  for (const name of new Set(names)) {
    const episodes = await episodesNamed(context, name).catch((error: unknown) => {
      const isMissing = error instanceof TargetError && /^(?:target|root|log)-missing$/.test(error.code);
      if (!keepsFound || !isMissing) throw error;
      missing.push(error);
      return [];
    });
    if (episodes === 'stdin') {
      input = await mountedInput(context);
      for (const episode of input.episodes) targets.push(episode);
    } else for (const episode of episodes) targets.push(episode);
  }
  const [first] = missing;
  if (first !== undefined && targets.length === 0) throw first;
  return {
    targets,
    missing,
    input,
    [Symbol.asyncDispose]: async () => input?.dispose(),
  };
}

/** The logs of certain streams. Throws `target-missing` if there are none. */
function ofStreams(targets: readonly VerifyTarget[], streams: readonly string[]): readonly VerifyTarget[] {
  const names = logsOfStreams(streams);
  const found = targets.filter(({ log }) => log !== undefined && names.includes(basename(log)));
  if (found.length > 0) return found;
  throw new TargetError(
    'target-missing',
    `none of the targets is the log of a stream ${streams.join(', ')}`,
    {
      hint: 'run noesis list to see the runs',
    },
  );
}

/** The properties by which shards are assigned, known without reading. */
export const shardItem = ({ name, dir, log }: VerifyTarget): ShardItem => ({
  key: shardKey(name, dir, log),
  bytes: log === undefined ? 0 : sizeOf(log),
});

/**
 * The targets from the command line and list, or under the root, reduced to the requested shard.
 * `withPassedOver`: adds a target for the files of each folder that may belong to episodes and are not
 * verified; otherwise they are named on standard error. `keepsFound`: a target that is missing does not keep the others
 * from being taken.
 */
export async function targetsOf(
  context: Context,
  named: readonly string[],
  options: ManyTargetsOptions & {
    readonly tar?: string;
    readonly withPassedOver?: boolean;
    readonly keepsFound?: boolean;
  } = {},
): Promise<Targets> {
  const { tar } = options;
  if (tar === '-' && (named.includes('-') || options.targets === '-'))
    throw new UsageError('usage', 'standard input is the tar, and cannot be another target as well');
  const shard = shardOf(context, options);
  const { streams } = context.search;
  const names = await namesOf(context, named, options);
  const found = await allTargets(
    context,
    names.length > 0 ? names : (streams ?? []),
    tar,
    options.keepsFound ?? false,
  );
  const all = streams === undefined ? found.targets : ofStreams(found.targets, streams);
  const targets = options.withPassedOver ? all : all.filter(({ passedOver }) => passedOver === undefined);
  if (!options.withPassedOver)
    await sayPassedOver(
      context,
      all.flatMap(({ passedOver }) => passedOver?.files ?? []),
      all,
    );
  if (shard === undefined) return { ...found, names, targets };
  const { positions, plan } = partOf(targets.map(shardItem), shard);
  const mine = positions.flatMap((at) => targets[at] ?? []);
  return {
    ...found,
    names,
    targets: mine,
    part: { shard: { ...shard, targets: targets.length, plan }, positions },
  };
}
