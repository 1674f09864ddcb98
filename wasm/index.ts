// The accelerator: turns the lines of a log into rows, and says of which there is nothing to say. It knows JSON and
// tables, and no format. See docs/decisions/0001-accelerator.md, and src/log/accelerator/ for the other side.

import { isContentOf, TABLES } from './contents';
import { addressOf as idAddress, beginIds, count, find, intern, makeRoom, scratch as scratchAt } from './ids';
import { reserve, startHeap } from './memory';
import { beginRows, made } from './rows';
import { setKey } from './sip';
import { link } from './words';

export { run } from './rows';

/** Where the log's bytes are put, and how many fit; one newline and 64 bytes more may be read behind them. */
const INPUT_SIZE: usize = 1 << 20;
const INPUT: usize = 1 << 20;
const PROGRAM: usize = INPUT + INPUT_SIZE + 4096;

export function input(): usize {
  return INPUT;
}

export function inputSize(): usize {
  return INPUT_SIZE;
}

/** Where the table is put. */
export function program(): usize {
  return PROGRAM;
}

export function linkWords(set: usize): void {
  link(set);
}

/** Makes room for a table and for rows; called before the table is written. */
export function prepare(size: usize): void {
  startHeap(PROGRAM);
  reserve(size);
}

/** A new log, read by the table that stands at `program()`; the key is for its ids. */
export function begin(programSize: usize, rowsSize: usize, mostRows: u32, key0: u32, key1: u32, key2: u32, key3: u32): void {
  const rows = (PROGRAM + programSize + 63) & ~63;
  startHeap(rows + rowsSize);
  setKey(((<u64>key0) << 32) | <u64>key1, ((<u64>key2) << 32) | <u64>key3);
  beginIds();
  beginRows(PROGRAM, rows, mostRows);
}

/** How many rows the last run made. */
export function rowsMade(): u32 {
  return made;
}

/** Makes sure that interning the texts of so many bytes of a log moves nothing. */
export function room(bytes: usize): void {
  makeRoom(bytes);
}

/** Where a text is put that is asked about. */
export function scratch(bytes: usize): usize {
  return scratchAt(bytes);
}

export function idCount(): u32 {
  return count;
}

export function addressOf(ordinal: u32): usize {
  return idAddress(ordinal);
}

/** The ordinal of a text that was put at `at`, or -1. */
export function findId(at: usize, length: usize): i32 {
  return find(at, length);
}

export function internId(at: usize, length: usize): i32 {
  return intern(at, length);
}

/** Where the tables of contents are put. */
export function contentTables(): usize {
  return TABLES;
}

/** Whether the object of so many bytes that a record holds at `at` has the id that a table of contents gives. */
export function isContent(table: usize, at: usize, length: usize): bool {
  return isContentOf(table, at, length);
}
