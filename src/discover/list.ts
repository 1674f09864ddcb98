import { byText } from '../text/order.ts';
import { parseInstant } from '../time/instant.ts';
import { type Episode, entriesOf, episodesIn } from './find.ts';
import { mayHaveMore } from './passed-over.ts';
import type { Root } from './root.ts';
import { canonicalFolder, type EpisodePlace, episodePlaces } from './root-episodes.ts';
import { type EpisodeSummary, summarize, summarizeAll } from './summary.ts';

/**
 * What a list shows of every episode of a root, in no order that says anything; `part` picks some of them before any is
 * read. `summariesOf` gives the lines of an episode whose name does not say that it is one; `onPassedOver` is given the
 * paths that may be logs and are not in the list.
 */
export async function summariesUnder(
  root: Root,
  part: (places: readonly EpisodePlace[]) => readonly EpisodePlace[] = (places) => places,
  summariesOf: (episode: Episode) => Promise<readonly EpisodeSummary[]> = summariesOfPlain,
  onPassedOver?: (paths: readonly string[]) => void,
): Promise<EpisodeSummary[]> {
  const found: EpisodeSummary[] = [];
  const passedOverIn = async (dir: string) => onPassedOver?.((await episodesIn(dir)).passedOver);
  await passedOverIn(canonicalFolder(root));
  for (const { name, dir } of part(await episodePlaces(root))) {
    // The folder of an episode by its name has the log of one; others are looked into.
    if (name.startsWith('ep_')) {
      found.push(summarize(name, dir));
      if (onPassedOver && mayHaveMore(await entriesOf(dir))) await passedOverIn(dir);
    } else {
      const { episodes, others, passedOver } = await episodesIn(dir);
      onPassedOver?.(passedOver);
      for (const episode of [...episodes, ...others]) found.push(...(await summariesOf(episode)));
    }
  }
  return found;
}

const summariesOfPlain = ({ name, dir, log, run }: Episode) => summarizeAll(name, dir, log, run);

const instants = new WeakMap<EpisodeSummary, number>();

/** When an episode was written to last: what it says of its end, else of its start. Parsed once. */
function writtenAt(episode: EpisodeSummary): number {
  const { started_at: start = '', written_at: written = start } = episode;
  const instant = instants.get(episode) ?? parseInstant(written) ?? -Infinity;
  instants.set(episode, instant);
  return instant;
}

/** The order of a list: the one that was written to last first, those without a time last. */
export function byWritten(a: EpisodeSummary, b: EpisodeSummary): number {
  const [left, right] = [writtenAt(a), writtenAt(b)];
  if (left !== right) return right > left ? 1 : -1;
  return byText(b.episode, a.episode);
}

/** The episode that a list has first. */
export const firstWritten = (episodes: readonly EpisodeSummary[]): EpisodeSummary | undefined =>
  episodes.reduce<EpisodeSummary | undefined>(
    (first, one) => (first === undefined || byWritten(one, first) < 0 ? one : first),
    undefined,
  );
