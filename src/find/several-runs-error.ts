import { TargetError } from '../base/errors.ts';
import { listed } from '../base/text/listed.ts';
import type { EpisodeSummary } from './summary.ts';

/** The number of runs that the error names. */
export const MOST_MEANT = 10;

/** A run that an ambiguous target may mean, with a short name that commands accept. */
export interface MeantRun {
  readonly id: string;
  readonly summary: EpisodeSummary;
}

/** The error for a target that means several runs. */
export class SeveralRunsError extends TargetError {
  /** The message without the runs. */
  readonly brief: string;
  /** The newest of the runs, newest first. */
  readonly runs: readonly MeantRun[];
  /** The number of all. */
  readonly total: number;

  constructor(
    brief: string,
    details: {
      readonly names: readonly string[];
      readonly runs: readonly MeantRun[];
      readonly hint: string;
    },
  ) {
    const { names, runs, hint } = details;
    super('target-ambiguous', `${brief}: ${listed(names, MOST_MEANT)}`, { hint });
    this.brief = brief;
    this.runs = runs;
    this.total = names.length;
  }
}
