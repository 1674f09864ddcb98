import type { EpisodeReport } from '../findings/report.ts';
import { shortPath } from './location.ts';

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
