import { unpackedPath } from '../base/archives/format.ts';
import { nameOfLog, partDialectOf, wholeOf } from '../dialects/registry.ts';
import type { Episode } from './episode.ts';
import type { KnownLogs } from './known-logs.ts';

/**
 * Attaches logs that are parts of other found logs to them. A log can lie about itself, so a part must name
 * another log of the same dialect that is not a part itself. All others stay separate episodes.
 */
export function withParts(found: readonly Episode[], known?: KnownLogs): Episode[] {
  const wholeIn = (log: string): string | undefined =>
    known === undefined ? wholeOf(log) : known.fact(log, 'part of', () => wholeOf(log));
  const byName = new Map<string, Episode>();
  // If two sessions have the same id, the first gets the parts, because the other is a copy of it.
  for (const episode of found) {
    const name = episode.log === undefined ? undefined : nameOfLog(unpackedPath(episode.log));
    if (name !== undefined && !byName.has(name)) byName.set(name, episode);
  }
  const wholeOfEpisode = ({ log }: Episode): Episode | undefined => {
    const whole = log === undefined ? undefined : byName.get(wholeIn(log) ?? '');
    return whole?.log !== undefined && partDialectOf(log) === partDialectOf(unpackedPath(whole.log))
      ? whole
      : undefined;
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
