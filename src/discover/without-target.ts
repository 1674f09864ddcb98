import { basename, resolve } from 'node:path';
import { TargetError } from '../errors.ts';
import type { Episode } from './find.ts';
import { episodesAtHome, hasHomes } from './homes.ts';
import { findRoot, type Root, type RootSearch, requireRoot } from './root.ts';
import { streamsBeginning } from './streams.ts';

/** What a command takes that was given no target. */
export type Untargeted<Found> =
  | { readonly from: 'root'; readonly root: Root; readonly found: readonly Found[] }
  /** The streams of the folder, or the sessions that programs keep on this machine. */
  | { readonly from: 'folder' | 'home'; readonly episodes: readonly Episode[] };

/**
 * Where the nearest root is; undefined where nobody named one and none is near. Throws `root-missing` for one that was
 * named and is not there: then nothing else is meant.
 */
async function nearestRoot(search: RootSearch): Promise<Root | TargetError> {
  try {
    await findRoot(search);
  } catch (error) {
    if (error instanceof TargetError && error.code === 'root-missing') return error;
    throw error;
  }
  return requireRoot(search);
}

/** Items, or undefined where there are none. */
export const orNothing = <Item>(items: readonly Item[]): readonly Item[] | undefined =>
  items.length === 0 ? undefined : items;

/** The streams in the folder one works in, or in that of `--root`. */
export const streamsHere = ({ cwd, flag }: RootSearch): Episode[] =>
  streamsBeginning(resolve(cwd, flag ?? '.'), '').map(({ log }) => ({
    name: basename(log),
    dir: undefined,
    log,
  }));

/**
 * What every command means without a target: the episodes of the root; without any, the streams in the folder; without
 * a root and streams, the sessions of the machine, and those alone where the dialect is one of sessions. `underRoot`
 * finds what is under a root; undefined where nothing is. Throws `root-missing` where there is nothing of all that.
 */
export async function withoutTarget<Found>(
  search: RootSearch,
  underRoot: (root: Root) => Promise<readonly Found[] | undefined>,
): Promise<Untargeted<Found>> {
  if (hasHomes(search.dialect) && search.flag === undefined)
    return { from: 'home', episodes: await episodesAtHome(search) };
  const root = await nearestRoot(search);
  const isMissing = root instanceof TargetError;
  const found = isMissing ? undefined : await underRoot(root);
  if (found === undefined) {
    const streams = streamsHere(search);
    if (streams.length > 0) return { from: 'folder', episodes: streams };
  }
  if (!isMissing) return { from: 'root', root, found: found ?? [] };
  const sessions = await episodesAtHome(search);
  if (sessions.length > 0) return { from: 'home', episodes: sessions };
  throw root;
}
