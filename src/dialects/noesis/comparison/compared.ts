import { isObject, type JsonValue } from '../../../json/value.ts';
import type { NoesisEvidence } from '../projection/state-fold.ts';
import type { Known } from './state-lag.ts';

/** The two sides of a comparison: the evidence of the log, and a stored state.json. */
export interface Compared extends NoesisEvidence {
  readonly stored: unknown;
  /** What a state could know if it may lag behind its log; undefined if it must be current. */
  readonly known: Known | undefined;
  /** Whether there must be an event for the last state. */
  readonly isToldOf: boolean;
}

/** A member of an object; undefined for other values. */
export function member(value: unknown, key: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
