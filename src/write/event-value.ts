import { EventError } from '../base/errors.ts';
import { MAX_DEPTH } from '../base/json/limits.ts';
import { StoredNumber } from '../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json/value.ts';

class NoJson extends Error {}

const NO_FORM: Readonly<Record<string, string>> = {
  undefined: 'undefined',
  function: 'a function',
  symbol: 'a symbol',
  bigint: 'a BigInt',
};

/** Extends a path for messages: `payload.items[3]`. */
const below = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

const refuse = (path: string, why: string): NoJson => new NoJson(path === '' ? why : `${path}: ${why}`);

function numberOf(value: number, path: string): number {
  if (!Number.isFinite(value)) throw refuse(path, `JSON cannot store ${value}`);
  if (Object.is(value, -0)) throw refuse(path, 'JSON stores -0 as 0');
  return value;
}

const className = (value: object): string =>
  Object.prototype.toString.call(value).slice('[object '.length, -1);

function listOf(list: readonly unknown[], path: string, depth: number): JsonValue[] {
  if (Object.keys(list).length !== list.length)
    throw refuse(path, 'JSON cannot store a list with holes or with names');
  return list.map((item, index) => jsonOf(item, `${path}[${index}]`, depth + 1));
}

function objectOf(object: object, path: string, depth: number): JsonObject {
  if (
    Object.getOwnPropertySymbols(object).some((symbol) =>
      Object.prototype.propertyIsEnumerable.call(object, symbol),
    )
  )
    throw refuse(path, 'JSON cannot store a key that is a symbol');
  // An undefined member counts as absent.
  const entries = Object.entries(object).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.map(([key, member]) => [key, jsonOf(member, below(path, key), depth + 1)]),
  );
}

/** Converts a value to JSON. Refuses a value that would be stored as something else. */
function jsonOf(value: unknown, path: string, depth: number): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return numberOf(value, path);
  if (typeof value !== 'object') throw refuse(path, `JSON cannot store ${NO_FORM[typeof value]}`);
  if (value instanceof StoredNumber) return value;
  if (depth > MAX_DEPTH) throw refuse('', `it is circular, or nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) return listOf(value, path, depth);
  // Buffer has a toJSON, but its output is not what readers expect.
  const stored = !ArrayBuffer.isView(value) && 'toJSON' in value ? value.toJSON : undefined;
  if (typeof stored === 'function') {
    const own: unknown = stored.call(value, '');
    if (own === null || own === value) throw refuse(path, `JSON cannot store this ${className(value)}`);
    return jsonOf(own, path, depth + 1);
  }
  if (className(value) !== 'Object') throw refuse(path, `JSON cannot store a ${className(value)}`);
  return objectOf(value, path, depth);
}

/**
 * Converts an event from a program to JSON. Refuses values without an exact JSON form: a Map, a typed array,
 * a function, -0. Throws `event-invalid`.
 */
export function eventFromValue(value: unknown, index: number): JsonObject {
  try {
    const event = typeof value === 'object' ? jsonOf(value, '', 0) : undefined;
    if (isObject(event)) return event;
    throw new NoJson('it is not an object');
  } catch (error) {
    // A getter or toJSON may throw anything.
    const why = error instanceof Error ? error.message : String(error);
    throw new EventError('event-invalid', `event ${index + 1} is not appended: ${why}`, {
      hint: 'correct the event; nothing was appended',
    });
  }
}
