import type { JsonPath } from '../../base/json/path.ts';
import { isNumber } from '../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Difference } from '../../findings/projection/difference.ts';
import type { NotCompared } from '../../findings/projection/projector.ts';

/** A member of an object; undefined for other values. */
export function member(value: unknown, key: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Why an older runtime's log has no evidence for a part of the state. */
export const SET_IN_STATE = 'an older runtime wrote this log, and set it only in the state';
export const ACT_WITHOUT_TIME = 'the act has no time';
export const ACT_WITHOUT_ID = 'the act has no action_id, and does not contain it';
export const MAY_BE_LEFT_OUT = 'a state need not list an act without an action_id';
export const NOT_SAID = 'neither start nor observe contains it';

/** The reasons that mean that the log has no evidence. `verify` lists the parts that have one. */
export const NO_EVIDENCE: ReadonlySet<string> = new Set([
  SET_IN_STATE,
  ACT_WITHOUT_TIME,
  ACT_WITHOUT_ID,
  NOT_SAID,
]);

const isEmpty = (value: JsonValue): boolean =>
  value === null ||
  value === '' ||
  (typeof value === 'object' && !isNumber(value) && Object.keys(value).length === 0);

/**
 * A stored object without the empty members that the projected one lacks, because an empty member counts as absent.
 * `keys`: the members that may be empty; all if absent.
 */
export function withoutEmpty(stored: JsonObject, projected: object, keys?: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(stored).filter(
      ([key, value]) => (keys && !keys.includes(key)) || !isEmpty(value) || Object.hasOwn(projected, key),
    ),
  );
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
