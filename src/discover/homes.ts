import { statSync } from 'node:fs';
import type { DialectName } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { isDirectory } from '../files/paths.ts';
import { byText } from '../text/order.ts';
import { type Episode, findEpisodes } from './find.ts';
import type { RootSearch } from './root.ts';

export type HomeSearch = Pick<RootSearch, 'home' | 'env' | 'dialect'>;

/** The folders in which dialects keep logs on this machine; of one dialect if named. */
export function homesOf({ home, env = {}, dialect }: HomeSearch): string[] {
  const wanted = DIALECTS.filter(({ name }) => dialect === undefined || name === dialect);
  return [...new Set(wanted.flatMap((one) => one.homes?.({ env, home }) ?? []))];
}

/** The logs in these folders. */
export async function episodesAtHome(search: HomeSearch): Promise<Episode[]> {
  const found: Episode[] = [];
  for (const folder of homesOf(search)) {
    if (!(await isDirectory(folder))) continue;
    // A folder that cannot be listed has its own finding; the others are still searched.
    found.push(
      ...(await findEpisodes(folder)).filter(({ unlisted, link }) => unlisted === undefined && !link),
    );
  }
  return found;
}

/** Whether the named dialect keeps its logs in fixed places, so no root is needed. */
export function hasHomes(dialect: DialectName | undefined): dialect is DialectName {
  return DIALECTS.some(({ name, homes }) => name === dialect && homes !== undefined);
}

/** When a log was last changed, in milliseconds since 1970. */
export const changedAt = ({ log = '' }: Pick<Episode, 'log'>): number =>
  Math.floor(statSync(log, { throwIfNoEntry: false })?.mtimeMs ?? 0);

/** The log that was changed last, in the order of `byWritten`. */
export const newestOf = (episodes: readonly Episode[]): Episode | undefined =>
  episodes
    .map((episode) => ({ episode, at: changedAt(episode) }))
    .toSorted((a, b) => b.at - a.at || byText(b.episode.name, a.episode.name))[0]?.episode;

/** The sessions with this id, or else with this prefix. */
export async function episodesNamedAtHome(id: string, search: HomeSearch): Promise<Episode[]> {
  const found = await episodesAtHome(search);
  const exact = found.filter(({ name }) => name === id);
  return exact.length > 0 ? exact.slice(0, 1) : found.filter(({ name }) => name.startsWith(id));
}
