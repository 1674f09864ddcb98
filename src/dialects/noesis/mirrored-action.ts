import { isObject, type JsonObject, jsonEqual } from '../../json/value.ts';
import type { Row } from '../../log/row.ts';
import { isTruthy } from './event-kinds.ts';
import { COLUMN } from './rows.ts';

/** The members of an action that hold the text of a column as it is, where that is there. */
const COPIED = Object.entries({ kind: COLUMN.kind, tool: COLUMN.tool, input_excerpt: COLUMN.input });
/** Those that hold a value which says something. */
const VALUES = Object.entries({ provenance: COLUMN.provenance, result_artifacts: COLUMN.artifacts });

/** Whether a column holds a text, or nothing: anything else is compared by its event. */
function isTextOrNothing(row: Row, column: number): boolean {
  const kind = row.kind(column);
  return kind === undefined || kind === 'null' || kind === 'string';
}

/** Whether a member holds the text of a column. */
function isSame(row: Row, column: number, action: JsonObject, key: string): boolean {
  const value = action[key];
  return typeof value === 'string' && row.isText(column, value);
}

/**
 * Whether the action of an act, as `projectAction` makes it, is surely equal to one that a state holds. Nothing is made
 * of the act to find out: it is compared as it stands in the log. A wrong no costs time.
 */
export function isMirroredBy(row: Row, action: JsonObject): boolean {
  if (!row.isAccepted || row.record.mayRound) return false;
  if (row.kind(COLUMN.synthetic) !== undefined || row.kind(COLUMN.timestamp) !== 'string') return false;
  if (!isSame(row, COLUMN.action, action, 'id') || !isSame(row, COLUMN.timestamp, action, 'timestamp'))
    return false;
  let members = 2;
  for (const [key, column] of COPIED) {
    if (!isTextOrNothing(row, column)) return false;
    if (row.kind(column) !== 'string') continue;
    if (!isSame(row, column, action, key)) return false;
    members += 1;
  }
  if (!isTextOrNothing(row, COLUMN.result) || !isTextOrNothing(row, COLUMN.outcome)) return false;
  const result = row.kind(COLUMN.result) === 'string' ? COLUMN.result : COLUMN.outcome;
  if (row.kind(result) === 'string') {
    if (!isSame(row, result, action, 'result_status')) return false;
    members += 1;
  }
  if (row.text(COLUMN.step)) {
    if (!isSame(row, COLUMN.step, action, 'step_id')) return false;
    members += 1;
  }
  for (const [key, column] of VALUES) {
    const value = row.kind(column) === undefined ? undefined : row.value(column);
    if (value === undefined || !isTruthy(value)) continue;
    if (!jsonEqual(value, action[key])) return false;
    members += 1;
  }
  const more = row.hasOthers(COLUMN.others) ? row.value(COLUMN.payload) : undefined;
  if (isObject(more)) {
    for (const key of Object.keys(more)) {
      if (!key.startsWith('x-')) continue;
      if (!Object.hasOwn(action, key) || !jsonEqual(more[key], action[key])) return false;
      members += 1;
    }
  }
  return Object.keys(action).length === members;
}
