import type { EpisodeReport } from '../findings/report.ts';
import { shortestPrefixes } from '../text/shortest-prefix.ts';
import { escapeText } from './escape.ts';
import { shortPath } from './location.ts';
import { displayWidth } from './width.ts';

/** The ids that more than one of some episodes has. */
export function repeatedIds(episodes: readonly { readonly episode: string }[]): Set<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { episode } of episodes) {
    if (seen.has(episode)) repeated.add(episode);
    seen.add(episode);
  }
  return repeated;
}

/** What each episode of a report is called: its id, and its path where others have the same id. */
export function episodeNames(
  episodes: readonly EpisodeReport[],
  relativeTo: string | undefined,
): (episode: EpisodeReport) => string {
  const repeated = repeatedIds(episodes);
  return ({ episode, path }) =>
    repeated.has(episode) ? `${episode} (${shortPath(path, relativeTo)})` : episode;
}

/** How the names of episodes are shown: as they are, or short where there is no room for them. */
export interface EpisodeColumn {
  /** The columns that the longest name takes. */
  readonly width: number;
  /** The columns that the longest short form takes. */
  readonly shortWidth: number;
  readonly shorten: (name: string) => string;
}

/** A prefix of less tells a reader little. */
const MIN_PREFIX = 6;
/** Longer prefixes give way to the ends of the names, which mostly differ sooner. */
const MOST_PREFIX = 11;

/** How many characters it takes at least so that the beginnings of all names differ. */
function uniqueLength(names: readonly string[]): number {
  let length = MIN_PREFIX;
  for (const prefix of shortestPrefixes(names).values()) length = Math.max(length, prefix);
  return length;
}

const reversed = (text: string): string => [...text].reverse().join('');

/** Of a path only its folder and the beginning of its name. */
function pathToShort(name: string): string {
  const parts = name.split('/');
  const [folder, last = ''] = parts.slice(-2);
  return parts.length < 2 || last.length <= MOST_PREFIX
    ? parts.slice(-2).join('/')
    : `${folder}/${last.slice(0, MOST_PREFIX)}…`;
}

/**
 * The names of episodes in a table: short, the shortest beginning that is of one only, or the shortest end. Names that
 * are paths differ in their folders.
 */
export function shortNames(names: readonly string[]): EpisodeColumn {
  const paths = names.filter((name) => name.includes('/'));
  const ambiguous = repeatedIds(paths.map((name) => ({ episode: pathToShort(name) })));
  const isClear = (name: string) => name.includes('/') && !ambiguous.has(pathToShort(name));
  const others = names.filter((name) => !isClear(name));
  const prefix = uniqueLength(others);
  const suffix = uniqueLength(others.map(reversed));
  const shorten = (name: string): string => {
    if (isClear(name)) return pathToShort(name);
    const size = prefix <= MOST_PREFIX ? prefix : suffix;
    if (name.length <= size + 1) return name;
    return prefix <= MOST_PREFIX ? `${name.slice(0, size)}…` : `…${name.slice(-size)}`;
  };
  const widest = (texts: readonly string[]) =>
    texts.reduce((most, text) => Math.max(most, displayWidth(escapeText(text))), 0);
  return { width: widest(names), shortWidth: widest(names.map(shorten)), shorten };
}
