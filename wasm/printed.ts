// Prints a record as its program printed it before it hashed the text: some members left out, the others sorted. Copies the
// stored bytes. If the program may have printed a text or a number in another way, nothing is made, and
// src/findings/chains/canonical.ts does it. The record is valid JSON, and its keys have no escapes.

import { beginText, putByte, putBytes, putString, textEnd } from './canonical';
import { PLACES, placesIn } from './places';

// A table: the order of members, whether spaces follow commas and colons, what strings escape, whether numbers are printed
// as they are stored, the number of names; then the names of the outermost members that are left out, each with its length.
const SPACED: usize = 4;
const STRINGS: usize = 8;
const STORED_NUMBERS: usize = 12;
const COUNT: usize = 16;
const NAMES: usize = 20;

const STORED_ORDER: u32 = 0;
const UTF16_ORDER: u32 = 2;
const ASCII: u32 = 1;
const STORED_STRINGS: u32 = 2;

/** The space for tables, and its size. */
export const PRINT_TABLES_SIZE: usize = 4096;
export const PRINT_TABLES: usize = memory.data(4096);

/** Longer records are left to the caller. With spaces, a text is at most twice as long. */
const MOST_BYTES: usize = 1 << 16;
/** So are objects with more members, because they are sorted by insertion. */
const MOST_MEMBERS: usize = 64;
/** JavaScript and Python print numbers with at most this many digits as they are stored. */
const SURE_DIGITS: usize = 15;

export const PRINTED: usize = memory.data((1 << 17) + 64);

// A value in the table of places: the start and end, the start of its key, the number of the value after it.
const VALUE_SIZE: usize = 16;
const END: usize = 4;
const KEY: usize = 8;
const AFTER: usize = 12;

/** The members of all open objects. */
const MEMBERS: usize = memory.data(2048 * 4);
let membersEnd: usize = MEMBERS;

let table: usize = 0;
/** The address that places count from. */
let base: usize = 0;

/** Prints the record in `[from, to)`. Returns the length of the text, or 0. */
export function print(form: usize, from: usize, to: usize, origin: usize): usize {
  if (to - from > MOST_BYTES || !placesIn(from, to, origin)) return 0;
  table = form;
  base = origin;
  membersEnd = MEMBERS;
  beginText(PRINTED, load<u32>(table, STRINGS) == ASCII);
  return putPlaced(PLACES, true) ? textEnd() - PRINTED : 0;
}

// @ts-ignore: decorator
@inline
function after(value: usize): usize {
  return PLACES + <usize>load<u32>(value, AFTER) * VALUE_SIZE;
}

function putPlaced(value: usize, isOutermost: bool): bool {
  const start = base + <usize>load<u32>(value);
  const end = base + <usize>load<u32>(value, END);
  const first: u32 = load<u8>(start);
  if (first == 0x22) return putText(start, end);
  if (first == 0x7b) return putMembers(value, isOutermost);
  if (first == 0x5b) return putItems(value);
  const isNumber = first == 0x2d || first - 0x30 <= 9;
  if (isNumber && !load<u32>(table, STORED_NUMBERS) && !isPlainNumber(start, end)) return false;
  putBytes(start, end - start);
  return true;
}

function putText(start: usize, end: usize): bool {
  if (load<u32>(table, STRINGS) != STORED_STRINGS) return putString(start) != 0;
  putBytes(start, end - start);
  return true;
}

/** Prints a comma or a colon. */
// @ts-ignore: decorator
@inline
function putSeparator(byte: u32): void {
  putByte(byte);
  if (load<u32>(table, SPACED)) putByte(0x20);
}

function putItems(value: usize): bool {
  putByte(0x5b);
  const last = after(value);
  for (let item = value + VALUE_SIZE; item < last; item = after(item)) {
    if (item != value + VALUE_SIZE) putSeparator(0x2c);
    if (!putPlaced(item, false)) return false;
  }
  putByte(0x5d);
  return true;
}

function putMembers(value: usize, isOutermost: bool): bool {
  const first = membersEnd;
  const last = after(value);
  for (let member = value + VALUE_SIZE; member < last; member = after(member)) {
    if (isOutermost && isLeftOut(member)) continue;
    if (membersEnd - first == MOST_MEMBERS << 2) return false;
    insert(first, member);
  }
  const end = membersEnd;
  putByte(0x7b);
  for (let at = first; at < end; at += 4) {
    const member = <usize>load<u32>(at);
    if (at != first) putSeparator(0x2c);
    if (!putString(keyOf(member))) return false;
    putSeparator(0x3a);
    if (!putPlaced(member, false)) return false;
  }
  putByte(0x7d);
  membersEnd = first;
  return true;
}

// @ts-ignore: decorator
@inline
function keyOf(member: usize): usize {
  return base + <usize>load<u32>(member, KEY);
}

/** Adds a member to those from `first` on, which are in order. */
function insert(first: usize, member: usize): void {
  let at = membersEnd;
  membersEnd += 4;
  if (load<u32>(table) != STORED_ORDER) {
    const key = keyOf(member) + 1;
    for (; at > first && isBefore(key, keyOf(<usize>load<u32>(at - 4)) + 1); at -= 4)
      store<u32>(at, load<u32>(at - 4));
  }
  store<u32>(at, <u32>member);
}

/** Whether a key sorts before another one. Both start after their quotes. */
function isBefore(a: usize, b: usize): bool {
  let one: u32 = load<u8>(a);
  let other: u32 = load<u8>(b);
  while (one == other && one != 0x22) {
    one = load<u8>(++a);
    other = load<u8>(++b);
  }
  if (one == 0x22 || other == 0x22) return one == 0x22 && other != 0x22;
  // In UTF-16, a surrogate comes before U+E000 to U+FFFF.
  if (load<u32>(table) == UTF16_ORDER && one >= 0xee && other >= 0xee && one >= 0xf0 != other >= 0xf0)
    return one > other;
  return one < other;
}

function isLeftOut(member: usize): bool {
  const key = keyOf(member) + 1;
  let name = table + NAMES;
  for (let left: u32 = load<u32>(table, COUNT); left; left--) {
    const length = <usize>load<u32>(name);
    name += 4;
    let at: usize = 0;
    while (at < length && load<u8>(name + at) == load<u8>(key + at)) at++;
    if (at == length && load<u8>(key + at) == 0x22) return true;
    name += length;
  }
  return false;
}

/** Whether JavaScript and Python print a number as it is stored. If not sure, false. */
function isPlainNumber(start: usize, end: usize): bool {
  const isNegative = load<u8>(start) == 0x2d;
  const first = start + (isNegative ? 1 : 0);
  if (end - first > SURE_DIGITS) return false;
  let point: usize = 0;
  for (let at = first; at < end; at++) {
    const byte: u32 = load<u8>(at);
    if (byte - 0x30 <= 9) continue;
    if (byte != 0x2e) return false;
    point = at;
  }
  if (!point) return !isNegative || load<u8>(first) != 0x30;
  // Trailing zeros are not printed, and small numbers have exponents.
  return load<u8>(end - 1) != 0x30 && (load<u8>(first) != 0x30 || load<u8>(point + 1) != 0x30);
}
