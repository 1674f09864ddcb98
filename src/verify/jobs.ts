import type { VerifyTarget } from '../findings/options.ts';
import type { EpisodeReport } from '../findings/report.ts';

/** What came of a target. */
export interface Verified {
  readonly report: EpisodeReport;
  /** The report came from the cache. */
  readonly cached?: true;
  /** Nothing is known of it, and it is not its turn: there is nothing to tell. */
  readonly skipped?: true;
}

/** One target on its way to its report. */
export type Job =
  | {
      readonly target: VerifyTarget;
      /** Called once, when it has been verified: the report as it is to be told. */
      finish?(report: EpisodeReport): EpisodeReport;
      /** Whoever made the job tells the report in its own time. */
      readonly held?: true;
    }
  /** Nothing more comes before this is over; it waits for jobs that were given before. */
  | { readonly wait: Promise<void> }
  /** What is known without a verification. */
  | { readonly known: EpisodeReport };

/** Where jobs come from, in the order of the report. */
export interface JobSource {
  /** The next one; undefined when there are no more. Never asked again before it has answered. */
  next(): Promise<Job | undefined>;
  /** How many are still to come, as far as that is known. */
  left(): number;
}
