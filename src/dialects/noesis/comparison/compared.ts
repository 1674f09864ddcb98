import type { JsonPath } from '../../../json/path.ts';
import { isObject, type JsonValue } from '../../../json/value.ts';
import type { Difference } from '../../../projection/difference.ts';
import type { NotCompared } from '../../../projection/projector.ts';
import type { NoesisEvidence } from '../projection/state-fold.ts';
import type { Known } from './state-lag.ts';

/** The two sides of a comparison: the evidence of the log, and a stored state.json. */
export interface Compared extends NoesisEvidence {
  readonly stored: unknown;
  /** The states that are possible if the state may lag behind its log; undefined if it must be current. */
  readonly known: Known | undefined;
  /** Whether there must be an event for the last state. */
  readonly isToldOf: boolean;
}

/** A member of an object; undefined for other values. */
export function member(value: unknown, key: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The comparison of one part of state.json. */
export interface PartAnswer {
  /** The compared paths. Each covers everything below, except `differences` and `notCompared`. */
  readonly compared: readonly JsonPath[];
  readonly differences: readonly Difference[];
  /** Differences that the log or the format explains, so they do not contradict the state. */
  readonly notCompared: readonly NotCompared[];
}

export const NOTHING_COMPARED: PartAnswer = { compared: [], differences: [], notCompared: [] };
