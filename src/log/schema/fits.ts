import type * as z from 'zod';
import { isObject } from '../../base/json/value.ts';

type Test = (value: unknown) => boolean;

type Schema = z.core.$ZodTypes;
type Check = z.core.$ZodChecks;
type CheckDef = Check['_zod']['def'] | z.core.$ZodCustomDef;

/** The length of a text or list. */
const lengthOf = (value: unknown): number => (value as { readonly length: number }).length;

/**
 * The test for a check that was added to a schema, given a value of the right type. Undefined if only zod can
 * run it.
 */
function testOfCheck(check: Check): Test | undefined {
  const def = check._zod.def as CheckDef;
  switch (def.check) {
    case 'min_length':
      return (value) => lengthOf(value) >= def.minimum;
    case 'max_length':
      return (value) => lengthOf(value) <= def.maximum;
    case 'greater_than':
      return (value) =>
        def.inclusive ? Number(value) >= Number(def.value) : Number(value) > Number(def.value);
    case 'less_than':
      return (value) =>
        def.inclusive ? Number(value) <= Number(def.value) : Number(value) < Number(def.value);
    case 'number_format':
      return def.format === 'safeint' ? Number.isSafeInteger : undefined;
    case 'string_format': {
      const { pattern } = def;
      return def.format === 'regex' && pattern ? (value) => String(value).search(pattern) >= 0 : undefined;
    }
    case 'custom': {
      // `refine` adds a function that returns a boolean; `superRefine` does not.
      const fn: unknown = def.fn;
      return typeof fn === 'function' ? (value) => Boolean(fn(value)) : undefined;
    }
    default:
      return undefined;
  }
}

/** Combines a type test with the tests of its checks. */
function withChecks(holds: Test, checks: readonly unknown[] = []): Test | undefined {
  const added = checks.map((check) => testOfCheck(check as Check));
  if (added.length === 0) return holds;
  if (!added.every((one) => one !== undefined)) return undefined;
  return (value) => holds(value) && added.every((one) => one(value));
}

function objectTest({ shape, catchall }: z.core.$ZodObjectDef): Test | undefined {
  const rest = (catchall as Schema | undefined)?._zod.def.type;
  if (rest !== undefined && rest !== 'unknown' && rest !== 'never') return undefined;
  const keys = Object.keys(shape);
  const members = keys.map((key) => [key, testOf(shape[key] as z.ZodType)] as const);
  const known = new Set(keys);
  return (value) => {
    if (!isObject(value)) return false;
    for (const [key, holds] of members) if (!holds(value[key])) return false;
    return rest !== 'never' || Object.keys(value).every((key) => known.has(key));
  };
}

function recordTest({ keyType, valueType }: z.core.$ZodRecordDef): Test | undefined {
  const { def } = (keyType as Schema)._zod;
  if (def.type !== 'string' || def.checks !== undefined) return undefined;
  const holds = testOf(valueType as z.ZodType);
  // Ignores the key `__proto__`, as zod does.
  return (value) =>
    isObject(value) && Object.keys(value).every((key) => key === '__proto__' || holds(value[key]));
}

/** The test for a schema of a supported kind; undefined if only zod can run it. */
function compile(schema: Schema): Test | undefined {
  const { def } = schema._zod;
  switch (def.type) {
    case 'string':
      return 'format' in def ? undefined : withChecks((value) => typeof value === 'string', def.checks);
    case 'number':
      return 'format' in def && def.format !== 'safeint'
        ? undefined
        : withChecks('format' in def ? Number.isSafeInteger : Number.isFinite, def.checks);
    case 'boolean':
      return withChecks((value) => typeof value === 'boolean', def.checks);
    case 'null':
      return (value) => value === null;
    case 'unknown':
      return withChecks((value) => value !== undefined, def.checks);
    case 'custom':
      return (value) => Boolean(def.fn(value as never));
    case 'literal':
      return (value) => (def.values as readonly unknown[]).includes(value);
    case 'enum': {
      const words = new Set<unknown>(Object.values(def.entries));
      return (value) => words.has(value);
    }
    case 'optional': {
      const holds = testOf(def.innerType as z.ZodType);
      return (value) => value === undefined || holds(value);
    }
    case 'nullable': {
      const holds = testOf(def.innerType as z.ZodType);
      return (value) => value === null || holds(value);
    }
    case 'array': {
      const holds = testOf(def.element as z.ZodType);
      return withChecks((value) => Array.isArray(value) && value.every(holds), def.checks);
    }
    case 'object':
      return def.checks === undefined ? objectTest(def) : undefined;
    case 'record':
      return def.checks === undefined ? recordTest(def) : undefined;
    case 'union': {
      const tests = def.options.map((option) => testOf(option as z.ZodType));
      return def.checks === undefined && !('discriminator' in def)
        ? (value) => tests.some((holds) => holds(value))
        : undefined;
    }
    default:
      return undefined;
  }
}

const compiled = new WeakMap<z.ZodType, Test>();

/** The compiled form of `schema.safeParse(value).success`. */
function testOf(schema: z.ZodType): Test {
  const before = compiled.get(schema);
  if (before) return before;
  const holds = compile(schema as unknown as Schema) ?? ((value) => schema.safeParse(value).success);
  compiled.set(schema, holds);
  return holds;
}

/**
 * Whether a JSON value fits a schema. Gives the result of `safeParse` about ten times as fast, because
 * nothing is copied and no issues are collected. The test is compiled from the schema, so there is one source
 * of truth; zod handles what the compiler does not support. Do not use it for schemas with transforms: it
 * does not return the transformed value.
 */
export function fits<S extends z.ZodType>(schema: S, value: unknown): value is z.output<S> {
  return testOf(schema)(value);
}
