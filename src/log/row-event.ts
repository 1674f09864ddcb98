import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Row } from './row.ts';

/** A member of the record at hand: mostly a text, or a number where one is expected. */
function memberOf(row: Row, column: number, isNumber: boolean): JsonValue | undefined {
  const text = isNumber ? undefined : row.text(column);
  if (text !== undefined) return text;
  const number = isNumber ? row.number(column) : Number.NaN;
  if (!Number.isNaN(number)) return number;
  const kind = row.kind(column);
  if (kind === undefined) return undefined;
  return kind === 'null' ? null : row.value(column);
}

/** Reads a member once for each record, however many checks ask: an accepted record has a line of its own. */
function reader(row: Row, column: number, isNumber: boolean): () => JsonValue | undefined {
  let line = 0;
  let member: JsonValue | undefined;
  return () => {
    if (line !== row.line) {
      line = row.line;
      member = memberOf(row, column, isNumber);
    }
    return member;
  };
}

/**
 * The record at hand as an object whose members are the columns at its root: each is read from the row when it is asked
 * for. One object for all records of a log, which holds good until the next.
 */
export function eventBehind(row: Row): JsonObject {
  const event: JsonObject = {};
  for (const [column, { path, kind }] of row.layout.columns.entries()) {
    const [name] = path;
    if (name === undefined || path.length > 1 || kind === 'others') continue;
    Object.defineProperty(event, name, { get: reader(row, column, kind === 'number'), enumerable: true });
  }
  return event;
}
