import type { JsonPath } from '../../../base/json/path.ts';
import { isObject, type JsonValue } from '../../../base/json/value.ts';
import type { Difference } from '../../../findings/projection/difference.ts';
import type { NotCompared } from '../../../findings/projection/projector.ts';
import type { PlanFold } from '../projection/plan-projection.ts';
import type { NoesisEvidence } from '../projection/state-fold.ts';
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

/** A member of an object; undefined for other values. */
export function member(value: unknown, key: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The comparison of one part of state.json. */
export interface PartAnswer {
  /** The compared paths. Each covers everything below it, except `differences` and `notCompared`. */
  readonly compared: readonly JsonPath[];
  readonly differences: readonly Difference[];
  /** Differences that the log or the format explains, so they do not contradict the state. */
  readonly notCompared: readonly NotCompared[];
}

export const NOTHING_COMPARED: PartAnswer = { compared: [], differences: [], notCompared: [] };
