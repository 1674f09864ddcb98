import { type CompareOptions, compareRuns, type RunComparison } from '../../read/compare/compare-runs.ts';
import type { DamagedLog, RunSource } from '../../read/compare/read-run.ts';
import { corruptLog } from '../failure.ts';
import type { OpenLog } from './open-log.ts';
import type { ReadLog } from './partial.ts';

/** The run of a log as a source for comparisons. */
export const sourceOf = ({ name, path, origin, dialect, run, parts }: OpenLog): RunSource => ({
  episode: name,
  path,
  origin,
  dialect,
  run,
  parts,
});

/** The damaged logs, as they are named in messages. */
export const damagedLogs = ({ damaged }: RunComparison, a: OpenLog, b: OpenLog): (DamagedLog & ReadLog)[] => {
  // A run may be compared with itself.
  const byPath = new Map(damaged.map((damage) => [damage.source.path, damage]));
  return [...byPath.values()].map((damage) => {
    const { path } = damage.source;
    const log = [a, b].find((one) => one.path === path);
    const ofPart = [a, b].find(({ parts = [] }) => parts.includes(path));
    return { ...damage, label: log?.label ?? ofPart?.shown(path) ?? path };
  });
};

/**
 * Compares the runs in two logs. Throws `log-corrupt` if nothing of a run can be read, and whatever `compareRuns` throws.
 */
export async function compareLogs(a: OpenLog, b: OpenLog, options?: CompareOptions): Promise<RunComparison> {
  const compared = await compareRuns(sourceOf(a), sourceOf(b), options);
  const empty = damagedLogs(compared, a, b).find(({ isEmpty }) => isEmpty);
  if (empty) throw corruptLog(empty.label, empty.corruption, { shown: true });
  return compared;
}
