import { parseInstant } from '../time/instant.ts';
import { episodesIn } from './find.ts';
import type { Root } from './root.ts';
import { type EpisodePlace, episodePlaces } from './root-episodes.ts';
import { type EpisodeSummary, summarize, summarizeAll } from './summary.ts';

/**
 * What a list shows of every episode of a root, in no order that says anything; `part` picks some of them before any is
 * read.
 */
export async function summariesUnder(
  root: Root,
  part: (places: readonly EpisodePlace[]) => readonly EpisodePlace[] = (places) => places,
): Promise<EpisodeSummary[]> {
  const found: EpisodeSummary[] = [];
  for (const { name, dir } of part(await episodePlaces(root))) {
    // The folder of an episode by its name has the log of one; others are looked into.
    if (name.startsWith('ep_')) found.push(summarize(name, dir));
    else
      for (const one of (await episodesIn(dir)).episodes)
        found.push(...(await summarizeAll(one.name, one.dir, one.log)));
  }
  return found;
}

const instantOf = ({ started_at: start = '' }: EpisodeSummary): number => parseInstant(start) ?? -Infinity;

/** The order of a list: the newest first, those without a time last. */
export function byStart(a: EpisodeSummary, b: EpisodeSummary): number {
  const [left, right] = [instantOf(a), instantOf(b)];
  if (left !== right) return right > left ? 1 : -1;
  return a.episode < b.episode ? 1 : -1;
}
