import { isObject, type JsonValue } from '../../json/value.ts';
import type { NoesisEvidence } from './state-fold.ts';
import type { Known } from './state-lag.ts';

/** The two sides of a comparison: what the log gives, and a stored state.json. */
export interface Compared extends NoesisEvidence {
  readonly stored: unknown;
  /** What a state that may lag behind its log could know; undefined where it must hold all of it. */
  readonly known: Known | undefined;
  /** Whether the event that tells of the last state must be there. */
  readonly isToldOf: boolean;
}

/** A member of an object; undefined for every other value. */
export function member(value: unknown, key: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
