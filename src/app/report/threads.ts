import { availableParallelism } from 'node:os';
import type { VerifyTarget } from '../../findings/options.ts';
import { usefulJobs } from '../../verify/pool.ts';
import { totalBytes } from '../targets/verify-targets.ts';

/** The number of threads for `--jobs`: at most one per core, because more only need memory. */
export function threadsWanted(jobs: number | undefined): number {
  const cores = availableParallelism();
  return Math.min(jobs ?? cores, cores);
}

/** The number of threads worth starting; 0 if this thread is as fast. */
export function usefulThreads(jobs: number, targets: readonly VerifyTarget[]): Promise<number> {
  const isPacked = targets.some(({ packed }) => packed !== undefined);
  // The number of episodes in an archive is unknown.
  const count = isPacked ? Number.MAX_SAFE_INTEGER : targets.length;
  return usefulJobs(jobs, count, () => totalBytes(targets));
}

/** Some stand for all, which may be thousands. */
const SAMPLE = 16;
const LONG_BYTES = 1024 * 1024;

/** Whether the first targets take a megabyte or more each, on average. */
export function areLong(targets: readonly VerifyTarget[]): boolean {
  const sample = targets.slice(0, SAMPLE);
  return totalBytes(sample) >= sample.length * LONG_BYTES;
}
