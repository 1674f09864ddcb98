// Prints a JSON value as Python's canonical JSON, from the stored bytes: keys by code point, no white space,
// numbers and escapes as in Python. Most writers store that very text. If the stored bytes may differ from
// it, nothing is made, and src/dialects/noesis/governance/ids.ts does it from the parsed value.

import { wordEnd } from './json';

// The form of a value in the text.
export const AS_IS: u32 = 0;
/** Floats as texts of six decimals. */
export const WALKED: u32 = 1;
/** The value itself as such a text if it is any number. */
export const SIX_DECIMALS: u32 = 2;

/** A double represents any number with this many digits, and prints the same digits. */
const SURE_DIGITS: usize = 15;
/** With at most this many digits before the point, six decimals are those of the double too. */
const SURE_WHOLE: usize = 9;
const DECIMALS: usize = 6;

const QUOTES: v128 = i8x16.splat(0x22);
const BACKSLASHES: v128 = i8x16.splat(0x5c);

/** The end of the text so far. The caller of the first write reserves the space. */
let out: usize = 0;
/** Characters from this byte on are written as `\uXXXX`. */
let firstEscaped: u8 = 0xff;

export function beginText(at: usize, isAscii: bool): void {
  out = at;
  firstEscaped = isAscii ? 0x7f : 0xff;
}

export function textEnd(): usize {
  return out;
}

// @ts-ignore: decorator
@inline
export function putByte(byte: u32): void {
  store<u8>(out++, byte);
}

/** Copies bytes as they are. */
export function putBytes(from: usize, length: usize): void {
  memory.copy(out, from, length);
  out += length;
}

export function putNull(): void {
  store<u32>(out, 0x6c6c756e);
  out += 4;
}

/** Writes a value of valid JSON. Returns the address after it, or 0. */
export function putValue(p: usize, form: u32): usize {
  const byte: u32 = load<u8>(p);
  if (byte == 0x22) return putString(p);
  const within = form == SIX_DECIMALS ? AS_IS : form;
  if (byte == 0x7b) return putObject(p, within);
  if (byte == 0x5b) return putArray(p, within);
  if (byte == 0x2d || byte - 0x30 <= 9) return putNumber(p, form);
  const end = wordEnd(p);
  if (end) putBytes(p, end - p);
  return end;
}

/** Whether the key at `a` sorts before that at `b`. Both start after their quotes and have no escapes. */
function isBefore(a: usize, aEnd: usize, b: usize, bEnd: usize): bool {
  return compare(a, aEnd - a, b, bEnd - b) < 0;
}

/** Compares two texts by bytes, which is the order of their code points. */
export function compare(a: usize, aLength: usize, b: usize, bLength: usize): i32 {
  const order = memory.compare(a, b, aLength < bLength ? aLength : bLength);
  return order ? order : <i32>aLength - <i32>bLength;
}

function putObject(p: usize, form: u32): usize {
  putByte(0x7b);
  p++;
  let before: usize = 0;
  let beforeEnd: usize = 0;
  while (load<u8>(p) != 0x7d) {
    if (before) {
      if (load<u8>(p) != 0x2c) return 0;
      putByte(0x2c);
      p++;
    }
    if (load<u8>(p) != 0x22) return 0;
    const key = p + 1;
    p = putString(p);
    if (!p || load<u8>(p) != 0x3a || (before && !isBefore(before, beforeEnd, key, p - 1))) return 0;
    before = key;
    beforeEnd = p - 1;
    putByte(0x3a);
    p = putValue(p + 1, form);
    if (!p) return 0;
  }
  putByte(0x7d);
  return p + 1;
}

function putArray(p: usize, form: u32): usize {
  const first = ++p;
  putByte(0x5b);
  while (load<u8>(p) != 0x5d) {
    if (p != first) {
      if (load<u8>(p) != 0x2c) return 0;
      putByte(0x2c);
      p++;
    }
    p = putValue(p, form);
    if (!p) return 0;
  }
  putByte(0x5d);
  return p + 1;
}

// @ts-ignore: decorator
@inline
function digitsEnd(p: usize): usize {
  while (<u32>load<u8>(p) - 0x30 <= 9) p++;
  return p;
}

/** A number that Python prints as stored. */
function putNumber(start: usize, form: u32): usize {
  const negative = load<u8>(start) == 0x2d;
  const whole = start + (negative ? 1 : 0);
  let p = digitsEnd(whole);
  const wholeLength = p - whole;
  const isFloat = load<u8>(p) == 0x2e;
  let decimals: usize = 0;
  if (isFloat) {
    const fraction = ++p;
    p = digitsEnd(p);
    decimals = p - fraction;
    if (decimals > 1 && load<u8>(p - 1) == 0x30) return 0;
    // Smaller numbers have an exponent.
    if (load<u8>(whole) == 0x30 && decimals > 4 && load<u32>(fraction) == 0x30303030) return 0;
  } else if (negative && load<u8>(whole) == 0x30) return 0;
  const after: u32 = load<u8>(p);
  if ((after | 0x20) == 0x65 || wholeLength + decimals > SURE_DIGITS) return 0;
  if (form == AS_IS || (form == WALKED && !isFloat)) {
    putBytes(start, p - start);
    return p;
  }
  if (wholeLength > SURE_WHOLE || decimals > DECIMALS) return 0;
  putByte(0x22);
  putBytes(start, p - start);
  if (!isFloat) putByte(0x2e);
  for (let k = decimals; k < DECIMALS; k++) putByte(0x30);
  putByte(0x22);
  return p;
}

/** The length of an escape that Python writes identically; 0 for others. */
function escapeLength(p: usize): usize {
  const kind: u32 = load<u8>(p + 1);
  if (kind != 0x75) return kind == 0x2f ? 0 : 2;
  if (load<u16>(p + 2) != 0x3030) return 0;
  const high = <u32>load<u8>(p + 4) - 0x30;
  const low: u32 = load<u8>(p + 5);
  if (high > 1 || (low - 0x30 > 9 && low - 0x61 > 5)) return 0;
  // Some control characters have short escapes: \b \t \n \f \r.
  return high == 0 && (low == 0x38 || low == 0x39 || low == 0x61 || low == 0x63 || low == 0x64) ? 0 : 6;
}

/** Writes a string, which begins at `p`. Returns the address after it, or 0. */
export function putString(p: usize): usize {
  putByte(0x22);
  p++;
  while (true) {
    const bytes = v128.load(p);
    v128.store(out, bytes);
    const special = v128.or(
      v128.or(i8x16.eq(bytes, QUOTES), i8x16.eq(bytes, BACKSLASHES)),
      i8x16.ge_u(bytes, i8x16.splat(firstEscaped)),
    );
    const bits: i32 = i8x16.bitmask(special);
    const plain: usize = bits ? <usize>ctz(bits) : 16;
    p += plain;
    out += plain;
    if (!bits) continue;
    const byte: u32 = load<u8>(p);
    if (byte == 0x22) break;
    if (byte != 0x5c) {
      p = putEscaped(p, byte);
      continue;
    }
    const length = escapeLength(p);
    if (!length) return 0;
    putBytes(p, length);
    p += length;
  }
  putByte(0x22);
  return p + 1;
}

/** Writes a character as one or two `\uXXXX`. Returns the address after it. */
function putEscaped(p: usize, first: u32): usize {
  const length: usize = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  let point: u32 = length == 1 ? first : first & (0x7f >> <u32>length);
  for (let k: usize = 1; k < length; k++) point = (point << 6) | (load<u8>(p + k) & 0x3f);
  if (point >= 0x10000) {
    putUnit(0xd800 + ((point - 0x10000) >> 10));
    point = 0xdc00 + (point & 0x3ff);
  }
  putUnit(point);
  return p + length;
}

function putUnit(unit: u32): void {
  store<u16>(out, 0x755c);
  putHex(out + 2, unit >> 8);
  putHex(out + 4, unit & 0xff);
  out += 6;
}

/** Writes a byte as two digits. */
// @ts-ignore: decorator
@inline
export function putHex(at: usize, byte: u32): void {
  const high = byte >> 4;
  const low = byte & 15;
  store<u8>(at, high + (high > 9 ? 0x57 : 0x30));
  store<u8>(at + 1, low + (low > 9 ? 0x57 : 0x30));
}
