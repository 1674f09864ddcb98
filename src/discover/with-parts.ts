import { nameOfLog, partDialectOf, wholeOf } from '../dialects/registry.ts';
import type { Episode } from './find.ts';

/**
 * Logs that are parts of others that were found too go with those. What a log says of itself can be forged, so a part
 * must lead to another log of the same dialect that is a part of nothing; every other log stays an episode of its own.
 */
export function withParts(found: readonly Episode[]): Episode[] {
  const byName = new Map<string, Episode>();
  // Of two sessions of one id the first has the parts: a copy elsewhere is another session.
  for (const episode of found) {
    const name = episode.log === undefined ? undefined : nameOfLog(episode.log);
    if (name !== undefined && !byName.has(name)) byName.set(name, episode);
  }
  const wholeOfEpisode = ({ log }: Episode): Episode | undefined => {
    const whole = log === undefined ? undefined : byName.get(wholeOf(log) ?? '');
    return whole?.log !== undefined && partDialectOf(log) === partDialectOf(whole.log) ? whole : undefined;
  };
  const rootOf = (part: Episode): Episode | undefined => {
    const seen = new Set([part]);
    let root = wholeOfEpisode(part);
    for (let next = root; next !== undefined; next = wholeOfEpisode(next)) {
      if (seen.has(next)) return undefined;
      seen.add(next);
      root = next;
    }
    return root;
  };
  const parts = new Map<Episode, string[]>();
  const rest = found.filter((episode) => {
    const root = rootOf(episode);
    if (root === undefined || episode.log === undefined) return true;
    parts.set(root, [...(parts.get(root) ?? []), episode.log]);
    return false;
  });
  return rest.map((episode) => {
    const own = parts.get(episode);
    return own === undefined ? episode : { ...episode, parts: own };
  });
}
