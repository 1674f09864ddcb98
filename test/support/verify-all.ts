import type { VerifyTarget } from '../../src/findings/options.ts';
import type { EpisodeReport } from '../../src/findings/report.ts';
import type { Job, JobSource } from '../../src/verify/jobs.ts';
import { type PoolOptions, verifyEach } from '../../src/verify/pool.ts';
import type { RunSettings } from '../../src/verify/run.ts';

/** A source of known jobs. */
export function jobsOf(jobs: readonly Job[]): JobSource {
  let at = 0;
  return {
    next: async () => jobs[at++],
    left: () => Math.max(0, jobs.length - at),
  };
}

/** Verifies many targets; the reports come in their order. */
export async function verifyAll(
  targets: readonly VerifyTarget[],
  settings: RunSettings,
  options: PoolOptions,
): Promise<EpisodeReport[]> {
  const reports: EpisodeReport[] = [];
  const source = jobsOf(targets.map((target) => ({ target })));
  await verifyEach(source, settings, options, ({ report }) => {
    reports.push(report);
  });
  return reports;
}
