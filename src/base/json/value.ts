import { isNumber, isSameNumber, StoredNumber } from './stored-number.ts';

/** A JSON value: as `JSON.parse` returns it, or with a StoredNumber for each number that a double would change. */
export type JsonValue = null | boolean | number | StoredNumber | string | JsonValue[] | JsonObject;

/** A JSON object; every key may be absent. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Whether a value is a JSON object: not null, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof StoredNumber)
  );
}

/** The name JSON gives to a value's kind. */
export function kindOf(
  value: unknown,
): 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' | 'nothing' {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isNumber(value)) return 'number';
  return typeof value as 'object' | 'string' | 'number' | 'boolean';
}

/** Whether two JSON values are equal: order counts in arrays and not among keys; `1` and `1.0` are one number. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b || isSameNumber(a, b)) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => jsonEqual(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]))
  );
}
