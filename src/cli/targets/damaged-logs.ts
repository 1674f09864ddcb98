import { isOfTarget } from '../../base/errors.ts';
import { pushAll } from '../../base/files/push-all.ts';
import type { Episode } from '../../find/episode.ts';
import { withRepairs } from '../../find/repairs.ts';
import type { EpisodeSummary } from '../../find/summary.ts';
import { isDamaged } from '../../show/render/list-foot.ts';
import type { Context } from '../context.ts';
import { summariesOf } from './listed-episodes.ts';

/** The number of damaged lines of sessions, by the paths of their logs. Sessions that `list` does not mark are left out. */
export async function damagedLines(
  context: Context,
  sessions: readonly Episode[],
): Promise<ReadonlyMap<string, number>> {
  const entries: EpisodeSummary[] = [];
  for (const session of sessions)
    try {
      pushAll(entries, await summariesOf(context, session));
    } catch (error) {
      // Its examination reports the error.
      if (!isOfTarget(error)) throw error;
    }
  const damaged = (await withRepairs(entries)).filter(isDamaged);
  return new Map(damaged.map(({ path, lacks }) => [path, lacks?.lines ?? 0]));
}
