/**
 * The code points that Python's `str.strip()` removes (noesis.md §3). JavaScript's `trim()` removes some
 * others, and not all of these.
 */
const PYTHON_SPACE = new Set([
  0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002,
  0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
]);

const at = (bytes: Uint8Array, index: number): number => bytes[index] ?? 0;

/** The six bits of a continuation byte; out of every range for other bytes. */
function continuation(bytes: Uint8Array, index: number): number {
  const byte = at(bytes, index);
  return byte >> 6 === 0b10 ? byte & 0x3f : 0x20_0000;
}

/** The length of the white space character at `index`, 1 to 3 bytes, or 0. */
function spaceFrom(bytes: Uint8Array, index: number): number {
  const byte = at(bytes, index);
  if (byte < 0x80) return PYTHON_SPACE.has(byte) ? 1 : 0;
  const second = continuation(bytes, index + 1);
  if (byte >> 5 === 0b110) return PYTHON_SPACE.has(((byte & 0x1f) << 6) | second) ? 2 : 0;
  if (byte >> 4 === 0b1110) {
    const third = continuation(bytes, index + 2);
    return PYTHON_SPACE.has(((byte & 0x0f) << 12) | (second << 6) | third) ? 3 : 0;
  }
  return 0;
}

/** The range of a line's text after stripping it as the runtime does; empty if nothing is left. */
export function strippedRange(bytes: Uint8Array, start: number, end: number): { start: number; end: number } {
  let from = start;
  for (let length = 1; from < end; from += length) {
    length = spaceFrom(bytes, from);
    if (length === 0) break;
  }
  let to = end;
  shrink: while (to > from) {
    for (let length = 1; length <= 3; length += 1) {
      if (to - length >= from && spaceFrom(bytes, to - length) === length) {
        to -= length;
        continue shrink;
      }
    }
    break;
  }
  return { start: from, end: to };
}
