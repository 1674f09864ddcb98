import type { PlanFold } from '../plan/plan-fold.ts';
import type { NoesisEvidence } from './state-fold.ts';

/** The part of the log that a state could contain if it was written during the run. */
export interface Known {
  /** The number of the log's actions. */
  readonly actions: number;
  /** The plan to compare with the stored one; undefined if that equals a plan of the right time. */
  readonly plan: PlanFold | undefined;
}

/** The two sides of a comparison: the evidence from the log, and the stored state.json. */
export interface Compared extends NoesisEvidence {
  readonly stored: unknown;
  /** What the state could know if it may lag behind its log; undefined if it must be current. */
  readonly known: Known | undefined;
  /** Whether the log must have an event about the last state. */
  readonly isInLog: boolean;
}
