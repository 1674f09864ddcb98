import { resolve } from 'node:path';
import { TargetError } from '../errors.ts';
import { shownPath, statusOf } from '../files/paths.ts';
import { pathOf } from './find.ts';
import { episodesAtHome, hasHomes } from './homes.ts';
import { type RootSearch, requireRoot } from './root.ts';
import { episodePlaces } from './root-episodes.ts';
import type { EpisodeSummary } from './summary.ts';

/** The paths of the episodes under the root, by their ids; none where there is no root. */
async function underRoot(search: RootSearch): Promise<[name: string, path: string][]> {
  try {
    const places = await episodePlaces(await requireRoot(search));
    return places.map(({ name, dir }) => [name, dir]);
  } catch (error) {
    if (error instanceof TargetError) return [];
    throw error;
  }
}

/** The paths of the sessions that programs keep on this machine, by their ids; of two with one id the first. */
async function atHome(search: RootSearch): Promise<[name: string, path: string][]> {
  const found = search.flag === undefined ? await episodesAtHome(search) : [];
  return found.reverse().map((episode) => [episode.name, pathOf(episode)]);
}

/** What ids mean in a search: as `byId`, the place that is looked into first counts. */
async function pathsOfIds(search: RootSearch): Promise<ReadonlyMap<string, string>> {
  const [root, home] = [await underRoot(search), await atHome(search)];
  return new Map(hasHomes(search.dialect) ? [...root, ...home] : [...home, ...root]);
}

/** A name that can only be a path. */
const LOOKS_LIKE_FILE = /\.(?:jsonl|ndjson|json|log)$/;

/** A path as a target: never a word or an option. */
const asPath = (path: string): string => (/^-|^latest$/.test(path) ? `./${path}` : path);

/**
 * What names each episode of a list in every command that runs in the same folder with the same root: its id where that
 * means it there, else its path.
 */
export async function targetNames(
  episodes: readonly EpisodeSummary[],
  search: RootSearch,
): Promise<readonly string[]> {
  const paths = await pathsOfIds(search);
  return Promise.all(
    episodes.map(async ({ episode, path }) => {
      const isId = paths.get(episode) === path && !LOOKS_LIKE_FILE.test(episode);
      // A path wins over an id.
      const isFree = isId && (await statusOf(resolve(search.cwd, episode))) === undefined;
      return isFree ? episode : asPath(shownPath(path, search.cwd));
    }),
  );
}
