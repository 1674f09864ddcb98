import type { LogRecord } from './record.ts';
import { ANY, both, type Shape } from './schema/shape.ts';

/**
 * What a column gives of the value at its path. `text`: its text. `word`: its text, if few different ones are
 * expected. `id`: also the ordinal of equal texts. `time`, `number`: also the instant or number. `others`:
 * whether the object may have members that neither the table nor a column names.
 */
export type ColumnKind = 'text' | 'word' | 'id' | 'time' | 'number' | 'others';

/** The path of a value that checks use: keys and list indexes. */
export interface Column {
  readonly path: readonly string[];
  readonly kind: ColumnKind;
}

/**
 * How the records of a log become rows: the member with their type, the shape of each type, and the columns.
 */
export interface RowLayout {
  /** The top-level member with a record's type; undefined if all records have one type. */
  readonly type: string | undefined;
  /** By type, a function that gives the shape of records without findings. Not called for short logs. */
  readonly types: ReadonlyMap<string, () => Shape>;
  /** The shape of every other type. */
  readonly other: () => Shape;
  readonly columns: readonly Column[];
  /** The id of a record in findings; by default its `id`. */
  readonly idOf?: (record: LogRecord) => string | undefined;
  /** The accelerator's packed table of these shapes, if the build made it. */
  readonly made?: string | undefined;
}

/** A layout of some top-level members that accepts every record. */
export function membersLayout(...fields: readonly { readonly name: string }[]): RowLayout {
  const columns = fields.map(({ name }): Column => ({ path: [name], kind: 'text' }));
  return { type: undefined, types: new Map(), other: () => ANY, columns };
}

/** The layout of readers that need no columns. */
export const NO_COLUMNS: RowLayout = membersLayout();

/** A column as a path, `payload.status`, optionally with a kind. */
type ColumnSpec = string | readonly [path: string, kind: ColumnKind];

/** A layout with the numbers of its columns by name. */
export interface NamedLayout<Name extends string> extends RowLayout {
  readonly at: Readonly<Record<Name, number>>;
}

/**
 * Makes a layout. `types` gives the shapes that the records of each type must fit; without it, any valid
 * record without duplicate keys is accepted.
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

/** Lookup tables for a layout. */
export interface LayoutIndex {
  /** By column: whether few different texts are expected. */
  readonly isWord: readonly boolean[];
  /** The number of each type. */
  readonly types: ReadonlyMap<string, number>;
  /** The column of each top-level member. */
  readonly members: ReadonlyMap<string, number>;
}

const indexes = new WeakMap<RowLayout, LayoutIndex>();

/** Cached per layout, because there may be thousands of small logs. */
export function indexOf(layout: RowLayout): LayoutIndex {
  let index = indexes.get(layout);
  if (index === undefined) {
    const { columns, types } = layout;
    index = {
      isWord: columns.map(({ kind }) => kind === 'word'),
      types: new Map([...types.keys()].map((word, number) => [word, number])),
      members: new Map(
        columns.flatMap(({ path, kind }, column) => {
          const [name] = path;
          return name !== undefined && path.length === 1 && kind !== 'others'
            ? [[name, column] as const]
            : [];
        }),
      ),
    };
    indexes.set(layout, index);
  }
  return index;
}

/** A number column also has a text, and every other column but those of objects. */
const isLike = (kind: ColumnKind, wanted: ColumnKind): boolean =>
  kind === wanted || (wanted === 'text' && kind !== 'others');

const isAt = (path: readonly string[], { path: other }: Column): boolean =>
  path.length === other.length && path.every((name, at) => name === other[at]);

/** The number of a column that gives what another one asks for; -1 if no column does. */
export const columnAt = (columns: readonly Column[], { path, kind }: Column): number =>
  columns.findIndex((column) => isAt(path, column) && isLike(column.kind, kind));

/** By layout and the paths of the further columns, because there may be thousands of small logs. */
const extended = new WeakMap<RowLayout, Map<string, RowLayout>>();

/** A layout with further columns. A path that a column has already gets no second one. */
export function withColumns(layout: RowLayout, columns: readonly Column[]): RowLayout {
  const further = columns.filter(
    ({ path }, at) => ![...layout.columns, ...columns.slice(0, at)].some((column) => isAt(path, column)),
  );
  if (further.length === 0) return layout;
  const known = extended.get(layout) ?? new Map<string, RowLayout>();
  extended.set(layout, known);
  const key = JSON.stringify(further);
  const made = known.get(key) ?? { ...layout, columns: [...layout.columns, ...further], made: undefined };
  known.set(key, made);
  return made;
}
