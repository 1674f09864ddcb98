import { availableParallelism } from 'node:os';
import type { VerifyTarget } from '../../findings/options.ts';
import { usefulJobs } from '../../verify/pool.ts';
import { totalBytes } from '../targets/verify-targets.ts';

/** The threads that `--jobs` asks for: more than there are cores only take memory. */
export function threadsWanted(jobs: number | undefined): number {
  const cores = availableParallelism();
  return Math.min(jobs ?? cores, cores);
}

/** How many of so many threads are worth starting for targets; 0 where this thread is as quick. */
export function usefulThreads(jobs: number, targets: readonly VerifyTarget[]): Promise<number> {
  const isPacked = targets.some(({ packed }) => packed !== undefined);
  // Nobody knows how many episodes an archive holds.
  const count = isPacked ? Number.MAX_SAFE_INTEGER : targets.length;
  return usefulJobs(jobs, count, () => totalBytes(targets));
}
