import { relatedLogs } from '../../dialects/registry.ts';
import type { Episode } from '../../find/episode.ts';
import type { EpisodeSummary } from '../../find/summary.ts';
import type { Context } from '../context.ts';

/** A log that is read where it is, not from a copy. */
type PlainLog = Pick<Episode, 'name' | 'parts'> & { readonly log: string };

/** The list entries of a plain log: those of an earlier run if it has not changed. `read` makes them otherwise. */
export function knownRows(
  { known, dialect }: Context,
  plain: PlainLog | undefined,
  read: () => Promise<readonly EpisodeSummary[]>,
): Promise<readonly EpisodeSummary[]> {
  if (known === undefined || plain === undefined || dialect !== undefined) return read();
  const related = relatedLogs(plain.log, (log, name, find) => known.fact(log, name, find));
  return known.rows({ ...plain, related }, read);
}
