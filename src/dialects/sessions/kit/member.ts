import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';

/** The latest time that a date can have, in milliseconds since 1970. */
const LATEST = 8.64e15;

/** The value of a member, which may be inside others: `info.id`. */
function valueAt(event: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = event;
  for (const key of path.split('.')) value = isObject(value) ? value[key] : undefined;
  return value;
}

/** The text of a member; undefined if it is empty or another value. */
export function textAt(event: JsonObject, path: string): string | undefined {
  const value = path.includes('.') ? valueAt(event, path) : event[path];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A stored time as text. A number counts milliseconds since 1970. */
export function timeOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' && Math.abs(value) <= LATEST ? new Date(value).toISOString() : undefined;
}

/** The time in a member. */
export const timeAt = (event: JsonObject, path: string): string | undefined => timeOf(valueAt(event, path));
