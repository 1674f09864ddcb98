import { statSync } from 'node:fs';
import { DAY_MS } from '../../base/time/instant.ts';
import type { VerifyTarget } from '../../findings/options.ts';

/** Whether a file exists and was last written before a time, in milliseconds since 1970. */
function wasWrittenBefore(path: string, time: number): boolean {
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    return status !== undefined && status.mtimeMs < time;
  } catch {
    return false;
  }
}

/**
 * The targets that may have an event since a time, in milliseconds since 1970. A log that was last written more than a day
 * before has none, and is not read: not even its damage is reported (docs/limits.md). The day is for clocks that differ.
 */
export function writtenSince(
  targets: readonly VerifyTarget[],
  since: number | undefined,
): readonly VerifyTarget[] {
  if (since === undefined) return targets;
  const isOld = (path: string): boolean => wasWrittenBefore(path, since - DAY_MS);
  const recent = targets.filter(({ log, packed, place, parts = [] }) => {
    // The time of a copy says nothing, and the newest rows of a database may be in another file.
    if (log === undefined || packed !== undefined || place !== undefined || !/\.jsonl?$/.test(log))
      return true;
    return ![log, ...parts].every(isOld);
  });
  // Without any, all are read, so that the command can say when the last event was.
  return recent.length === 0 ? targets : recent;
}
