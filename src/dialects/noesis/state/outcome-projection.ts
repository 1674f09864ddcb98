import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { Evidence } from '../../../findings/projection/evidence.ts';
import { type Act, type ActMember, writeAction } from '../act/action.ts';
import { isTruthy, timeOf } from '../event/kinds.ts';
import { isExtension } from '../event/vocabulary.ts';

/** The outcome that a `run.state_projection` event says was stored (noesis.md §5.2). */
export interface PersistedOutcome {
  outcomes: { status: string; summary: string | null; metrics: JsonObject };
  links: Record<string, string>;
}

/** Reads a `run.state_projection` event. Returns null for an invalid payload, which has its own finding. */
export function persistedOutcome(event: JsonObject): PersistedOutcome | null {
  const { payload } = event;
  if (!isObject(payload)) return null;
  const { outcomes, links } = payload;
  if (!isObject(outcomes) || !isObject(links) || typeof outcomes['status'] !== 'string') return null;
  const { status, summary, metrics } = outcomes;
  const texts = Object.entries(links).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return {
    outcomes: {
      status,
      summary: typeof summary === 'string' ? summary : null,
      metrics: isObject(metrics) ? metrics : {},
    },
    links: Object.fromEntries(texts),
  };
}

/** An action in the shape of state.json. */
export interface ProjectedAction {
  readonly action: JsonObject;
  readonly source: Evidence;
}

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
