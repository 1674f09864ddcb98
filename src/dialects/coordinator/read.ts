import { isNumber } from '../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue, jsonEqual } from '../../base/json/value.ts';
import { textOf } from '../../base/json/write.ts';
import { stringIn } from '../kit/members.ts';
import { ALIASES, ENVELOPE, IDS } from './vocabulary.ts';

/** The log in the folder of a plan, and its state (coordinator.md §1). */
export const LOG_FILE = 'event-log.jsonl';
export const STATE_FILE = 'state.json';

/** An event, independent of where its writer put the values (coordinator.md §2). */
export interface CoordinatorEvent {
  readonly type: string;
  /** The member that has the type. Writers use `event` by mistake. */
  readonly typeKey: 'event_type' | 'event';
  readonly timestamp: string | undefined;
  readonly sessionId: string | undefined;
  readonly agentId: string | undefined;
  readonly taskId: string | undefined;
  /** A detail: from `details`, else from the top level, else under another name. Null counts as absent. */
  readonly detail: (name: string) => JsonValue | undefined;
  readonly stored: JsonObject;
}

/** The part of an event that most rules need. They read time and ids from columns. */
export type CheckedEvent = Omit<CoordinatorEvent, 'timestamp' | 'agentId' | 'taskId'>;

const own = (object: JsonObject, key: string): JsonValue | undefined => {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return value === null ? undefined : value;
};

/** The details of an event; an empty object if it has none. */
export function detailsOf({ details }: JsonObject): JsonObject {
  return isObject(details) ? details : {};
}

function firstOf(first: JsonObject, second: JsonObject, name: string): JsonValue | undefined {
  const value = own(first, name) ?? own(second, name);
  if (value !== undefined) return value;
  for (const alias of ALIASES.get(name) ?? []) {
    const other = own(first, alias) ?? own(second, alias);
    if (other !== undefined) return other;
  }
  return undefined;
}

/** An id from the top level, else from the details. */
function idOf(event: JsonObject, name: string): string | undefined {
  return idText(own(event, name) ?? firstOf(event, detailsOf(event), name));
}

/** An id as text. Some writers write numbers. */
function idText(value: JsonValue | undefined): string | undefined {
  if (isNumber(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A detail of an event: see {@link CoordinatorEvent.detail}. */
export function detailOf(event: JsonObject, name: string): JsonValue | undefined {
  return firstOf(detailsOf(event), event, name);
}

/** Reads an event; undefined if it has no type. Ids at the top level win over those in details. */
export function readEvent(event: JsonObject): CoordinatorEvent | undefined {
  const named = stringIn(event, 'event_type');
  const type = named ?? stringIn(event, 'event');
  if (type === undefined) return undefined;
  return {
    type,
    typeKey: named === undefined ? 'event' : 'event_type',
    timestamp: stringIn(event, 'timestamp'),
    sessionId: idText(own(event, 'session_id')),
    agentId: idOf(event, 'agent_id'),
    taskId: idOf(event, 'task_id'),
    detail: (name) => detailOf(event, name),
    stored: event,
  };
}

/** The names of the values that an event has at its top and, differently, in its details. Null counts as absent. */
export function conflictsIn(event: JsonObject): string[] {
  const details = detailsOf(event);
  return Object.keys(details).filter((name) => {
    // Most details are in one place only.
    if (!Object.hasOwn(event, name) || name === 'details' || name === 'event') return false;
    const [outside, inside] = [own(event, name), own(details, name)];
    return outside !== undefined && inside !== undefined && !jsonEqual(outside, inside);
  });
}

/** An event in the documented form: ids at the top level, everything else in details. */
export function nestedEvent(stored: JsonObject): JsonObject {
  const event = readEvent(stored);
  if (event === undefined) return stored;
  const { type, agentId = null, taskId = null } = event;
  const flat = Object.entries(stored).filter(([name]) => !ENVELOPE.has(name) && name !== 'event');
  const details = Object.entries({ ...Object.fromEntries(flat), ...detailsOf(stored) });
  // Removes ids from the details that equal those at the top level.
  const ids = new Map(IDS.flatMap((name) => [name, ...(ALIASES.get(name) ?? [])].map((one) => [one, name])));
  const isCopy = ([name, value]: readonly [string, JsonValue | undefined]) =>
    ids.has(name) && value === (ids.get(name) === 'agent_id' ? agentId : taskId);
  return {
    timestamp: stored['timestamp'] ?? null,
    sequence: stored['sequence'] ?? null,
    session_id: stored['session_id'] ?? null,
    event_type: type,
    agent_id: agentId,
    task_id: taskId,
    details: Object.fromEntries(details.filter((detail) => !isCopy(detail))),
  };
}

const HAS_CLOCK = /\d[T ]\d/i;
const ENDS_IN_OFFSET = /(?:Z|[+-]\d{2}(?::?\d{2}){0,2})$/i;

/** Whether a time has an offset: `2026-01-17T09:01:00Z`, but not `2026-01-17T09:01:00` or `2026-01-17`. */
export const hasOffset = (time: string): boolean => HAS_CLOCK.test(time) && ENDS_IN_OFFSET.test(time);

/** The ids in a list of ids or of rows. Some writers write numbers. */
export function idsIn(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    const id = isObject(item) ? item['task_id'] : item;
    return typeof id === 'string' || isNumber(id) ? [String(id)] : [];
  });
}

/** A detail that is a text or a list of texts. */
export function textsIn({ detail }: Pick<CoordinatorEvent, 'detail'>, name: string): string | undefined {
  const value = detail(name);
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' && value !== '' ? value : undefined;
}
