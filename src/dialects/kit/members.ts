import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';

// Reads the members of JSON values, which may be missing or of another type.

/** A value that is a string, which may be empty. */
export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** A member that is a string, which may be empty. */
export const stringIn = (object: JsonObject, key: string): string | undefined => stringOf(object[key]);

/** A member that is a non-empty string. */
export function textIn(object: unknown, key: string): string | undefined {
  const value = asObject(object)[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether these members are non-empty strings. */
export const hasTexts = (object: unknown, ...names: readonly string[]): boolean =>
  names.every((name) => textIn(object, name) !== undefined);

/** A member that is a number. */
export function numberIn(object: JsonValue | undefined, key: string): number | undefined {
  const value = isObject(object) ? object[key] : undefined;
  return typeof value === 'number' ? value : undefined;
}

/** A member that is an object; otherwise an empty one. */
export function objectIn(object: unknown, key: string): JsonObject {
  return asObject(asObject(object)[key]);
}

/** A value that is an object; otherwise an empty one. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** A member that is a list; otherwise an empty one. */
export function listIn(object: unknown, key: string): readonly JsonValue[] {
  const value = asObject(object)[key];
  return Array.isArray(value) ? value : NONE;
}

const NONE: readonly JsonValue[] = [];

/** The objects in a member that is a list. */
export function objectsIn(object: unknown, key: string): JsonObject[] {
  return listIn(object, key).filter(isObject);
}

/** The objects in a member that is an object, each with its key as the member `name`. */
export function namedIn(object: unknown, key: string): JsonObject[] {
  return Object.entries(objectIn(object, key)).flatMap(([name, value]) =>
    isObject(value) ? [{ ...value, name }] : [],
  );
}

/** The members with these names that are numbers. */
export function numbersIn(object: JsonObject, keys: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) {
    const value = object[key];
    if (typeof value === 'number') counts[key] = value;
  }
  return counts;
}

/** A text member of several objects, one line each. */
export function textsOf(objects: readonly JsonValue[], key: string): string {
  let all = '';
  for (const object of objects) {
    const text = textIn(object, key);
    if (text !== undefined) all = all === '' ? text : `${all}\n${text}`;
  }
  return all;
}

/** The text of a message: a string, or the text blocks of a list. */
export function messageText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return textsOf(content, 'text');
}
