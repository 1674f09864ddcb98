import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Evidence } from '../../projection/evidence.ts';
import { type Act, type ActMember, tellAction } from './action.ts';
import { isTruthy } from './event-kinds.ts';
import { isExtension } from './vocabulary.ts';

/** What a `run.state_projection` event says was persisted (noesis.md §5.2). */
export interface PersistedOutcome {
  outcomes: { status: string; summary: string | null; metrics: JsonObject };
  links: Record<string, string>;
}

/**
 * The outcome a `run.state_projection` event carries; null where its payload is not of the form: what is not whole is
 * said of the event, and nothing of it is projected.
 */
export function persistedOutcome(event: JsonObject): PersistedOutcome | null {
  const { payload } = event;
  if (!isObject(payload)) return null;
  const { outcomes, links, status: said } = payload;
  if (!isObject(outcomes) || !isObject(links) || typeof outcomes['status'] !== 'string') return null;
  if (said !== undefined && typeof said !== 'string') return null;
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

/** An action as the log gives it, in the shape of state.json. */
export interface ProjectedAction {
  readonly action: JsonObject;
  readonly source: Evidence;
}

/** When an event happened: its timestamp, else when its work was completed. */
export function timeOf(event: JsonObject): string | undefined {
  const { timestamp, metrics } = event;
  if (typeof timestamp === 'string') return timestamp;
  const completed = isObject(metrics) ? metrics['completed_at'] : undefined;
  return typeof completed === 'string' ? completed : undefined;
}

/** An event whose phase is act. */
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

/** The action record that an act event mirrors; undefined where {@link tellAction} knows none. */
export function projectAction(event: JsonObject): JsonObject | undefined {
  const { phase, payload } = event;
  if (phase !== 'act' || !isObject(payload)) return undefined;
  const action: JsonObject = {};
  const put = (key: string, value: JsonValue): void => {
    action[key] = value;
  };
  return tellAction(new ActEvent(payload, timeOf(event)), { put, extend: put }) ? action : undefined;
}
