import * as z from 'zod';
import { ConfigurationError } from '../../base/errors.ts';
import { formatPath } from '../../base/json/path.ts';
import { isObject } from '../../base/json/value.ts';
import { didYouMean, nearest } from '../../base/text/nearest.ts';

/** The place of settings, for messages. */
interface SettingsPlace {
  /** The file, or another name for the source. */
  readonly source: string;
  /** The enclosing tables. */
  readonly path?: readonly string[];
  /** Where valid settings are described. */
  readonly help?: string;
  /** The line of a table or key, if known. */
  readonly lineOf?: (name: string) => number | undefined;
}

type Path = readonly PropertyKey[];

/** Removes wrappers such as optional from a schema. */
function bare(schema: unknown): unknown {
  let inner = schema;
  for (;;) {
    if (inner instanceof z.ZodPipe) inner = inner.out;
    else if (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap();
    else return inner;
  }
}

/** The keys that a schema allows at a path. */
function namesAt(schema: z.ZodType, path: Path): string[] {
  const membersOf = (object: unknown) => (object as z.ZodObject).shape as Record<PropertyKey, unknown>;
  let at = bare(schema);
  for (const name of path) {
    // All values of a record or list have the same schema.
    if (at instanceof z.ZodRecord) at = bare(at.valueType);
    else at = bare(at instanceof z.ZodArray ? at.element : membersOf(at)[name]);
  }
  return Object.keys(membersOf(at));
}

function valueAtPath(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, name) =>
      isObject(at) && typeof name === 'string' && Object.hasOwn(at, name) ? at[name] : undefined,
    value,
  );
}

/** The path of a member `__proto__`, which zod ignores in records. */
function prototypeIn(value: unknown, path: Path = []): Path | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, '__proto__')) return [...path, '__proto__'];
  for (const [key, item] of Object.entries(value)) {
    const found = prototypeIn(item, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function shown(path: Path): string {
  return formatPath(path.map((part) => (typeof part === 'number' ? part : String(part))));
}

/** Suggests similar names for an unknown setting, or lists all names. */
function hintFor(names: readonly string[], name: string, isTable: boolean): string {
  const near = nearest(names, name, 1).map((one) => (isTable ? `[${one}]` : one));
  return didYouMean(near) ?? `the settings are ${names.join(', ')}`;
}

/** Parses settings with a schema. Throws `config-invalid` for the first fault, and suggests similar names. */
export function requireSettings<T>(schema: z.ZodType<T>, value: unknown, place: SettingsPlace): T {
  const outcome = z.safeParse(schema, value);
  const prototype = outcome.success ? prototypeIn(value) : undefined;
  if (outcome.success && prototype === undefined) return outcome.data;
  const { source, path: above = [], lineOf, help } = place;
  const fail = (what: Path, message: string, hint?: string) => {
    const line = lineOf?.(String(what.findLast((part) => typeof part === 'string') ?? ''));
    return new ConfigurationError('config-invalid', `${shown(what)} ${message} (${source})`, {
      place: { file: source, ...(line !== undefined && { line }) },
      ...(hint !== undefined && { hint }),
    });
  };
  if (prototype !== undefined)
    throw fail([...above, ...prototype], 'is not a valid name', 'choose another name');
  const issue = outcome.error?.issues[0] as z.core.$ZodIssue;
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const isTable = isObject(valueAtPath(value, [...path, key])) && path.length === 0 && above.length === 0;
    const hint = hintFor(namesAt(schema, path), key, isTable);
    throw fail([...above, ...path, key], isTable ? 'is not a table' : 'is not a setting', hint);
  }
  throw fail([...above, ...path], issue.message, help);
}
