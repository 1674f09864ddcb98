import * as z from 'zod';
import { isInstant } from '../../base/time/instant.ts';
import {
  ANY,
  anyNumber,
  anyObject,
  anyString,
  both,
  either,
  type Form,
  like,
  type Member,
  NEVER,
  type Shape,
} from './shape.ts';

type Schema = z.core.$ZodTypes;
type CheckDef = z.core.$ZodChecks['_zod']['def'];

/** Formats that require nothing beyond their pattern. */
const BY_PATTERN: ReadonlySet<string> = new Set([
  'regex',
  'datetime',
  'date',
  'uuid',
  'guid',
  'starts_with',
  'ends_with',
]);

/** Restricts the forms of one kind. Removes other kinds, because zod would not run the check on them. */
function restricted(shape: Shape, kind: Form['kind'], more: Partial<Form>): Shape {
  const any: Shape = ANY.filter((form) => form.kind === kind).map((form) => ({ ...form, ...more }) as Form);
  return both(
    shape.filter((form) => form.kind === kind),
    any,
  );
}

/** Functions that accept all common forms of a UTC time. */
const TAKE_UTC_TIMES = new WeakSet<object>([isInstant]);

/**
 * Declares that a function for `refine` accepts every UTC time of the form `2026-03-01T10:42:00Z`, with up to
 * six decimals, and with `+00:00` instead of the Z. It may accept more.
 */
export function takesUtcTimes<F extends (text: string) => boolean>(accepts: F): F {
  TAKE_UTC_TIMES.add(accepts);
  return accepts;
}

/** Handles `refine` functions that a table can express. */
function known(shape: Shape, fn: unknown): Shape {
  if (typeof fn === 'function' && TAKE_UTC_TIMES.has(fn))
    return restricted(shape, 'string', { instant: true });
  return fn === Number.isInteger ? restricted(shape, 'number', { whole: true }) : NEVER;
}

const lengths = (shape: Shape, more: { min?: number; max?: number }): Shape =>
  either([restricted(shape, 'string', more), restricted(shape, 'array', more)]);

function checked(shape: Shape, def: CheckDef | z.core.$ZodCustomDef): Shape {
  switch (def.check) {
    case 'min_length':
      return lengths(shape, { min: def.minimum });
    case 'max_length':
      return lengths(shape, { max: def.maximum });
    case 'length_equals':
      return lengths(shape, { min: def.length, max: def.length });
    case 'greater_than':
      return restricted(shape, 'number', { min: Number(def.value), above: !def.inclusive });
    case 'less_than':
      return restricted(shape, 'number', { max: Number(def.value), below: !def.inclusive });
    case 'number_format':
      return def.format === 'safeint' ? restricted(shape, 'number', { whole: true }) : NEVER;
    case 'string_format':
      return def.pattern && BY_PATTERN.has(def.format) ? both(shape, like(def.pattern)) : NEVER;
    case 'custom':
      return known(shape, def.fn);
    default:
      return NEVER;
  }
}

/** The shape of a literal. */
function literal(value: unknown): Shape {
  if (typeof value === 'number') return [{ ...anyNumber, min: value, max: value }];
  if (value === null) return [{ kind: 'null' }];
  return typeof value === 'boolean' ? [{ kind: value ? 'true' : 'false' }] : NEVER;
}

function words(values: readonly unknown[]): Shape {
  const texts = values.filter((value) => typeof value === 'string');
  const others = values.filter((value) => typeof value !== 'string').map(literal);
  return either([...others, texts.length > 0 ? [{ ...anyString, words: new Set(texts) }] : NEVER]);
}

/** Whether a value fits a schema that is used only once; tells zod not to compile it. */
const fitsOnce = (schema: z.ZodType, value: unknown): boolean =>
  z.safeParse(schema, value, { jitless: true }).success;

/**
 * Types that never accept undefined, whatever checks are added. zod is asked about the others, which takes a
 * hundred times as long.
 */
const ASK_FOR_A_VALUE: ReadonlySet<Schema['_zod']['def']['type']> = new Set([
  'string',
  'number',
  'boolean',
  'null',
  'literal',
  'enum',
  'array',
  'object',
  'record',
  'tuple',
] as const);

/** zod distinguishes an absent member from an undefined one, so it is asked about an absent one. */
function mayBeAbsent(schema: Schema): boolean {
  const { def } = schema._zod;
  if (ASK_FOR_A_VALUE.has(def.type)) return def.type === 'literal' && def.values.includes(undefined);
  return fitsOnce(z.looseObject({ key: schema }), {});
}

function objectShape({ shape, catchall }: z.core.$ZodObjectDef): Shape {
  const members = new Map<string, Member>(
    Object.entries(shape).map(([key, value]) => [
      key,
      { shape: shapeOf(value as Schema), required: !mayBeAbsent(value as Schema) },
    ]),
  );
  // zod drops unknown members of a plain object, so they may be anything.
  return [{ kind: 'object', members, others: catchall ? shapeOf(catchall as Schema) : ANY }];
}

/** Only records with arbitrary keys are supported. */
function recordShape({ keyType, valueType }: z.core.$ZodRecordDef): Shape {
  const { def } = (keyType as Schema)._zod;
  const plain = def.type === 'string' && !('format' in def) && (def.checks ?? []).length === 0;
  return plain ? [{ ...anyObject, others: shapeOf(valueType as Schema) }] : NEVER;
}

function unionShape(def: z.core.$ZodUnionDef): Shape {
  // A table cannot express that exactly one option of an exclusive union holds.
  const exclusive = 'inclusive' in def && def.inclusive === false && !('discriminator' in def);
  return exclusive ? NEVER : either(def.options.map((option) => shapeOf(option as Schema)));
}

/** The shape of a supported schema; NEVER for others, which only zod can judge. */
function bare(schema: Schema): Shape {
  const { def } = schema._zod;
  switch (def.type) {
    case 'string':
      return 'format' in def ? checked([anyString], def as unknown as CheckDef) : [anyString];
    case 'number':
      return 'format' in def ? checked([anyNumber], def as unknown as CheckDef) : [anyNumber];
    case 'boolean':
      return [{ kind: 'true' }, { kind: 'false' }];
    case 'null':
      return [{ kind: 'null' }];
    case 'unknown':
    case 'any':
      return ANY;
    case 'literal':
      return words(def.values as readonly unknown[]);
    case 'enum':
      return words(Object.values(def.entries));
    case 'optional':
    case 'nonoptional':
    case 'readonly':
    case 'default':
      return shapeOf(def.innerType as Schema);
    case 'nullable':
      return either([[{ kind: 'null' }], shapeOf(def.innerType as Schema)]);
    case 'array':
      return [{ kind: 'array', min: 0, max: Infinity, first: [], others: shapeOf(def.element as Schema) }];
    case 'tuple':
      return tupleShape(def);
    case 'object':
      return objectShape(def);
    case 'record':
      return recordShape(def);
    case 'union':
      return unionShape(def);
    case 'intersection':
      return both(shapeOf(def.left as Schema), shapeOf(def.right as Schema));
    case 'custom':
      return known(ANY, def.fn);
    default:
      return NEVER;
  }
}

function tupleShape({ items, rest }: z.core.$ZodTupleDef): Shape {
  const first = items.map((item) => shapeOf(item as Schema));
  const min =
    items.findLastIndex((_, index) => !fitsOnce(z.tuple(items.slice(0, index + 1) as [z.ZodType]), [])) + 1;
  const others = rest === null ? NEVER : shapeOf(rest as Schema);
  return [{ kind: 'array', min, max: rest === null ? first.length : Infinity, first, others }];
}

function compute(schema: Schema): Shape {
  const { checks = [] } = schema._zod.def as { readonly checks?: readonly unknown[] };
  return checks.reduce<Shape>(
    (shape, check) => checked(shape, (check as z.core.$ZodChecks)._zod.def),
    bare(schema),
  );
}

const shapes = new WeakMap<Schema, Shape>();

/**
 * The shape of a schema. The schema accepts whatever the shape allows. The shape may allow less: it allows
 * nothing where the schema has a custom function, a transform or a recursive reference.
 */
export function shapeOf(schema: z.core.$ZodType): Shape {
  const one = schema as Schema;
  const before = shapes.get(one);
  if (before) return before;
  // While it is computed, a recursive reference allows nothing.
  shapes.set(one, NEVER);
  const shape = compute(one);
  shapes.set(one, shape);
  return shape;
}
