// Turns the lines of a log into rows.

import { count, intern } from './ids';
import { valueEnd } from './json';
import { resetKeys } from './keys';
import { numberAt } from './number';
import { columns, ESCAPED, fitEnd, setColumns } from './shape';
import { forgetLongNumber, hadEscape, hadLongNumber, newlineAt, same, space, stringEnd } from './text';
import { instantOf, NO_TIME } from './time';
import { ENTRY_NODE, ENTRY_NUMBER, entryOf, isKey } from './words';

// The kinds of column values with their numbers.
const ID: u32 = 1;
const TIME: u32 = 2;

/**
 * The header of a layout: the entry of the key with a record's type (0: one type), the set of types, the node
 * of other types, the node of any record, the number of columns, the number of columns with a value in
 * addition to their text, and for each of these its number and kind.
 */
let typeKey: usize = 0;
let types: usize = 0;
let otherNode: usize = 0;
let anyNode: usize = 0;
let columnCount: u32 = 0;
let valuedCount: u32 = 0;
let valued: usize = 0;
/** The column with the type, and the number for unknown types. */
let typeColumn: usize = 0;
let otherType: u32 = 0;

/** A flag in a row's type: the record contains a number that a double may not represent. */
const LONG_NUMBER: u32 = 0x80000000;
/** A flag in a row's type: no table accepts the record, but its columns are known. */
const REFUSED: u32 = 0x40000000;

/**
 * The address of rows: start, end, type, and the start of the JSON if the columns are known; then the
 * columns; then their values.
 */
const ROW_HEAD: usize = 16;
let rows: usize = 0;
let stride: usize = 0;
let mostRows: u32 = 0;

/**
 * The place of the type in the previous record: its distance from the start, and from the end of the line.
 */
let typeFromStart: usize = 0;
let typeToEnd: usize = 0;

/** Guesses assume that no type name is longer. */
const LONGEST_TYPE: usize = 64;

export function beginRows(program: usize, at: usize, most: u32): void {
  typeKey = load<usize>(program);
  types = load<usize>(program, 4);
  otherNode = load<usize>(program, 8);
  typeColumn = <usize>load<u32>(program, 12);
  otherType = load<u32>(program, 16);
  columnCount = load<u32>(program, 20);
  valuedCount = load<u32>(program, 24);
  anyNode = load<usize>(program, 28);
  valued = program + 32;
  rows = at;
  stride = ROW_HEAD + (<usize>columnCount << 4);
  mostRows = most;
  typeFromStart = 0;
  typeToEnd = 0;
}

/** The type that is a string at `p`, before `end`; 0 if there is none. */
function typeAt(p: usize, end: usize): usize {
  if (p >= end || load<u8>(p) != 0x22) return 0;
  const after = stringEnd(p + 1);
  return after && !hadEscape && after <= end ? entryOf(types, p + 1, after - 2 - p) : 0;
}

/** Where a record has its type: the address of the value, or 0. Only reads what comes before. */
function findType(p: usize): usize {
  if (load<u8>(p) != 0x7b) return 0;
  p = space(p + 1);
  while (load<u8>(p) == 0x22) {
    const found = isKey(typeKey, p + 1);
    p = stringEnd(p + 1);
    if (!p) return 0;
    p = space(p);
    if (load<u8>(p) != 0x3a) return 0;
    p = space(p + 1);
    if (found) return p;
    resetKeys();
    p = valueEnd(p, 1);
    if (!p) return 0;
    p = space(p);
    if (load<u8>(p) != 0x2c) return 0;
    p = space(p + 1);
  }
  return 0;
}

/** Clears the columns. After an odd number of them, {@link evaluate} overwrites the next word anyway. */
// @ts-ignore: decorator
@inline
function clearColumns(): void {
  const end = columns + (<usize>columnCount << 3);
  for (let at = columns; at < end; at += 16) v128.store(at, i8x16.splat(0));
}

/** Whether the line is one record that fits a node. If so, its columns are known. */
function holds(start: usize, end: usize, node: usize): bool {
  if (!node) return false;
  clearColumns();
  resetKeys();
  const p = fitEnd(start, node, 0);
  return p != 0 && space(p) == end;
}

/** No entry: the record's type has an escape. */
const UNTOLD: usize = ~0;

/** The entry of the record's type; 0 for an unknown or missing one. */
function toldType(): usize {
  const at = columns + (typeColumn << 3);
  const value = <usize>load<u32>(at);
  if (!value || load<u8>(value) != 0x22) return 0;
  const last = load<u32>(at, 4);
  return last & ESCAPED ? UNTOLD : entryOf(types, value + 1, <usize>last - 2 - value);
}

/**
 * Compares the line with the node of a type, or of unknown types if `entry` is 0. Returns whether it fits and
 * has that type.
 */
function fits(start: usize, end: usize, entry: usize): bool {
  if (!holds(start, end, entry ? load<usize>(entry, ENTRY_NODE) : otherNode)) return false;
  if (!typeKey) return true;
  if (toldType() != entry) return false;
  const at = columns + (typeColumn << 3);
  const value = <usize>load<u32>(at);
  if (!value) return true;
  typeFromStart = value - start;
  typeToEnd = end - <usize>load<u32>(at, 4);
  return true;
}

/** Reads the columns of any plain record with a plain type that no table accepts. */
function isRecord(start: usize, end: usize): bool {
  lastType = otherType;
  forgetLongNumber();
  if (!holds(start, end, anyNode)) return false;
  const entry = typeKey ? toldType() : 0;
  if (entry == UNTOLD) return false;
  if (entry) lastType = load<u32>(entry, ENTRY_NUMBER);
  return true;
}

/** The start of the string that ends before `p`; somewhere inside the line if there is none. */
function stringBefore(p: usize, start: usize): usize {
  let at = p - 2;
  while (at > start && p - at < LONGEST_TYPE && load<u8>(at) != 0x22) at--;
  return at;
}

/** Rounds like parseInstant: whole seconds first, then the fraction. */
function millisecondsOf(micros: i64): f64 {
  let seconds = micros / 1000000;
  if (micros < seconds * 1000000) seconds--;
  return <f64>(seconds * 1000) + <f64>(micros - seconds * 1000000) / 1000;
}

/** For each column with ordinals: the address, length and ordinal of its last text in this run. */
const MOST_RECENT: u32 = 64;
const RECENT: usize = memory.data(64 * 16);
/** The last text that was new. */
let newestStart: usize = 0;
let newestLength: usize = 0;
let newestOrdinal: i32 = 0;

/** The input moves between runs, so remembered addresses become invalid. */
function forgetRecent(): void {
  memory.fill(RECENT, 0, <usize>MOST_RECENT << 4);
  newestLength = ~0;
}

/**
 * The ordinal of a column's text. Fast path: most texts equal that of the previous record in the same column,
 * or the newest text, because a cause is often the previous event.
 */
function ordinalOf(column: u32, start: usize, length: usize): i32 {
  if (newestLength == length && same(newestStart, start, length)) return newestOrdinal;
  const recent = RECENT + (<usize>(column < MOST_RECENT ? column : 0) << 4);
  const last = load<usize>(recent);
  if (last && <usize>load<u32>(recent, 4) == length && same(last, start, length)) return load<i32>(recent, 8);
  const before = count;
  const ordinal = intern(start, length);
  store<usize>(recent, start);
  store<u32>(recent, <u32>length, 4);
  store<i32>(recent, ordinal, 8);
  if (count != before) {
    newestStart = start;
    newestLength = length;
    newestOrdinal = ordinal;
  }
  return ordinal;
}

/** Computes the values of a record's columns: ordinals of ids, and times and numbers. */
function evaluate(row: usize): void {
  const values = row + ROW_HEAD + (<usize>columnCount << 3);
  const end = valued + (<usize>valuedCount << 3);
  for (let at = valued; at < end; at += 8) {
    const column: u32 = load<u32>(at);
    const cell = columns + (<usize>column << 3);
    const start = <usize>load<u32>(cell);
    // Readers of the row see that there is no value.
    if (!start) continue;
    const kind: u32 = load<u32>(at, 4);
    const last: u32 = load<u32>(cell, 4);
    const length = <usize>(last & ~ESCAPED) - start - 2;
    const isString = load<u8>(start) == 0x22;
    const value = values + (<usize>column << 3);
    if (kind == ID) {
      // The bytes of an id with an escape do not identify it; readers of the row decode it first.
      store<i32>(value, !isString ? -1 : last & ESCAPED ? -2 : ordinalOf(column, start + 1, length));
    } else if (kind == TIME) {
      const micros = isString && !(last & ESCAPED) ? instantOf(start + 1, length) : NO_TIME;
      store<f64>(value, micros == NO_TIME ? NaN : millisecondsOf(micros));
    } else {
      const first: u32 = load<u8>(start);
      store<f64>(value, first == 0x2d || first - 0x30 <= 9 ? numberAt(start, start + length + 2) : NaN);
    }
  }
}

/** The number of rows of the last run. */
export let made: u32 = 0;

/**
 * Makes a row of each line of `[from, to)`, which ends with a newline, until there are enough. Returns where
 * it stopped.
 */
export function run(from: usize, to: usize): usize {
  made = 0;
  forgetRecent();
  let row = rows;
  while (from < to && made < mostRows) {
    const end = newlineAt(from);
    const start = space(from);
    setColumns(row + ROW_HEAD);
    const accepted = readLine(start, end);
    store<u32>(row, <u32>from);
    store<u32>(row, <u32>end, 4);
    const isRead = accepted || isRecord(start, end);
    store<u32>(row, lastType | (hadLongNumber ? LONG_NUMBER : 0) | (accepted ? 0 : REFUSED), 8);
    store<u32>(row, isRead ? <u32>start : 0, 12);
    if (isRead) evaluate(row);
    row += stride;
    made++;
    from = end + 1;
  }
  return from;
}

let lastType: u32 = 0;

function readLine(start: usize, end: usize): bool {
  lastType = otherType;
  forgetLongNumber();
  if (!typeKey) return fits(start, end, 0);
  // The type may come after the payload: look where it was in the previous record.
  let entry: usize = 0;
  if (typeFromStart) {
    entry = typeAt(start + typeFromStart, end);
    if (!entry && end - start > typeToEnd + 2) entry = typeAt(stringBefore(end - typeToEnd, start), end);
  }
  if (entry && fits(start, end, entry)) {
    lastType = load<u32>(entry, ENTRY_NUMBER);
    return true;
  }
  const value = findType(start);
  const found = value ? typeAt(value, end) : 0;
  if (found == entry && entry) return false;
  if (!fits(start, end, found)) return false;
  if (found) lastType = load<u32>(found, ENTRY_NUMBER);
  return true;
}
