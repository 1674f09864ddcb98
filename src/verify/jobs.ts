import type { VerifyTarget } from '../findings/options.ts';
import type { EpisodeReport } from '../findings/report.ts';

export interface Verified {
  readonly report: EpisodeReport;
  /** The report came from the cache. */
  readonly cached?: true;
  /** It has no cached verdict and is not due in this run, so there is nothing to report. */
  readonly skipped?: true;
}

/** A target to verify, or its report. */
export type Job =
  | {
      readonly target: VerifyTarget;
      /** Called once with the report. Returns the report to show. */
      finish?(report: EpisodeReport): EpisodeReport;
      /** The creator of the job reports the result itself, later. */
      readonly held?: true;
    }
  /** No later job starts until this promise resolves. */
  | { readonly wait: Promise<void> }
  /** A report that needs no verification. */
  | { readonly known: EpisodeReport };

/** The source of jobs, in report order. */
export interface JobSource {
  /** The next job; undefined at the end. Not called again before it resolves. */
  next(): Promise<Job | undefined>;
  /** The number of remaining jobs, as far as known. */
  left(): number;
}
