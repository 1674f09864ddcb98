import { requireCount, requireKnown } from '../base/errors.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { episodeAt, logAndDialect, ROOT_OPTIONS, type RootOptions, searchFor } from '../find/named.ts';
import { findPrices } from '../find/prices.ts';
import { EventLogIntegrityError } from '../log/integrity-error.ts';
import { type CompareOptions, compareRuns, type RunComparison } from '../read/compare/compare-runs.ts';
import { differenceOf } from '../read/compare/difference.ts';
import type { RunSource } from '../read/compare/read-run.ts';
import type { EventDifference, RunDifference, RunDifferenceHead } from '../read/compare/run-difference.ts';

/** The default limit of differing events. */
const USUAL_LIMIT = 1000;

export interface DiffRunsOptions extends RootOptions, CompareOptions {
  /** Overrules the detection, for both runs. */
  readonly dialect?: DialectName;
  /** Return at most this many differing events, and count the rest; the default is 1,000. */
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
  const { name, run, parts } = episode;
  return { episode: name, path, dialect, run, ...(run === undefined && { parts }) };
}

/** The result of a comparison as plain data, with at most `limit` differing events. */
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
 * Compares what two runs did, as `noesis diff -j` does. Sessions are equal if they did the same. Events are matched by
 * type, phase, step and tool, in order; ids and times do not matter. Targets are as in {@link projectEpisode}.
 *
 * @throws EventLogIntegrityError if one of the logs is corrupt.
 * @throws NoesisError `usage` for an invalid path in `ignore`, and for options about events if the formats differ;
 *   `log-changed`; `target-missing`, `target-ambiguous`, `root-missing`, `log-missing`.
 */
export async function diffRuns(a: string, b: string, options: DiffRunsOptions = {}): Promise<RunDifference> {
  requireKnown(options, OPTIONS);
  const { limit = USUAL_LIMIT } = options;
  requireCount('limit', limit);
  const [first, second] = [await sourceOf(a, options), await sourceOf(b, options)];
  const found = await compareRuns(first, second, options);
  const [damaged] = found.damaged;
  if (damaged) throw new EventLogIntegrityError(damaged.source.path, damaged.corruption);
  const prices = await findPrices(searchFor(options));
  const head = await differenceOf(found, first, second, { ...options, findPrices: prices });
  return runDifference(found, head, limit);
}
