import { shortestPrefixes } from '../../base/text/shortest-prefix.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { escapeText } from './escape.ts';
import { shortPath } from './location.ts';
import { displayWidth } from './width.ts';

/** Ids that several episodes have. */
export function repeatedIds(episodes: readonly { readonly episode: string }[]): Set<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { episode } of episodes) {
    if (seen.has(episode)) repeated.add(episode);
    seen.add(episode);
  }
  return repeated;
}

/** The name of each episode in a report: its id, or its path if several have that id. */
export function episodeNames(
  episodes: readonly EpisodeReport[],
  relativeTo: string | undefined,
): (episode: EpisodeReport) => string {
  const repeated = repeatedIds(episodes);
  return ({ episode, path }) =>
    repeated.has(episode) ? `${episode} (${shortPath(path, relativeTo)})` : episode;
}

/** The full and short names of episodes. */
export interface EpisodeColumn {
  /** The width of the longest name. */
  readonly width: number;
  /** The width of the longest short name. */
  readonly shortWidth: number;
  readonly shorten: (name: string) => string;
}

/** A shorter prefix is hard to recognise. */
const MIN_PREFIX = 6;
/** A word before an id, such as `ep_` or `agent-`. With few characters after it, it names nothing. */
const BEFORE_ID = /^(?:[a-z]+_|agent-)/;
const LEAST_AFTER = 4;
/** If the unique prefix of a name is longer, its end is used, which usually differs. */
const MOST_PREFIX = 11;

/** The shortest length of a prefix for which all names differ that do not need a longer one than `most`. */
function uniqueLength(names: readonly string[], most = Number.POSITIVE_INFINITY): number {
  let length = MIN_PREFIX;
  for (const name of names) {
    const [before] = BEFORE_ID.exec(name) ?? [];
    if (before !== undefined) length = Math.max(length, Math.min(before.length + LEAST_AFTER, MOST_PREFIX));
  }
  for (const prefix of shortestPrefixes(names).values())
    if (prefix <= most) length = Math.max(length, prefix);
  return length;
}

const reversed = (text: string): string => [...text].reverse().join('');

/** The folder of a path and the beginning of its name. */
function pathToShort(name: string): string {
  const parts = name.split('/');
  const [folder, last = ''] = parts.slice(-2);
  return parts.length < 2 || last.length <= MOST_PREFIX
    ? parts.slice(-2).join('/')
    : `${folder}/${last.slice(0, MOST_PREFIX)}…`;
}

/** The part in which long names differ, with some characters before it; its middle is left out if it does not fit. */
function differingPart(names: readonly string[], most: number): (name: string) => string {
  const prefixes = shortestPrefixes(names);
  const sorted = [...prefixes.keys()];
  const ends = shortestPrefixes([sorted[0] ?? '', sorted.at(-1) ?? '']);
  const from = Math.max(0, Math.min(...ends.values()) - 1 - Math.ceil(most / 2));
  return (name) => {
    const whole = `${from > 0 ? '…' : ''}${name.slice(from)}`;
    const end = (prefixes.get(name) ?? 0) - from + (from > 0 ? 1 : 0);
    if (whole.length <= most) return whole;
    if (end < most) return `${whole.slice(0, most - 1)}…`;
    const half = Math.floor((most - 1) / 2);
    return `${whole.slice(0, half)}…${whole.slice(end - (most - 1 - half), end)}`;
  };
}

/**
 * Shortens the names of episodes to the shortest unique prefix or suffix. Paths differ in their folders. If these are
 * wider than `most`, names are shortened to the part in which they differ.
 */
export function shortNames(names: readonly string[], most = Number.POSITIVE_INFINITY): EpisodeColumn {
  const paths = names.filter((name) => name.includes('/'));
  const ambiguous = repeatedIds(paths.map((name) => ({ episode: pathToShort(name) })));
  const isClear = (name: string) => name.includes('/') && !ambiguous.has(pathToShort(name));
  const others = names.filter((name) => !isClear(name));
  const prefixes = shortestPrefixes(others);
  const hasPrefix = (name: string) => (prefixes.get(name) ?? 0) <= MOST_PREFIX;
  const prefix = uniqueLength(others, MOST_PREFIX);
  const suffix = uniqueLength(others.filter((name) => !hasPrefix(name)).map(reversed));
  const usual = (name: string): string => {
    if (isClear(name)) return pathToShort(name);
    const isPrefix = hasPrefix(name);
    const size = isPrefix ? prefix : suffix;
    if (name.length <= size + 1) return name;
    return isPrefix ? `${name.slice(0, size)}…` : `…${name.slice(-size)}`;
  };
  const widest = (texts: readonly string[]) =>
    texts.reduce((most, text) => Math.max(most, displayWidth(escapeText(text))), 0);
  const shorten = widest(names.map(usual)) <= most ? usual : differingPart(names, most);
  return { width: widest(names), shortWidth: widest(names.map(shorten)), shorten };
}
