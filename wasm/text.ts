// Reads strings, numbers and white space, 16 bytes at a time if that pays off. Every function takes the
// address of a token and returns the address after it, or 0 unless the text is plain valid JSON. Each line
// ends with a newline, which ends every token.

const QUOTES: v128 = i8x16.splat(0x22);
const BACKSLASHES: v128 = i8x16.splat(0x5c);
const SPACES: v128 = i8x16.splat(0x20);
const NEWLINES: v128 = i8x16.splat(0x0a);

/** Longer integers may not be exact in JavaScript; the careful reader reports them. */
const MOST_DIGITS: usize = 15;

/** A number was read that a double may not represent. */
export let hadLongNumber: bool = false;

export function forgetLongNumber(): void {
  hadLongNumber = false;
}

/** The last string had an escape, so its bytes are not its text. */
export let hadEscape: bool = false;

/** The first quote, backslash or control character. */
// @ts-ignore: decorator
@inline
function stop(p: usize): usize {
  while (true) {
    const bytes = v128.load(p);
    const special = v128.or(
      v128.or(i8x16.eq(bytes, QUOTES), i8x16.eq(bytes, BACKSLASHES)),
      i8x16.lt_u(bytes, SPACES),
    );
    const bits: i32 = i8x16.bitmask(special);
    if (bits) return p + <usize>ctz(bits);
    p += 16;
  }
  return 0;
}

/** The next newline, which must exist. */
export function newlineAt(p: usize): usize {
  while (true) {
    const bits: i32 = i8x16.bitmask(i8x16.eq(v128.load(p), NEWLINES));
    if (bits) return p + <usize>ctz(bits);
    p += 16;
  }
  return 0;
}

// @ts-ignore: decorator
@inline
function isHex(byte: u32): bool {
  return byte - 0x30 <= 9 || (byte | 0x20) - 0x61 <= 5;
}

/** Reads a string, starting after its opening quote. */
export function stringEnd(p: usize): usize {
  hadEscape = false;
  while (true) {
    p = stop(p);
    const byte: u32 = load<u8>(p);
    if (byte == 0x22) return p + 1;
    if (byte != 0x5c) return 0;
    hadEscape = true;
    const kind: u32 = load<u8>(p + 1);
    switch (kind) {
      case 0x22: case 0x5c: case 0x2f: case 0x62: case 0x66: case 0x6e: case 0x72: case 0x74:
        p += 2;
        break;
      case 0x75:
        for (let k: usize = 2; k < 6; k++) if (!isHex(load<u8>(p + k))) return 0;
        p += 6;
        break;
      default:
        return 0;
    }
  }
  return 0;
}

// @ts-ignore: decorator
@inline
function isDigit(byte: u32): bool {
  return byte - 0x30 <= 9;
}

/** Reads a number that is certainly finite and, if written as an integer, exact. */
export function numberEnd(p: usize): usize {
  let byte: u32 = load<u8>(p);
  if (byte == 0x2d) byte = load<u8>(++p);
  const digits = p;
  if (byte == 0x30) byte = load<u8>(++p);
  else {
    if (!isDigit(byte)) return 0;
    while (isDigit(byte)) byte = load<u8>(++p);
    if (p - digits > MOST_DIGITS) return 0;
  }
  if (byte == 0x2e) {
    byte = load<u8>(++p);
    if (!isDigit(byte)) return 0;
    while (isDigit(byte)) byte = load<u8>(++p);
  }
  if ((byte | 0x20) == 0x65) {
    byte = load<u8>(++p);
    if (byte == 0x2b || byte == 0x2d) byte = load<u8>(++p);
    const exponent = p;
    if (!isDigit(byte)) return 0;
    while (isDigit(byte)) byte = load<u8>(++p);
    if (p - exponent > 2) return 0;
  }
  if (p - digits > MOST_DIGITS) hadLongNumber = true;
  return isDigit(byte) ? 0 : p;
}

/** Skips white space except newlines. */
// @ts-ignore: decorator
@inline
export function space(p: usize): usize {
  while (true) {
    const byte: u32 = load<u8>(p);
    // Fast path: writers put no white space between tokens, or one space.
    if (byte > 0x20 || (byte != 0x20 && byte != 0x09 && byte != 0x0d)) return p;
    p++;
  }
  return p;
}

/** Whether two texts of one length are the same. */
// @ts-ignore: decorator
@inline
export function same(a: usize, b: usize, length: usize): bool {
  let at: usize = 0;
  for (; at + 8 <= length; at += 8) if (load<u64>(a + at) != load<u64>(b + at)) return false;
  if (length >= 8) return load<u64>(a + length - 8) == load<u64>(b + length - 8);
  for (; at < length; at++) if (load<u8>(a + at) != load<u8>(b + at)) return false;
  return true;
}

/** The number of characters in a text without escapes. */
export function charactersOf(p: usize, end: usize): u32 {
  let characters: u32 = 0;
  for (; p < end; p++) if ((load<u8>(p) & 0xc0) != 0x80) characters++;
  return characters;
}

/** The number of UTF-16 units, of which characters beyond the first plane have two. */
export function unitsOf(p: usize, end: usize): u32 {
  let units = charactersOf(p, end);
  for (; p < end; p++) if (load<u8>(p) >= 0xf0) units++;
  return units;
}
