import type * as z from 'zod';
import { isObject, kindOf } from '../../base/json/value.ts';
import { fits } from './fits.ts';

type Schema = z.core.$ZodTypes;
type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** A place in a value that does not fit, with zod's message. */
interface Misfit {
  readonly path: Path;
  readonly issues: readonly Issue[];
}

/**
 * The kind of value that each type requires. For a value of another kind, zod's message does not depend on
 * the value.
 */
const KINDS: Partial<Record<Schema['_zod']['def']['type'], string>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
  record: 'object',
};

/** Caches zod's messages per schema: for values of a wrong kind, and for an object without members. */
const byKind = new WeakMap<z.ZodType, Map<string, readonly Issue[]>>();

function issuesOf(schema: z.ZodType, value: unknown): readonly Issue[] {
  // The compiled test has rejected the value; test/schema/ checks that zod always agrees.
  return (schema.safeParse(value, { jitless: true }).error as z.ZodError).issues;
}

/** Caches a message that does not depend on the value. */
function once(schema: z.ZodType, what: string, ask: () => readonly Issue[]): readonly Issue[] {
  const known = byKind.get(schema) ?? new Map<string, readonly Issue[]>();
  byKind.set(schema, known);
  const issues = known.get(what) ?? ask();
  known.set(what, issues);
  return issues;
}

function leaf(schema: z.ZodType, value: unknown, path: Path): Misfit {
  const asked = KINDS[(schema as unknown as Schema)._zod.def.type];
  const kind = kindOf(value);
  if (asked === undefined || asked === kind) return { path, issues: issuesOf(schema, value) };
  return { path, issues: once(schema, kind, () => issuesOf(schema, value).slice(0, 1)) };
}

/** zod distinguishes an absent member from an undefined one, so it is asked about an empty object. */
function absent(schema: z.ZodType, key: string, path: Path): Misfit {
  const all = once(schema, 'absent', () => issuesOf(schema, {}));
  const issues = all
    .filter((issue) => issue.path[0] === key)
    .map((issue) => ({ ...issue, path: issue.path.slice(1) }));
  return { path: [...path, key], issues };
}

/**
 * The places where a value does not fit a schema, in zod's order, with zod's messages. Compiled tests find the
 * places and zod is only asked about each of them: for a large record with one fault, zod would copy the whole
 * record.
 */
export function misfits(schema: z.ZodType, value: unknown, path: Path = []): readonly Misfit[] {
  const found: Misfit[] = [];
  collect(schema, value, path, found);
  return found;
}

/** Adds the misfits to a list. Not a generator: V8 takes longer to compile one that calls itself. */
function collect(schema: z.ZodType, value: unknown, path: Path, found: Misfit[]): void {
  const { def } = (schema as unknown as Schema)._zod;
  if (def.type === 'optional' || def.type === 'nullable') {
    collect(def.innerType as z.ZodType, value, path, found);
  } else if (def.type === 'array' && def.checks === undefined && Array.isArray(value)) {
    for (const [index, item] of value.entries())
      if (!fits(def.element as z.ZodType, item))
        collect(def.element as z.ZodType, item, [...path, index], found);
  } else if (def.type === 'object' && isOpen(def) && isObject(value)) {
    for (const [key, member] of Object.entries(def.shape) as [string, z.ZodType][]) {
      const inner = value[key];
      if (fits(member, inner)) continue;
      if (inner === undefined) found.push(absent(schema, key, path));
      else collect(member, inner, [...path, key], found);
    }
  } else found.push(leaf(schema, value, path));
}

/** Whether only the members of an object can cause messages. */
const isOpen = ({ checks, catchall }: z.core.$ZodObjectDef): boolean =>
  checks === undefined &&
  (catchall === undefined || (catchall as unknown as Schema)._zod.def.type === 'unknown');
