// The accelerator: turns the lines of a log into rows, and says which need no findings. It knows JSON and
// tables, but no formats. See docs/decisions/0001-accelerator.md, and src/log/accelerator/ for the other
// side.

import { isContentOf, TABLES } from './contents';
import { addressOf as idAddress, beginIds, count, find, intern, makeRoom, scratch as scratchAt } from './ids';
import { reserve, startHeap } from './memory';
import { PLACES, placesIn } from './places';
import { PRINT_TABLES, PRINT_TABLES_SIZE, PRINTED, print } from './printed';
import { beginRows, made } from './rows';
import { setKey } from './sip';
import { link } from './words';

export { run } from './rows';

/** The buffer for the log and its capacity. One newline and 64 more bytes may be read after the log. */
const INPUT_SIZE: usize = 1 << 20;
const INPUT: usize = 1 << 20;
const PROGRAM: usize = INPUT + INPUT_SIZE + 4096;

export function input(): usize {
  return INPUT;
}

export function inputSize(): usize {
  return INPUT_SIZE;
}

/** The address of the table. */
export function program(): usize {
  return PROGRAM;
}

export function linkWords(set: usize): void {
  link(set);
}

/** Reserves memory for a table and rows. Call it before writing the table. */
export function prepare(size: usize): void {
  startHeap(PROGRAM);
  reserve(size);
}

/** Starts a log with the table at `program()`; the key is for hashing its ids. */
export function begin(programSize: usize, rowsSize: usize, mostRows: u32, key0: u32, key1: u32, key2: u32, key3: u32): void {
  const rows = (PROGRAM + programSize + 63) & ~63;
  startHeap(rows + rowsSize);
  setKey(((<u64>key0) << 32) | <u64>key1, ((<u64>key2) << 32) | <u64>key3);
  beginIds();
  beginRows(PROGRAM, rows, mostRows);
}

/** The number of rows of the last run. */
export function rowsMade(): u32 {
  return made;
}

/** Ensures that memory does not move while the texts of this many bytes are interned. */
export function room(bytes: usize): void {
  makeRoom(bytes);
}

/** The address for a text to look up. */
export function scratch(bytes: usize): usize {
  return scratchAt(bytes);
}

export function idCount(): u32 {
  return count;
}

export function addressOf(ordinal: u32): usize {
  return idAddress(ordinal);
}

/** The ordinal of the text at `at`, or -1. */
export function findId(at: usize, length: usize): i32 {
  return find(at, length);
}

export function internId(at: usize, length: usize): i32 {
  return intern(at, length);
}

/** The address for tables of contents. */
export function contentTables(): usize {
  return TABLES;
}

/** Whether the object at `at`, of this length, has the id that a table of contents gives. */
export function isContent(table: usize, at: usize, length: usize): bool {
  return isContentOf(table, at, length);
}

/** The address of the table that {@link findPlaces} fills. */
export function places(): usize {
  return PLACES;
}

/** Lists the values of the record in `[from, to)`. Returns their number, or 0. */
export function findPlaces(from: usize, to: usize): u32 {
  return placesIn(from, to, INPUT);
}

/** The address for tables of printed forms, and the space for them. */
export function printTables(): usize {
  return PRINT_TABLES;
}

export function printTablesSize(): usize {
  return PRINT_TABLES_SIZE;
}

/** The address of the text that {@link printRecord} makes. */
export function printed(): usize {
  return PRINTED;
}

/** Prints the record in `[from, to)` in the form of a table. Returns the length of the text, or 0. */
export function printRecord(table: usize, from: usize, to: usize): usize {
  return print(table, from, to, INPUT);
}
