import { ArchiveFault } from '../base/archives/problem.ts';
import { isOfTarget } from '../base/errors.ts';
import { shownPath } from '../base/files/paths.ts';
import { byText } from '../base/text/order.ts';
import { isConverted, readConverted } from './converted.ts';
import { type Episode, pathOf } from './episode.ts';
import { dialectAt } from './homes.ts';
import { changedAt, newestFirst } from './last-activity.ts';
import type { RootSearch } from './root.ts';
import { type MeantRun, MOST_MEANT, SeveralRunsError } from './several-runs-error.ts';
import { type EpisodeSummary, summarizeAll } from './summary.ts';
import { targetNames } from './target-names.ts';

/** What a list says of a run; of one that cannot be read, where it is. */
async function summaryOf(episode: Episode, search: RootSearch): Promise<EpisodeSummary> {
  const { name, dir, log } = episode;
  const path = pathOf(episode);
  const dialect = dialectAt(path, search);
  const unread = { episode: name, path, sealed: false, ...(dialect !== undefined && { dialect }) };
  const first = async (found: readonly Episode[]) => {
    for (const one of found) for (const summary of await summarizeAll(one)) return summary;
    return undefined;
  };
  try {
    const isPlain = dir !== undefined || log === undefined || !isConverted(log);
    const found = isPlain ? await first([episode]) : await readConverted(log, search.unpackPlace, first);
    const written_at = found?.written_at ?? new Date(changedAt(episode, search.known)).toISOString();
    return { ...unread, written_at, ...found, episode: name, path };
  } catch (error) {
    if (isOfTarget(error) || error instanceof ArchiveFault) return unread;
    throw error;
  }
}

/** The newest of several runs, with the short name of each. */
async function newestRuns(episodes: readonly Episode[], search: RootSearch): Promise<MeantRun[]> {
  const byName = episodes.toSorted((a, b) => byText(b.name, a.name));
  // Ids under a root begin with the time, and there may be thousands.
  const isByTime = episodes.every(({ dir }) => dir !== undefined);
  const newest = (isByTime ? byName : await newestFirst(byName, search)).slice(0, MOST_MEANT);
  const nameOf = await targetNames(
    episodes.map((episode) => ({ episode: episode.name, path: pathOf(episode) })),
    search,
  );
  const runs: MeantRun[] = [];
  for (const episode of newest) {
    const summary = await summaryOf(episode, search);
    runs.push({ id: nameOf(summary).brief, summary });
  }
  return runs;
}

/** The advice if not all runs are named. */
const orMore = ({ length }: readonly Episode[]): string =>
  length > MOST_MEANT ? ', or more characters' : '';

/** Throws `target-ambiguous` if there are several runs whose ids a text names. */
export async function refuseSeveral(
  text: string,
  found: readonly Episode[],
  search: RootSearch,
): Promise<void> {
  if (found.length < 2) return;
  throw new SeveralRunsError(`${text} matches ${found.length} runs`, {
    names: found.map(({ name }) => name),
    runs: await newestRuns(found, search),
    hint: `give one of these ids${orMore(found)}`,
  });
}

/** Throws `target-ambiguous` if there are several sessions, which differ in their paths or dialects. */
export async function refusePlaces(
  text: string,
  found: readonly Episode[],
  search: RootSearch,
): Promise<void> {
  if (found.length < 2) return;
  const places = found.map((episode) => {
    const path = pathOf(episode);
    return { path: shownPath(path, search.cwd), dialect: dialectAt(path, search) ?? 'unknown' };
  });
  const dialects = [...new Set(places.map(({ dialect }) => dialect))];
  const options = dialects.map((dialect) => `--dialect ${dialect}`).join(' or ');
  throw new SeveralRunsError(`${text} matches ${found.length} runs`, {
    names: places.map(({ path, dialect }) => `${path} (${dialect})`),
    runs: await newestRuns(found, search),
    hint: `give one of these ids${orMore(found)}${dialects.length > 1 ? `, or ${options}` : ''}`,
  });
}
