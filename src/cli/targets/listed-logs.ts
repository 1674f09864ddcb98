import { isOfTarget } from '../../base/errors.ts';
import { pushAll } from '../../base/files/push-all.ts';
import type { Episode } from '../../find/episode.ts';
import { withRepairs } from '../../find/repairs.ts';
import type { EpisodeSummary } from '../../find/summary.ts';
import { isDamaged } from '../../show/render/list-foot.ts';
import type { Context } from '../context.ts';
import { summariesOf } from './listed-episodes.ts';

/** What `list` says of the log of a session. */
export interface ListedLog {
  /** The number of damaged lines, unless they were repaired. */
  readonly damaged: number;
  /** The name of the repaired copy of it. */
  readonly repairedAs?: string;
}

/** What `list` says of the logs of sessions, by their paths. */
export async function listedLogs(
  context: Context,
  sessions: readonly Episode[],
): Promise<ReadonlyMap<string, ListedLog>> {
  const entries: EpisodeSummary[] = [];
  for (const session of sessions)
    try {
      pushAll(entries, await summariesOf(context, session));
    } catch (error) {
      // Its examination reports the error.
      if (!isOfTarget(error)) throw error;
    }
  const listed = await withRepairs(entries);
  return new Map(
    listed.map((run): [string, ListedLog] => {
      const { path, lacks, repaired_as: repairedAs } = run;
      return [path, { damaged: isDamaged(run) ? (lacks?.lines ?? 0) : 0, ...(repairedAs && { repairedAs }) }];
    }),
  );
}
