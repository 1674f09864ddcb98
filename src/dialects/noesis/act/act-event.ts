import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { Evidence } from '../../../findings/projection/evidence.ts';
import { isTruthy, timeOf } from '../event/kinds.ts';
import { isExtension } from '../event/vocabulary.ts';
import { type Act, type ActMember, writeAction } from './action.ts';

/** An action in the shape of state.json. */
export interface ProjectedAction {
  readonly action: JsonObject;
  readonly source: Evidence;
}

/** An act as a parsed event. */
class ActEvent implements Act<JsonValue> {
  readonly #payload: JsonObject;
  readonly time: string | undefined;

  constructor(payload: JsonObject, time: string | undefined) {
    this.#payload = payload;
    this.time = time;
  }

  get(member: ActMember): JsonValue | undefined {
    return this.#payload[member] ?? undefined;
  }

  isText(value: JsonValue): boolean {
    return typeof value === 'string';
  }

  isTruthy(value: JsonValue): boolean {
    return isTruthy(value);
  }

  extensions(): Iterable<readonly [string, JsonValue]> {
    return Object.entries(this.#payload).filter(([key]) => isExtension(key));
  }
}

/** The action of an act event, also without an id; undefined for a roll-up, see {@link writeAction}. */
export function actionOf(event: JsonObject): JsonObject | undefined {
  const { phase, payload } = event;
  if (phase !== 'act' || !isObject(payload)) return undefined;
  const action: JsonObject = {};
  const put = (key: string, value: JsonValue): void => {
    action[key] = value;
  };
  return writeAction(new ActEvent(payload, timeOf(event)), { put, extend: put }) ? action : undefined;
}
