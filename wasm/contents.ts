// Checks ids that are digests of neighbouring members. Builds the content from the stored bytes and compares
// its digest with the stored id. A table says what belongs to a content (src/log/accelerator/contents.ts).

import { beginText, compare, putByte, putBytes, putHex, putNull, putValue, textEnd } from './canonical';
import { blake2b, PADDING, sha1 } from './digests';
import { valueEnd } from './json';
import { resetKeys } from './keys';
import { hadEscape, same, stringEnd } from './text';

// A table: the digest, whether the text is ASCII, whether unnamed members are included, the number of names,
// the length of the id's prefix and the prefix, the namespace of UUIDs; then the sorted names.
const ASCII: usize = 4;
const OTHERS: usize = 8;
const COUNT: usize = 12;
const PREFIX_LENGTH: usize = 16;
const PREFIX: usize = 20;
export const NAMESPACE: usize = 28;
const NAMES: usize = 44;

const UUID: u32 = 1;
const UUID_BYTES: usize = 16;
const UUID_LENGTH: usize = 36;
const SHORT_BYTES: u32 = 12;

// A name: its length, the form of the member, the bytes. The forms of values come first.
const NAME_FORM: usize = 4;
const NAME_BYTES: usize = 8;
const NAME_SIZE: usize = 40;
/** An empty list or object counts as null. */
const FILLED: u32 = 3;
const LEFT_OUT: u32 = 4;
/** Left out, as are all members whose names begin with this one. */
const ALL_LEFT_OUT: u32 = 5;
/** The id itself. */
const ID: u32 = 6;

/** The space for tables. */
export const TABLES: usize = memory.data(2048);

const TEXT_SIZE: usize = 1 << 16;
const TEXT: usize = memory.data((1 << 16) + 1024);
const DIGEST: usize = memory.data(64);
const MADE: usize = memory.data(64);

/** The maximum length of one byte after escaping: `\u007f`. */
const MOST_GROWTH: usize = 6;

/** Writes a member that the table names and the value lacks. */
function putAbsent(name: usize): void {
  const form: u32 = load<u32>(name, NAME_FORM);
  if (form > FILLED) return;
  putName(name + NAME_BYTES, load<u32>(name));
  putNull();
}

let isFirst: bool = true;

function putName(name: usize, length: usize): void {
  if (!isFirst) putByte(0x2c);
  isFirst = false;
  putByte(0x22);
  putBytes(name, length);
  putByte(0x22);
  putByte(0x3a);
}

/** Whether an object of valid JSON, of this length, certainly has the id of its content. */
export function isContentOf(table: usize, p: usize, length: usize): bool {
  const isAscii = load<u32>(table, ASCII) != 0;
  if (length * (isAscii ? MOST_GROWTH : 1) > TEXT_SIZE - 512 || load<u8>(p) != 0x7b) return false;
  const isUuid = load<u32>(table) == UUID;
  if (isUuid) memory.copy(TEXT, table + NAMESPACE, UUID_BYTES);
  beginText(isUuid ? TEXT + UUID_BYTES : TEXT, isAscii);
  const id = putContent(table, p + 1);
  if (!id) return false;
  const made = textEnd() - TEXT;
  return isUuid ? isUuidOf(id, made) : isShortOf(table, id, made);
}

/**
 * Writes the content of an object that starts after its brace. Returns the address of its id after the quote,
 * or 0.
 */
function putContent(table: usize, p: usize): usize {
  const others: u32 = load<u32>(table, OTHERS);
  let name = table + NAMES;
  const end = name + <usize>load<u32>(table, COUNT) * NAME_SIZE;
  let id: usize = 0;
  let before: usize = 0;
  let beforeLength: usize = 0;
  isFirst = true;
  putByte(0x7b);
  while (load<u8>(p) != 0x7d) {
    if (before) {
      if (load<u8>(p) != 0x2c) return 0;
      p++;
    }
    if (load<u8>(p) != 0x22) return 0;
    const key = p + 1;
    p = stringEnd(key);
    const length = p - 1 - key;
    if (!p || hadEscape || load<u8>(p) != 0x3a || (before && compare(before, beforeLength, key, length) >= 0)) return 0;
    before = key;
    beforeLength = length;
    p++;
    let form = others;
    while (name < end) {
      const nameLength = <usize>load<u32>(name);
      const isAll = load<u32>(name, NAME_FORM) == ALL_LEFT_OUT;
      const order = compare(name + NAME_BYTES, nameLength, key, isAll && length > nameLength ? nameLength : length);
      if (order > 0) break;
      if (order == 0) form = load<u32>(name, NAME_FORM);
      else putAbsent(name);
      if (order == 0 && isAll) break;
      name += NAME_SIZE;
      if (order == 0) break;
    }
    if (form == ID) {
      id = load<u8>(p) == 0x22 ? p + 1 : 0;
      p = id ? stringEnd(id) : 0;
      if (!p || hadEscape) return 0;
      idEnd = p - 1;
    } else if (form >= LEFT_OUT) {
      resetKeys();
      p = valueEnd(p, 1);
    } else {
      putName(key, length);
      p = form == FILLED ? putFilled(p) : putValue(p, form);
    }
    if (!p) return 0;
  }
  for (; name < end; name += NAME_SIZE) putAbsent(name);
  putByte(0x7d);
  return id;
}

function putFilled(p: usize): usize {
  const pair: u32 = load<u16>(p);
  if (pair != 0x7d7b && pair != 0x5d5b) return putValue(p, 1);
  putNull();
  return p + 2;
}

/** The end of the id that {@link putContent} found. */
let idEnd: usize = 0;

function isShortOf(table: usize, id: usize, length: usize): bool {
  const prefix = <usize>load<u32>(table, PREFIX_LENGTH);
  if (idEnd - id != prefix + SHORT_BYTES * 2 || !same(id, table + PREFIX, prefix)) return false;
  blake2b(TEXT, length, DIGEST, SHORT_BYTES);
  for (let k: usize = 0; k < SHORT_BYTES; k++) putHex(MADE + k * 2, load<u8>(DIGEST + k));
  return same(id + prefix, MADE, SHORT_BYTES * 2);
}

/** A UUID of version 5. */
function isUuidOf(id: usize, length: usize): bool {
  if (idEnd - id != UUID_LENGTH) return false;
  sha1(TEXT, length, DIGEST);
  store<u8>(DIGEST, (load<u8>(DIGEST, 6) & 0x0f) | 0x50, 6);
  store<u8>(DIGEST, (load<u8>(DIGEST, 8) & 0x3f) | 0x80, 8);
  let at = MADE;
  for (let k: usize = 0; k < UUID_BYTES; k++) {
    if (k == 4 || k == 6 || k == 8 || k == 10) store<u8>(at++, 0x2d);
    putHex(at, load<u8>(DIGEST + k));
    at += 2;
  }
  return same(id, MADE, UUID_LENGTH);
}
