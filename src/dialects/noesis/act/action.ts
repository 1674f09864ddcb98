import type { JsonValue } from '../../../base/json/value.ts';

/** The members of an act's payload that form its action. */
export type ActMember =
  | 'synthetic'
  | 'action_id'
  | 'kind'
  | 'tool'
  | 'input_excerpt'
  | 'result_status'
  | 'outcome'
  | 'step_id'
  | 'provenance'
  | 'result_artifacts';

/** An act, read from an object or from a row. `Value` is how the reader represents a value. */
export interface Act<Value> {
  /** A member of the payload; undefined if it is absent or null. */
  get(member: ActMember): Value | undefined;
  /** The time of the act; see `timeOf`. */
  readonly time: Value | undefined;
  isText(value: Value): boolean;
  /** See `isTruthy`. */
  isTruthy(value: Value): boolean;
  /** The payload members with names that begin with `x-`. */
  extensions(): Iterable<readonly [key: string, value: JsonValue]>;
}

/** Receives the members of an action in order. */
export interface ActionMembers<Value> {
  put(key: string, value: Value): void;
  extend(key: string, value: JsonValue): void;
}

const UNCHANGED = ['kind', 'tool', 'input_excerpt'] as const;
const UNLESS_EMPTY = ['provenance', 'result_artifacts'] as const;

/** Whether an act has an id for its action. Older runtimes and other programs leave it out. */
export function isNamed<Value>(act: Act<Value>): boolean {
  const id = act.get('action_id');
  return id !== undefined && act.isText(id);
}

/**
 * Calls `action` for each member of an act's action, without `id` if the act has none. Returns false for roll-ups, which
 * have `synthetic` (noesis.md §5.2).
 */
export function writeAction<Value>(act: Act<Value>, action: ActionMembers<Value>): boolean {
  const synthetic = act.get('synthetic');
  if (synthetic !== undefined && act.isTruthy(synthetic)) return false;
  const id = act.get('action_id');
  if (id !== undefined && act.isText(id)) action.put('id', id);
  for (const key of UNCHANGED) {
    const value = act.get(key);
    if (value !== undefined) action.put(key, value);
  }
  const result = act.get('result_status') ?? act.get('outcome');
  if (result !== undefined) action.put('result_status', result);
  const { time } = act;
  if (time !== undefined) action.put('timestamp', time);
  const step = act.get('step_id');
  if (step !== undefined && act.isText(step) && act.isTruthy(step)) action.put('step_id', step);
  for (const key of UNLESS_EMPTY) {
    const value = act.get(key);
    if (value !== undefined && act.isTruthy(value)) action.put(key, value);
  }
  for (const [key, value] of act.extensions()) action.extend(key, value);
  return true;
}
