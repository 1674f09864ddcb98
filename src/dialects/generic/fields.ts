import { isNumber } from '../../json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { writeJson } from '../../json/write.ts';
import { parseInstant } from '../../time/instant.ts';
import { firstLine } from '../excerpt.ts';
import type { FieldMap } from './format.ts';

/** Names under which event logs of many makes keep the same thing, the likeliest first. */
const USUAL: Readonly<Record<keyof FieldMap, readonly string[]>> = {
  id: ['id', 'uuid', 'eventId', 'event_id'],
  parent: ['caused_by', 'causationId', 'parentUuid', 'parent_id', 'parentId'],
  time: ['timestamp', 'created_at', 'time', 'ts', '@timestamp', 'createdAt'],
  type: ['event_type', 'type', 'event', 'kind', 'topic', 'phase', 'role'],
  agent: ['agent_id', 'agentId', 'agent', 'actor'],
  // A number that looks like one need not be: it is taken from those who say so.
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

/** What a record may be asked for. */
export type FieldName = keyof FieldMap;

/** What a record has at a path of members. */
export function memberAt(event: JsonObject, path: string): JsonValue | undefined {
  // A member may have a dot in its name.
  if (Object.hasOwn(event, path)) return event[path];
  let value: JsonValue | undefined = event;
  for (const key of path.split('.'))
    value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

const isPlain = (value: JsonValue | undefined): boolean =>
  (typeof value === 'string' && value !== '') || isNumber(value);

/** The member of a record that is what is asked for: the one that was named, else one under a usual name. */
export function memberFor(event: JsonObject, name: FieldName, map: FieldMap): string | undefined {
  const named = map[name];
  if (named !== undefined) return named;
  return USUAL[name].find((one) => Object.hasOwn(event, one) && isPlain(event[one]));
}

/** Its value as a text; a number as it is written. */
export function textFor(event: JsonObject, name: FieldName, map: FieldMap): string | undefined {
  const member = memberFor(event, name, map);
  const value = member === undefined ? undefined : memberAt(event, member);
  if (typeof value === 'string') return value === '' ? undefined : value;
  return isNumber(value) ? writeJson(value) : undefined;
}

/** Numbers below these are seconds, milliseconds and microseconds since 1970; those above are nanoseconds. */
const SECONDS = 1e11;
const MILLISECONDS = 1e14;
const MICROSECONDS = 1e17;

function milliseconds(count: number): number {
  const size = Math.abs(count);
  if (size < SECONDS) return count * 1000;
  if (size < MILLISECONDS) return count;
  return size < MICROSECONDS ? count / 1000 : count / 1e6;
}

/** The latest year that a number is taken to mean: 9999. */
const LATEST = 253_402_300_799_999;

/** When an event was, as ISO 8601: a text that says it, or seconds to nanoseconds since 1970. */
export function timeFor(event: JsonObject, map: FieldMap): string | undefined {
  const text = textFor(event, 'time', map);
  if (text === undefined || !/^-?\d+(?:\.\d+)?$/.test(text) || parseInstant(text) !== undefined) return text;
  const instant = milliseconds(Number(text));
  return Math.abs(instant) <= LATEST ? new Date(instant).toISOString() : text;
}

/** Members that hold what an event is about. */
const INSIDE = ['payload', 'data', 'body', 'attributes', 'params', 'args'];

function tellingIn(event: JsonObject, map: FieldMap): string | undefined {
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
    const text = isObject(inner) ? tellingIn(inner, map) : typeof inner === 'string' ? inner : undefined;
    if (text !== undefined && text.trim() !== '') return text;
  }
  return undefined;
}

/** What an event says, for the last column: the text that tells most, else all that no other column shows. */
export function describeEvent(event: JsonObject, map: FieldMap): string {
  const named = map.text === undefined ? undefined : memberAt(event, map.text);
  if (typeof named === 'string') return firstLine(named);
  if (named !== undefined) return writeJson(named);
  const text = tellingIn(event, map);
  if (text !== undefined) return firstLine(text);
  if (isObject(event['payload'])) return writeJson(event['payload']);
  const shown = new Set((['time', 'type', 'id'] as const).map((name) => memberFor(event, name, map)));
  return writeJson(Object.fromEntries(Object.entries(event).filter(([key]) => !shown.has(key))));
}

/** Which members of some records are taken for what, in words. */
export function fieldsFound(records: readonly JsonObject[], map: FieldMap): string {
  const names: readonly FieldName[] = ['id', 'parent', 'time', 'type', 'agent'];
  return names
    .flatMap((name) => {
      const member = records.map((record) => memberFor(record, name, map)).find((one) => one !== undefined);
      return member === undefined ? [] : [`${name} from ${member}`];
    })
    .join(', ');
}
