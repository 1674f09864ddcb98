import { statSync } from 'node:fs';
import type { DialectName } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { isDirectory } from '../files/paths.ts';
import { byText } from '../text/order.ts';
import { type Episode, findEpisodes } from './find.ts';
import type { RootSearch } from './root.ts';

/** Where a search for logs that programs keep on the machine starts from. */
export type HomeSearch = Pick<RootSearch, 'home' | 'env' | 'dialect'>;

/** The folders in which dialects keep their logs on this machine, wherever one works; of one dialect where it is named. */
export function homesOf({ home, env = {}, dialect }: HomeSearch): string[] {
  const wanted = DIALECTS.filter(({ name }) => dialect === undefined || name === dialect);
  return [...new Set(wanted.flatMap((one) => one.homes?.({ env, home }) ?? []))];
}

/** The logs that lie there. */
export async function episodesAtHome(search: HomeSearch): Promise<Episode[]> {
  const found: Episode[] = [];
  for (const folder of homesOf(search)) {
    if (!(await isDirectory(folder))) continue;
    // A folder that cannot be listed is named by its own finding elsewhere; the others are found all the same.
    found.push(
      ...(await findEpisodes(folder)).filter(({ unlisted, link }) => unlisted === undefined && !link),
    );
  }
  return found;
}

/** Whether a dialect that is insisted on keeps its logs in places of its own: then no root is asked for. */
export function hasHomes(dialect: DialectName | undefined): dialect is DialectName {
  return DIALECTS.some(({ name, homes }) => name === dialect && homes !== undefined);
}

/** When a log was written to, in milliseconds since 1970. */
export const changedAt = ({ log = '' }: Pick<Episode, 'log'>): number =>
  Math.floor(statSync(log, { throwIfNoEntry: false })?.mtimeMs ?? 0);

/** The log that was written to last; the order is that of `byWritten`. */
export const newestOf = (episodes: readonly Episode[]): Episode | undefined =>
  episodes
    .map((episode) => ({ episode, at: changedAt(episode) }))
    .toSorted((a, b) => b.at - a.at || byText(b.episode.name, a.episode.name))[0]?.episode;

/** Those whose name an id is, or else begins. */
export async function episodesNamedAtHome(id: string, search: HomeSearch): Promise<Episode[]> {
  const found = await episodesAtHome(search);
  const exact = found.filter(({ name }) => name === id);
  return exact.length > 0 ? exact.slice(0, 1) : found.filter(({ name }) => name.startsWith(id));
}
