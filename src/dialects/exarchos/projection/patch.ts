import { pushAll } from '../../../base/files/push-all.ts';
import type { JsonPath } from '../../../base/json/path.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';

/** A longer path is refused. States are not nested that deep, and each segment needs a level of recursion. */
const MAX_SEGMENTS = 64;

/** A genuine key is much shorter: the names of all patched fields must fit into an idempotency key of 200 characters. */
const MAX_KEY = 1000;

/** Names that could reach the prototype of an object. */
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype']);

const PLAIN = /^[^.[\]]+$/;
const SEGMENT = /^([^[\]]+)((?:\[\d{1,9}\])*)$/;

/**
 * Parses a patch key as a path (exarchos.md §12.5): dots separate keys, `name[n]` is an index. A malformed path such as
 * `a..b` is a plain key. Undefined for a path that is too long, too deep, or leads through a prototype.
 */
export function expandKey(key: string): JsonPath | undefined {
  if (key.length > MAX_KEY) return undefined;
  if (PLAIN.test(key)) return UNSAFE.has(key) ? undefined : [key];
  const path: (string | number)[] = [];
  for (const part of key.split('.', MAX_SEGMENTS + 1)) {
    const match = SEGMENT.exec(part);
    if (match === null) return [key];
    const [, name = '', indexes = ''] = match;
    path.push(name);
    if (indexes !== '') pushAll(path, indexes.slice(1, -1).split('][').map(Number));
  }
  return path.length > MAX_SEGMENTS || path.some((segment) => UNSAFE.has(String(segment))) ? undefined : path;
}

/** Whether a key is a path, such as `tasks[0].status`, and not only a name with such characters. */
export const isPath = (key: string): boolean => PLAIN.test(key) || expandKey(key)?.[0] !== key;

/** The places above one: `tasks` and `tasks[0]` of `tasks[0].status`. A long text is no place (exarchos.md §12.5). */
const above = (place: string): string[] =>
  place.length > MAX_KEY ? [] : [...place.matchAll(/[.[]/g)].map(({ index }) => place.slice(0, index));

/** The places that are not in a list, nor below or above one in it: `tasks` is above `tasks[0].status`. */
export function outside(places: readonly string[], others: readonly string[]): string[] {
  const listed = new Set(others);
  const parents = new Set(others.flatMap(above));
  return places.filter(
    (place) =>
      !listed.has(place) && !parents.has(place) && !above(place).some((parent) => listed.has(parent)),
  );
}

/** Called after each change with the path of the new value. */
type OnAssigned = (path: JsonPath) => unknown;

/** Sets a member with any name. Assigning to `__proto__` would change the prototype of the object. */
function setMember(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

/** A copy, because later patches write into it and must not change the event. */
function copy(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copy);
  if (!isObject(value)) return value;
  const copied: JsonObject = {};
  for (const key of Object.keys(value)) setMember(copied, key, copy(value[key] ?? null));
  return copied;
}

const member = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** Merges a value into another: objects by key; anything else is replaced (exarchos.md §12.5). */
function merge(
  target: JsonValue | undefined,
  source: JsonValue,
  path: JsonPath,
  assigned: OnAssigned,
): JsonValue {
  if (!isObject(target) || !isObject(source)) {
    assigned(path);
    return copy(source);
  }
  for (const key of Object.keys(source)) {
    setMember(target, key, merge(member(target, key), source[key] ?? null, [...path, key], assigned));
  }
  return target;
}

/** The index in a segment. `tasks.0` means the same as `tasks[0]`. */
function indexIn(container: JsonValue | undefined, segment: string | number | undefined): number | undefined {
  if (typeof segment === 'number') return segment;
  return Array.isArray(container) && segment !== undefined && /^\d{1,9}$/.test(segment)
    ? Number(segment)
    : undefined;
}

/**
 * Sets the value at a path, and creates missing containers. Returns the container; undefined if the path is impossible.
 */
function assign(
  container: JsonValue | undefined,
  path: JsonPath,
  at: number,
  value: JsonValue,
  assigned: OnAssigned,
): JsonValue | undefined {
  const segment = path[at];
  if (segment === undefined) return merge(container, value, path, assigned);
  const index = indexIn(container, segment);
  if (index !== undefined) {
    // An index finds nothing in an object.
    if (isObject(container)) return undefined;
    const array = Array.isArray(container) ? container : [];
    // The store refuses sparse arrays: an index may exceed the length by at most one.
    if (index > array.length + 1) return undefined;
    const inner = assign(array[index], path, at + 1, value, assigned);
    if (inner === undefined) return undefined;
    if (index > array.length) array.push(null);
    array[index] = inner;
    return array;
  }
  if (Array.isArray(container)) return undefined;
  const object = isObject(container) ? container : {};
  const key = String(segment);
  const inner = assign(member(object, key), path, at + 1, value, assigned);
  if (inner === undefined) return undefined;
  setMember(object, key, inner);
  return object;
}

/**
 * Applies a patch to a document in place, as the program does to its state file (exarchos.md §12.5). Ignores keys that
 * are not valid paths.
 */
export function applyPatch(document: JsonObject, patch: JsonObject, assigned: OnAssigned = () => {}): void {
  for (const key of Object.keys(patch)) {
    const path = expandKey(key);
    if (path === undefined) continue;
    const changed: JsonPath[] = [];
    assign(document, path, 0, patch[key] ?? null, (at) => changed.push(at));
    changed.forEach(assigned);
  }
}

/**
 * The keys of a patch that {@link applyPatch} ignores, because the document has no such place and cannot get it. `more`: how
 * many tasks the list may have in addition.
 */
export function impossibleKeys(document: JsonObject, patch: JsonObject, more = 0): string[] {
  return Object.keys(patch).filter((key) => {
    const path = expandKey(key);
    return path === undefined || !isPossible(document, path, more);
  });
}

function isPossible(document: JsonObject, path: JsonPath, more: number): boolean {
  let container: JsonValue | undefined = document;
  for (const [at, segment] of path.entries()) {
    const index = indexIn(container, segment);
    if (index === undefined) {
      if (Array.isArray(container)) return false;
      container = isObject(container) ? member(container, String(segment)) : undefined;
      continue;
    }
    if (isObject(container)) return false;
    const array: readonly JsonValue[] = Array.isArray(container) ? container : [];
    const most = array.length + (at === 1 && path[0] === 'tasks' ? more : 0);
    if (index > most + 1) return false;
    container = array[index];
  }
  return true;
}
