import type { JsonObject, JsonValue } from '../base/json/value.ts';
import type { Row } from './row.ts';

/** A member of the current record: its text, or its number if the column has one. */
function memberOf(row: Row, column: number, isNumber: boolean): JsonValue | undefined {
  const text = isNumber ? undefined : row.text(column);
  if (text !== undefined) return text;
  const number = isNumber ? row.number(column) : Number.NaN;
  if (!Number.isNaN(number)) return number;
  const kind = row.kind(column);
  if (kind === undefined) return undefined;
  return kind === 'null' ? null : row.value(column);
}

/** A path with its column, and the paths below it. */
class PathNode {
  column = -1;
  isNumber = false;
  readonly below = new Map<string, PathNode>();
}

function placesOf({ layout }: Row, depth: number): PathNode {
  const root = new PathNode();
  for (const [column, { path, kind }] of layout.columns.entries()) {
    if (kind === 'others' || path.length > depth) continue;
    let place = root;
    for (const key of path) {
      const next = place.below.get(key) ?? new PathNode();
      place.below.set(key, next);
      place = next;
    }
    place.column = column;
    place.isNumber = kind === 'number';
  }
  return root;
}

/**
 * Makes a function that reads the value at a path. If its members are columns, it returns an object with a
 * getter for each.
 */
function readerOf(row: Row, place: PathNode): () => JsonValue | undefined {
  const { column, isNumber, below } = place;
  if (below.size === 0) return () => memberOf(row, column, isNumber);
  const object = objectOf(row, place);
  // No column says whether it is an object. If it is not, its members have no values.
  if (column < 0) return () => object;
  const [first, second] = [below.get('0'), below.get('1')];
  if (first === undefined || second === undefined)
    return () => (row.kind(column) === 'object' ? object : memberOf(row, column, isNumber));
  const items = [objectOf(row, first)];
  return () => {
    const isOne = row.kind(first.column) === 'object' && row.kind(second.column) === undefined;
    return isOne && row.kind(column) === 'array' ? items : memberOf(row, column, isNumber);
  };
}

function objectOf(row: Row, { below }: PathNode): JsonObject {
  const object: JsonObject = {};
  for (const [name, place] of below) {
    const read = readerOf(row, place);
    // Parses once per record, however many checks ask.
    let serial = 0;
    let value: JsonValue | undefined;
    const get = () => {
      if (serial !== row.serial) {
        serial = row.serial;
        value = read();
      }
      return value;
    };
    Object.defineProperty(object, name, { get, enumerable: true });
  }
  return object;
}

/**
 * The current record as an object whose members are the top-level columns, read on demand. A log has one such
 * object, which is only valid until the next record.
 */
export const eventBehind = (row: Row): JsonObject => objectOf(row, placesOf(row, 1));

const made = new WeakMap<Row, JsonObject>();

/**
 * The current record as an object of all columns and nothing else. A column with others below it becomes an
 * object, or a list with one object if these are the first item (`0`) and the presence of a second (`1`).
 * Other lists are parsed. A log has one such object.
 */
export function columnsBehind(row: Row): JsonObject {
  const before = made.get(row);
  if (before !== undefined) return before;
  const event = objectOf(row, placesOf(row, Number.POSITIVE_INFINITY));
  made.set(row, event);
  return event;
}
