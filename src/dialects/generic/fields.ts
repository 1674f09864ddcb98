import { isNumber } from '../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { parseInstant } from '../../base/time/instant.ts';
import { firstLine } from '../kit/excerpt.ts';
import { membersText, viewText } from '../kit/state-view.ts';
import type { FieldMap } from './format.ts';

/** Common names of members, most likely first. */
const USUAL: Readonly<Record<keyof FieldMap, readonly string[]>> = {
  id: ['id', 'uuid', 'eventId', 'event_id'],
  parent: ['caused_by', 'causationId', 'parentUuid', 'parent_id', 'parentId'],
  time: ['timestamp', 'created_at', 'time', 'ts', '@timestamp', 'createdAt'],
  type: ['event_type', 'type', 'event', 'kind', 'topic', 'phase', 'role'],
  agent: ['agent_id', 'agentId', 'agent', 'actor'],
  // A sequence is only checked if the user names its member.
  ordinal: [],
  text: [
    'message',
    'text',
    'content',
    'msg',
    'summary',
    'description',
    'detail',
    'error',
    'output',
    'prompt',
    'name',
  ],
};

type FieldName = keyof FieldMap;

/** The value at a path of a record. */
export function memberAt(event: JsonObject, path: string): JsonValue | undefined {
  // The name of a member may contain a dot.
  if (Object.hasOwn(event, path)) return event[path];
  let value: JsonValue | undefined = event;
  for (const key of path.split('.'))
    value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

const isPlain = (value: JsonValue | undefined): boolean =>
  (typeof value === 'string' && value !== '') || isNumber(value);

/** The name of the member for a field: the one that the user mapped, else a common name that has a value. */
export function memberFor(event: JsonObject, name: FieldName, map: FieldMap): string | undefined {
  const named = map[name];
  if (named !== undefined) return named;
  return USUAL[name].find((one) => Object.hasOwn(event, one) && isPlain(event[one]));
}

/** The value of a field as text. A number is written as in the log. */
export function textFor(event: JsonObject, name: FieldName, map: FieldMap): string | undefined {
  const member = memberFor(event, name, map);
  const value = member === undefined ? undefined : memberAt(event, member);
  if (typeof value === 'string') return value === '' ? undefined : value;
  return isNumber(value) ? viewText(value) : undefined;
}

/** Numbers up to these limits are seconds, milliseconds or microseconds since 1970; larger ones are nanoseconds. */
const SECONDS = 1e11;
const MILLISECONDS = 1e14;
const MICROSECONDS = 1e17;

function milliseconds(count: number): number {
  const size = Math.abs(count);
  if (size < SECONDS) return count * 1000;
  if (size < MILLISECONDS) return count;
  return size < MICROSECONDS ? count / 1000 : count / 1e6;
}

/** The end of the year 9999. Larger numbers are not times. */
const LATEST = 253_402_300_799_999;

/** The time of an event in ISO 8601. A number counts seconds, milliseconds, microseconds or nanoseconds since 1970. */
export function timeFor(event: JsonObject, map: FieldMap): string | undefined {
  const text = textFor(event, 'time', map);
  if (text === undefined || !/^-?\d+(?:\.\d+)?$/.test(text) || parseInstant(text) !== undefined) return text;
  const instant = milliseconds(Number(text));
  return Math.abs(instant) <= LATEST ? new Date(instant).toISOString() : text;
}

/** Members that may contain the text of an event. */
const INSIDE = ['payload', 'data', 'body', 'attributes', 'params', 'args'];

function mainTextIn(event: JsonObject, map: FieldMap): string | undefined {
  for (const name of USUAL.text) {
    const value = event[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
    const inner = isObject(value) ? (value['message'] ?? value['text']) : undefined;
    if (typeof inner === 'string' && inner.trim() !== '') return inner;
    if (Array.isArray(value)) {
      const texts = value.flatMap((part) =>
        isObject(part) && typeof part['text'] === 'string' ? [part['text']] : [],
      );
      if (texts.length > 0) return texts.join(' ');
    }
  }
  for (const name of INSIDE) {
    const inner = event[name];
    const text = isObject(inner) ? mainTextIn(inner, map) : typeof inner === 'string' ? inner : undefined;
    if (text !== undefined && text.trim() !== '') return text;
  }
  return undefined;
}

/**
 * The text of an event for the last column: the most informative text, else all members that other columns do not show.
 */
export function describeEvent(event: JsonObject, map: FieldMap): string {
  const named = map.text === undefined ? undefined : memberAt(event, map.text);
  if (typeof named === 'string') return firstLine(named);
  if (named !== undefined) return viewText(named);
  const text = mainTextIn(event, map);
  if (text !== undefined) return firstLine(text);
  if (isObject(event['payload'])) return viewText(event['payload']);
  const shown = new Set((['time', 'type', 'id'] as const).map((name) => memberFor(event, name, map)));
  return membersText(Object.entries(event).filter(([key]) => !shown.has(key)));
}

/** The members of records that serve as id, time and so on, in words. */
export function fieldsFound(records: readonly JsonObject[], map: FieldMap): string {
  const names: readonly FieldName[] = ['id', 'parent', 'time', 'type', 'agent'];
  return names
    .flatMap((name) => {
      const member = records.map((record) => memberFor(record, name, map)).find((one) => one !== undefined);
      return member === undefined ? [] : [`${name} from ${member}`];
    })
    .join(', ');
}
