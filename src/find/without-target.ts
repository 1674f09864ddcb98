import { basename, resolve } from 'node:path';
import { TargetError } from '../base/errors.ts';
import type { PassedOver } from '../findings/options.ts';
import { type Episode, linked } from './episode.ts';
import { unnameable } from './folder-contents.ts';
import { hasHomes, homesByDialect, searchHomes } from './homes.ts';
import { findRoot, isRootMissing, noteRoot, type Root, type RootSearch, requireRoot } from './root.ts';
import { streamsIn } from './streams.ts';

/** The targets of a command without a target. */
type Untargeted<Found> =
  | { readonly from: 'root'; readonly root: Root; readonly found: readonly Found[] }
  /** The streams of the folder, or the sessions on this machine. */
  | {
      readonly from: 'folder' | 'home';
      readonly episodes: readonly Episode[];
      readonly passedOver: readonly PassedOver[];
    };

/**
 * The nearest root, or the error if none was named or found. Throws `root-missing` if a named root does not
 * exist.
 */
async function nearestRoot(search: RootSearch): Promise<Root | TargetError> {
  try {
    await findRoot(search);
  } catch (error) {
    if (isRootMissing(error)) return error;
    throw error;
  }
  return requireRoot(search);
}

/** The error if there are no runs at all, with every folder that was searched. `missing`: why there is no root. */
export function nothingFound(search: RootSearch, missing: TargetError): TargetError {
  const homes = search.flag === undefined ? homesByDialect(search) : [];
  if (homes.length === 0) return missing;
  const { message, place, hint, searched, named } = missing;
  return new TargetError('root-missing', `${message}, and no sessions of coding agents`, {
    place,
    hint,
    searched: [...searched, ...homes],
    named,
    cause: missing,
  });
}

/** The error if there are no runs at all, for a command that reads sessions only. */
export async function nothingAtHome(search: RootSearch): Promise<TargetError> {
  const root = await nearestRoot(search);
  return root instanceof TargetError
    ? nothingFound(search, root)
    : new TargetError('root-missing', 'no sessions of coding agents', {
        hint: 'give the path of a log',
        searched: homesByDialect(search),
      });
}

/** The items, or undefined if there are none. */
export const orNothing = <Item>(items: readonly Item[]): readonly Item[] | undefined =>
  items.length === 0 ? undefined : items;

/** The streams in the current folder, or in `--root`. */
function streamsHere({ cwd, flag }: RootSearch): Episode[] {
  const folder = resolve(cwd, flag ?? '.');
  const { streams, links, unnameable: unnamed } = streamsIn(folder, '');
  return [
    ...streams.map(({ log }) => ({ name: basename(log), dir: undefined, log })),
    ...links.map((link) => linked(link)),
    ...unnamed.map((entry) => unnameable(folder, entry)),
  ];
}

/**
 * The default targets of every command: the episodes of the root; else the streams in the folder; else
 * the sessions on this machine. A dialect of sessions only means sessions. `underRoot` returns what is under
 * a root, or undefined. Throws `root-missing` if nothing is found.
 */
export async function withoutTarget<Found>(
  search: RootSearch,
  underRoot: (root: Root) => Promise<readonly Found[] | undefined>,
): Promise<Untargeted<Found>> {
  if (hasHomes(search.dialect) && search.flag === undefined) {
    const sessions = await searchHomes(search);
    const root = sessions.episodes.length === 0 ? await nearestRoot(search) : undefined;
    if (root instanceof TargetError) throw nothingFound(search, root);
    return { from: 'home', ...sessions };
  }
  const root = await nearestRoot(search);
  const isMissing = root instanceof TargetError;
  const found = isMissing ? undefined : await underRoot(root);
  if (found === undefined) {
    const streams = streamsHere(search);
    if (streams.length > 0) return { from: 'folder', episodes: streams, passedOver: [] };
  }
  if (!isMissing) {
    noteRoot(search, root);
    return { from: 'root', root, found: found ?? [] };
  }
  const sessions = await searchHomes(search);
  if (sessions.episodes.length > 0) return { from: 'home', ...sessions };
  throw nothingFound(search, root);
}
