import { type CompareOptions, compareRuns, RunComparison } from './compare/compare-runs.ts';
import { differenceOf } from './compare/difference.ts';
import type { RunSource } from './compare/read-run.ts';
import type { EventDifference, RunDifference, RunDifferenceHead } from './compare/run-difference.ts';
import type { DialectName } from './dialects/dialect.ts';
import { episodeAt, logAndDialect, ROOT_OPTIONS, type RootOptions } from './discover/named.ts';
import { requireCount, requireKnown } from './errors.ts';
import { EventLogIntegrityError } from './log/integrity-error.ts';

/** So many differing events are given, where nothing else is asked for. */
const USUAL_LIMIT = 1000;

export interface DiffRunsOptions extends RootOptions, CompareOptions {
  /** Overrules the detection, for both runs. */
  readonly dialect?: DialectName;
  /** So many differing events are given and the others counted; 1,000 when absent. */
  readonly limit?: number;
}

const OPTIONS: Readonly<Record<keyof DiffRunsOptions, true>> = {
  ...ROOT_OPTIONS,
  dialect: true,
  limit: true,
  ignore: true,
  only: true,
  times: true,
  exact: true,
};

async function sourceOf(target: string, options: DiffRunsOptions): Promise<RunSource> {
  const episode = await episodeAt(target, options);
  const { log: path, dialect } = await logAndDialect(episode, options.dialect);
  return { episode: episode.name, path, dialect, run: episode.run };
}

/** What a comparison found, as plain data with at most so many differing events. */
async function runDifference(
  comparison: RunComparison,
  head: RunDifferenceHead,
  limit: number,
): Promise<RunDifference> {
  const events: EventDifference[] = [];
  for await (const difference of comparison.events(limit)) events.push(difference);
  const { changed, missing, added } = head.counts;
  const moreEvents = changed + missing + added - events.length;
  return { ...head, events, moreEvents, blocks: [...comparison.blocks()] };
}

/**
 * What two runs did differently, as `noesis diff -j` prints it: sessions are equal if they did the same. Events are matched by what they are (type, phase, step,
 * tool) and in their order, not by ids and times. A target is as in {@link projectEpisode}.
 *
 * @throws EventLogIntegrityError where one of the logs is corrupt: nothing is compared then.
 * @throws NoesisError `usage` for a path to ignore that is none, and for options on events where the runs are of two formats; `log-changed`;
 * `target-missing`, `target-ambiguous`, `root-missing`, `log-missing`.
 */
export async function diffRuns(a: string, b: string, options: DiffRunsOptions = {}): Promise<RunDifference> {
  requireKnown(options, OPTIONS);
  const { limit = USUAL_LIMIT } = options;
  requireCount('limit', limit);
  const [first, second] = [await sourceOf(a, options), await sourceOf(b, options)];
  const found = await compareRuns(first, second, options);
  if (found instanceof RunComparison) {
    const head = await differenceOf(found, first, second, options);
    return runDifference(found, head, limit);
  }
  throw new EventLogIntegrityError(found.source.path, found.corruption);
}
