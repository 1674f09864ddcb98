import { statSync } from 'node:fs';
import { ArchiveFault } from '../base/archives/problem.ts';
import { isOfTarget } from '../base/errors.ts';
import { pushAll } from '../base/files/push-all.ts';
import { largest } from '../base/text/largest.ts';
import { byText } from '../base/text/order.ts';
import { later, parseInstant } from '../base/time/instant.ts';
import { copiesLast } from '../dialects/sessions/kit/copy-name.ts';
import { isConverted, readConverted } from './converted.ts';
import type { Episode } from './episode.ts';
import { lastTimeIn } from './log-ends.ts';
import type { RootSearch } from './root.ts';
import type { EpisodeSummary } from './summary.ts';

/** What is known of logs, and where to unpack those that cannot be read as they are. */
export type ActivitySearch = Pick<RootSearch, 'known' | 'unpackPlace'>;

/** A run, as far as its last activity depends on it. */
type Timed = Pick<Episode, 'log' | 'changed' | 'parts'>;

/** When a log was last changed, in milliseconds since 1970. Whole nanoseconds: a fraction in a double may be rounded up. */
export const changedAt = (
  { log = '', changed }: Pick<Episode, 'log' | 'changed'>,
  known?: ActivitySearch['known'],
): number =>
  changed ??
  known?.changedAt(log) ??
  Number(statSync(log, { bigint: true, throwIfNoEntry: false })?.mtimeMs ?? 0n);

/** The entries of a log in a list. */
type Entries = readonly Pick<EpisodeSummary, 'written_at'>[];

const lastOf = (entries: Entries): string | undefined =>
  entries.reduce<string | undefined>((last, { written_at: written }) => later(last, written), undefined);

/** The last time in a log that must be unpacked or converted, as a list has it. Throws if that fails. */
const lastTimeInConverted = (
  log: string,
  place: ActivitySearch['unpackPlace'],
): Promise<string | undefined> =>
  readConverted(log, place, async (episodes) => {
    const { summarizeAll } = await import('./summary.ts');
    const entries: EpisodeSummary[] = [];
    for (const one of episodes) pushAll(entries, await summarizeAll(one));
    return lastOf(entries);
  });

/** The last time in a log. A failure is not remembered, because it may be one of the moment, such as a full disk. */
async function lastIn(
  log: string,
  { known, unpackPlace }: ActivitySearch,
  converted: Entries | undefined,
): Promise<number | undefined> {
  const read = async () => {
    if (converted !== undefined) return lastOf(converted);
    return isConverted(log) ? lastTimeInConverted(log, unpackPlace) : lastTimeIn(log);
  };
  try {
    return parseInstant(await (known === undefined ? read() : known.foundFact(log, 'last', read)));
  } catch (error) {
    if (isOfTarget(error) || error instanceof ArchiveFault) return undefined;
    throw error;
  }
}

/**
 * When a run was last active, in milliseconds since 1970: the last time in any of its logs, because a copy of a log has
 * another time of its file. A run without times was active when its file was written. `converted`: the entries of its log,
 * if that was converted already.
 */
export async function activeAt(
  episode: Timed,
  search: ActivitySearch = {},
  converted?: Entries,
): Promise<number> {
  const { log, changed, parts = [] } = episode;
  const { known } = search;
  if (log === undefined || changed !== undefined) return changedAt(episode, known);
  const times: number[] = [];
  // The entries of a run with several logs do not say which of them was active last.
  const entries = parts.length === 0 ? converted : undefined;
  for (const one of [log, ...parts]) {
    const last = await lastIn(one, search, entries);
    if (last !== undefined) times.push(last);
  }
  return times.length === 0 ? changedAt(episode, known) : largest(times);
}

/** Runs in the order of their last activity, the newest first. */
export async function newestFirst<Run extends Timed>(
  runs: readonly Run[],
  search?: ActivitySearch,
): Promise<Run[]> {
  const timed: { readonly run: Run; readonly at: number }[] = [];
  for (const run of runs) timed.push({ run, at: await activeAt(run, search) });
  const copyLast = (a: Run, b: Run) => copiesLast(a.log ?? '', b.log ?? '');
  return timed.sort((a, b) => b.at - a.at || copyLast(a.run, b.run)).map(({ run }) => run);
}

/** The run that was active last, in the order of `byWritten`. */
export async function newestOf(
  episodes: readonly Episode[],
  search?: ActivitySearch,
): Promise<Episode | undefined> {
  const [newest] = await newestFirst(
    episodes.toSorted((a, b) => byText(b.name, a.name)),
    search,
  );
  return newest;
}
