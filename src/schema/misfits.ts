import type * as z from 'zod';
import { isObject, kindOf } from '../json/value.ts';
import { fits } from './fits.ts';

type Schema = z.core.$ZodTypes;
type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** A place in a value that does not fit, and what zod has to say about it. */
export interface Misfit {
  readonly path: Path;
  readonly issues: readonly Issue[];
}

/** The kind of value that a type asks for: of one of another kind zod says that first, whatever the value. */
const KINDS: Partial<Record<Schema['_zod']['def']['type'], string>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
  record: 'object',
};

/** By schema what zod says of a value of a kind that it does not ask for, and of an object that has no members. */
const byKind = new WeakMap<z.ZodType, Map<string, readonly Issue[]>>();

function issuesOf(schema: z.ZodType, value: unknown): readonly Issue[] {
  // What does not fit is refused: that both tests agree is a matter of test/schema/.
  return (schema.safeParse(value, { jitless: true }).error as z.ZodError).issues;
}

/** What zod says, asked once for all that it says the same of. */
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

/** To zod a member that is not there is another thing than one that is undefined: an object without any is asked about. */
function absent(schema: z.ZodType, key: string, path: Path): Misfit {
  const all = once(schema, 'absent', () => issuesOf(schema, {}));
  const issues = all
    .filter((issue) => issue.path[0] === key)
    .map((issue) => ({ ...issue, path: issue.path.slice(1) }));
  return { path: [...path, key], issues };
}

/**
 * Where a value that does not fit a schema does not fit it, and why, in the order in which zod says it. The way to such
 * a place is found by tests made of the schema, and zod is asked about the place alone: of a large record with a single
 * fault it would go through all, and copy it.
 */
export function* misfits(schema: z.ZodType, value: unknown, path: Path = []): Generator<Misfit> {
  const { def } = (schema as unknown as Schema)._zod;
  if (def.type === 'optional' || def.type === 'nullable') {
    yield* misfits(def.innerType as z.ZodType, value, path);
  } else if (def.type === 'array' && def.checks === undefined && Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* below(def.element as z.ZodType, item, path, index);
  } else if (def.type === 'object' && isOpen(def) && isObject(value)) {
    for (const [key, member] of Object.entries(def.shape) as [string, z.ZodType][]) {
      const inner = value[key];
      if (inner !== undefined) yield* below(member, inner, path, key);
      else if (!fits(member, undefined)) yield absent(schema, key, path);
    }
  } else yield leaf(schema, value, path);
}

/** Whether nothing is said of an object but what is said of its members. */
const isOpen = ({ checks, catchall }: z.core.$ZodObjectDef): boolean =>
  checks === undefined &&
  (catchall === undefined || (catchall as unknown as Schema)._zod.def.type === 'unknown');

function* below(schema: z.ZodType, value: unknown, path: Path, key: PropertyKey): Generator<Misfit> {
  if (!fits(schema, value)) yield* misfits(schema, value, [...path, key]);
}
