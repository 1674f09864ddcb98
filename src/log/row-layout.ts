import { ANY, both, type Shape } from '../schema/shape.ts';
import type { LogRecord } from './record.ts';

/**
 * What a column gives of the value at its path: its text, which is a `word` where few different ones are expected;
 * besides that an ordinal by which equal texts are known, an instant, or a number; or whether the object there holds
 * members that neither the table nor a column names.
 */
export type ColumnKind = 'text' | 'word' | 'id' | 'time' | 'number' | 'others';

/** A place in every record that checks look at: keys from the root, through objects, and the numbers of items of lists. */
export interface Column {
  readonly path: readonly string[];
  readonly kind: ColumnKind;
}

/** How the records of a log become rows: what tells their type, what each type's records must be, what is read of them. */
export interface RowLayout {
  /** The member of the root that tells a record's type; undefined where all records are of one. */
  readonly type: string | undefined;
  /** By type: gives the shape of a record that there is nothing to say about. A short log is read without ever asking. */
  readonly types: ReadonlyMap<string, () => Shape>;
  /** The same for every other type. */
  readonly other: () => Shape;
  readonly columns: readonly Column[];
  /** The name by which findings know a record; its `id` unless said otherwise. */
  readonly idOf?: (record: LogRecord) => string | undefined;
  /** The accelerator's table of these very shapes, packed, as the build made it; undefined where it did not. */
  readonly made?: string | undefined;
}

/** The layout of those who want members of the root and nothing else: every record is accepted. */
export function membersLayout(...fields: readonly { readonly name: string }[]): RowLayout {
  const columns = fields.map(({ name }): Column => ({ path: [name], kind: 'text' }));
  return { type: undefined, types: new Map(), other: () => ANY, columns };
}

/** A column as a name says it: `payload.status`, or with a kind of its own. */
type ColumnSpec = string | readonly [path: string, kind: ColumnKind];

/** A layout and the numbers of its columns, by name. */
export interface NamedLayout<Name extends string> extends RowLayout {
  readonly at: Readonly<Record<Name, number>>;
}

/**
 * Makes a layout. Of each type the shapes are told that its records must have; without any a record is accepted that is
 * JSON and says nothing twice.
 */
export function layoutOf<Name extends string>(
  type: string | undefined,
  specs: Readonly<Record<Name, ColumnSpec>>,
  types: Iterable<readonly [type: string, shapes: () => readonly Shape[]]> = [],
  other: () => readonly Shape[] = () => [],
  made?: RowLayout['made'],
): NamedLayout<Name> {
  const names = Object.keys(specs) as Name[];
  const columns = names.map((name): Column => {
    const spec: ColumnSpec = specs[name];
    const [path, kind] = typeof spec === 'string' ? ([spec, 'text'] as const) : spec;
    return { path: path === '' ? [] : path.split('.'), kind };
  });
  if (type !== undefined && !columns.some(({ path }) => path.length === 1 && path[0] === type))
    columns.push({ path: [type], kind: 'text' });
  const all = (shapes: () => readonly Shape[]) => () => shapes().reduce(both, ANY);
  const at = Object.fromEntries(names.map((name, index) => [name, index])) as Record<Name, number>;
  return {
    type,
    types: new Map([...types].map(([word, shapes]) => [word, all(shapes)])),
    other: all(other),
    columns,
    at,
    made,
  };
}
