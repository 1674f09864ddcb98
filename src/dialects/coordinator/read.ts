import { isNumber } from '../../json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { stringIn } from '../excerpt.ts';
import { ALIASES, ENVELOPE_KEYS } from './vocabulary.ts';

/** The log in a plan's folder, and what is next to it (coordinator.md §1). */
export const LOG_FILE = 'event-log.jsonl';
export const STATE_FILE = 'state.json';

/** An event as the folds and the rules ask it, wherever its writer put things (coordinator.md §2). */
export interface CoordinatorEvent {
  readonly type: string;
  /** The member with the type: `event` is a known mistake. */
  readonly typeKey: 'event_type' | 'event';
  readonly timestamp: string | undefined;
  readonly sessionId: string | undefined;
  readonly agentId: string | undefined;
  readonly taskId: string | undefined;
  /** A detail: from `details`, else from the top, else under another document's name for it. Null counts as absent. */
  readonly detail: (name: string) => JsonValue | undefined;
  readonly stored: JsonObject;
}

/** An event as most rules need it: its stored time, and ids as ordinals. */
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

/** An id: from the top, else from the details, which may have to be parsed for it. */
function idOf(event: JsonObject, name: string): string | undefined {
  return idText(own(event, name) ?? firstOf(event, detailsOf(event), name));
}

/** An id as text: writers have been seen to leave the quotes out of numbers. */
function idText(value: JsonValue | undefined): string | undefined {
  if (isNumber(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A detail of an event: see {@link CoordinatorEvent.detail}. */
export function detailOf(event: JsonObject, name: string): JsonValue | undefined {
  return firstOf(detailsOf(event), event, name);
}

/**
 * Reads an event, parsing as little as possible; undefined without a type. Ids are searched at the top level
 * first, then in details.
 */
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

const ENVELOPE: ReadonlySet<string> = new Set([...ENVELOPE_KEYS, 'event']);
const IDS = ['agent_id', 'task_id'];

/** An event in the form of its document, wherever its writer put things: ids at the top, all else in the details. */
export function nestedEvent(stored: JsonObject): JsonObject {
  const event = readEvent(stored);
  if (event === undefined) return stored;
  const { type, agentId = null, taskId = null } = event;
  const flat = Object.entries(stored).filter(([name]) => !ENVELOPE.has(name));
  const details = Object.entries({ ...Object.fromEntries(flat), ...detailsOf(stored) });
  // An id in the details, or under another name, that equals the one at the top level.
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

/** The ids in a list of ids, or of rows with one. Writers have been seen to leave the quotes out of numbers. */
export function idsIn(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    const id = isObject(item) ? item['task_id'] : item;
    return typeof id === 'string' || isNumber(id) ? [String(id)] : [];
  });
}
