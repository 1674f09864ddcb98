import * as z from 'zod';
import { isObject, type JsonObject, type JsonValue } from '../../src/base/json/value.ts';
import type { Finding } from '../../src/findings/finding.ts';

type Schema = z.core.$ZodTypes;

/** Texts that the formats' patterns and words are likely to take; the first that fits is used. */
const TEXTS = [
  'text',
  '2026-03-01T10:42:00.034Z',
  '0b5a4b1e-6c1f-4c55-9f0e-2d1f7f4f6a10',
  `sha256:${'0'.repeat(64)}`,
  'act:do it',
  'run.state_projection',
  'run.resume',
  'agent.spoke',
  '1.0',
];
const NUMBERS = [1, 0.5, 0, 5, 50];

const accepts = (schema: z.core.$ZodType, value: unknown): boolean => z.safeParse(schema, value).success;

function firstOf(schema: Schema, values: readonly JsonValue[]): JsonValue {
  const found = values.find((value) => accepts(schema, value));
  if (found === undefined) throw new Error(`no sample fits ${JSON.stringify(schema._zod.def.type)}`);
  return found;
}

/** A value that fits a schema, with every member that the schema names. */
export function sampleOf(schema: z.core.$ZodType): JsonValue {
  const one = schema as Schema;
  const { def } = one._zod;
  switch (def.type) {
    case 'object':
      return Object.fromEntries(Object.entries(def.shape).map(([key, value]) => [key, sampleOf(value)]));
    case 'array':
      return [sampleOf(def.element)];
    case 'tuple':
      return def.items.map(sampleOf);
    case 'record':
      return { key: sampleOf(def.valueType) };
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'default':
    case 'readonly':
      return sampleOf(def.innerType);
    case 'intersection': {
      const [left, right] = [sampleOf(def.left), sampleOf(def.right)];
      return isObject(left) && isObject(right) ? merged(left, right) : left;
    }
    case 'union':
      return sampleOf(def.options[0] as z.core.$ZodType);
    case 'enum':
      return Object.values(def.entries)[0] as JsonValue;
    case 'literal':
      return def.values[0] as JsonValue;
    case 'boolean':
      return true;
    default:
      return firstOf(one, [...TEXTS, ...NUMBERS, true, {}, []]);
  }
}

/** Merges two objects. Members that are objects in both are merged; otherwise the second counts. */
export function merged(one: JsonObject, other: JsonObject): JsonObject {
  const all: JsonObject = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = all[key];
    all[key] = isObject(before) && isObject(value) ? merged(before, value) : value;
  }
  return all;
}

/** One way to break one rule of a schema. */
export interface Breakage {
  readonly path: readonly (string | number)[];
  /** The replacement; undefined: the value is removed. */
  readonly value: JsonValue | undefined;
  readonly broken: JsonObject;
}

const WRONG: readonly JsonValue[] = [7, 'no such word', null, {}, '', -1, 1.5, 1e9, [7], 'x'.repeat(600)];

function put(
  root: JsonValue,
  path: readonly (string | number)[],
  value: JsonValue | undefined,
): JsonValue | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(root)) {
    return root.map((item, index) => (index === key ? (put(item, rest, value) ?? null) : item));
  }
  if (!isObject(root)) return root;
  const below = put(root[key] ?? null, rest, value);
  const others = Object.entries(root).filter(([name]) => name !== key);
  return Object.fromEntries(below === undefined ? others : [...others, [String(key), below]]);
}

/** Every place below a value. */
function* placesIn(
  value: JsonValue,
  path: readonly (string | number)[] = [],
): Generator<readonly (string | number)[]> {
  const inside = Array.isArray(value) ? value.entries() : isObject(value) ? Object.entries(value) : [];
  for (const [key, item] of inside) {
    yield [...path, key];
    yield* placesIn(item, [...path, key]);
  }
}

/**
 * Ways to break a record that fits a schema: at each place that the schema names, one value of each kind that it refuses,
 * and no value. The list follows from the schema.
 */
export function breakagesOf(schema: z.ZodType, fine: JsonObject): Breakage[] {
  const found: Breakage[] = [];
  for (const path of placesIn(sampleOf(schema))) {
    for (const value of [undefined, ...WRONG]) {
      const broken = put(fine, path, value);
      if (isObject(broken) && !accepts(schema, broken)) found.push({ path, value, broken });
    }
  }
  return found;
}

/** Whether a finding is about a place, its container or its contents. */
export function isAbout({ path }: Finding, place: string): boolean {
  return path !== undefined && (place.startsWith(path) || path.startsWith(place));
}
