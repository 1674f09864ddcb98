import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { sizeOf } from '../../base/files/paths.ts';
import type { VerifyTarget } from '../../findings/options.ts';
import { MANY_TARGETS, usefulJobs } from '../../verify/pool.ts';

/** The number of threads for `--jobs`: at most one per core, because more only need memory. */
export function threadsWanted(jobs: number | undefined): number {
  const cores = availableParallelism();
  return Math.min(jobs ?? cores, cores);
}

/** The estimated compression ratio. */
const USUAL_RATIO = 8;

/** The total size of logs and other files. */
function totalBytes(targets: readonly VerifyTarget[]): number {
  let total = 0;
  for (const { dir, log, packed } of targets) {
    try {
      const times = packed === undefined ? 1 : USUAL_RATIO;
      if (dir === undefined) total += log === undefined ? 0 : sizeOf(log) * times;
      else for (const name of readdirSync(dir)) total += sizeOf(join(dir, name));
    } catch {
      // Verification reports files that cannot be read.
    }
  }
  return total;
}

/** The number of targets whose sizes are read: there may be thousands. */
const SAMPLE = 16;

/** The total size of targets, by the average of the first. */
function estimatedBytes(targets: readonly VerifyTarget[]): number {
  const sample = targets.slice(0, SAMPLE);
  return (totalBytes(sample) / sample.length) * targets.length;
}

/** The number of threads worth starting; 0 if this thread is as fast. */
export function usefulThreads(jobs: number, targets: readonly VerifyTarget[]): Promise<number> {
  const isPacked = targets.some(({ packed }) => packed !== undefined);
  // The number of episodes in an archive is unknown.
  const count = isPacked ? Number.MAX_SAFE_INTEGER : targets.length;
  const isMany = targets.length >= MANY_TARGETS;
  return usefulJobs(jobs, count, () => (isMany ? estimatedBytes(targets) : totalBytes(targets)));
}

const LONG_BYTES = 1024 * 1024;

/** With less, compiling faster code takes longer than it saves (docs/decisions/0026-governed-runs-and-sessions.md). */
const MUCH_BYTES = 192 * 1024 * 1024;

/** Whether the targets are much to read, and take a megabyte or more each: both by the average of the first. */
export function areLong(targets: readonly VerifyTarget[]): boolean {
  const total = estimatedBytes(targets);
  return total >= LONG_BYTES * targets.length && total >= MUCH_BYTES;
}
