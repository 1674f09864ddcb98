import { type CompareOptions, compareRuns, type RunComparison } from '../../read/compare/compare-runs.ts';
import type { RunSource } from '../../read/compare/read-run.ts';
import { corruptLog } from '../failure.ts';
import type { OpenLog } from './open-log.ts';

/** The run of a log as a source for comparisons. */
export const sourceOf = ({ name, path, origin, dialect, run, parts }: OpenLog): RunSource => ({
  episode: name,
  path,
  origin,
  dialect,
  run,
  parts,
});

/**
 * Compares the runs in two logs. Throws `log-corrupt` for a damaged one, and whatever `compareRuns` throws.
 */
export async function compareLogs(a: OpenLog, b: OpenLog, options?: CompareOptions): Promise<RunComparison> {
  const compared = await compareRuns(sourceOf(a), sourceOf(b), options);
  if (!('corruption' in compared)) return compared;
  const { path } = compared.source;
  const log = [a, b].find((one) => one.path === path);
  const ofPart = [a, b].find(({ parts = [] }) => parts.includes(path));
  throw corruptLog(log?.label ?? ofPart?.shown(path) ?? path, compared.corruption);
}
