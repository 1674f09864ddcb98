import { isAscii } from 'node:buffer';
import { BACKSLASH } from '../../base/json/ascii.ts';
import type { Form } from './forms.ts';

// Whether a form prints texts and numbers as the log has them, so that their bytes can be copied. If not sure, false: they are
// then decoded and printed.

const [MINUS, ZERO, SPACE, DELETE] = [0x2d, 0x30, 0x20, 0x7f];
const [POINT, SLASH, LETTER_U] = [0x2e, 0x2f, 0x75];
/** Characters that only Go escapes. */
const GO_ESCAPES: ReadonlySet<number> = new Set([0x26, 0x3c, 0x3e, 0x2028, 0x2029]);
/** A double represents any number with this many digits, and prints the same digits. */
const PLAIN_DIGITS = 15;

/** The range of bytes that a string form prints as stored. */
const PLAIN: Readonly<Record<Form['strings'], Uint8Array>> = {
  minimal: new Uint8Array(256).fill(1),
  ascii: new Uint8Array(256).fill(1, 0, DELETE),
  go: new Uint8Array(256).fill(1),
  stored: new Uint8Array(256).fill(1),
};
// The first byte of U+2028 and U+2029.
for (const byte of [0x3c, 0x3e, 0x26, 0xe2]) PLAIN.go[byte] = 0;
for (const form of ['minimal', 'ascii', 'go'] as const) PLAIN[form][BACKSLASH] = 0;
/** Of strings that are normalised: ASCII that no form escapes. */
const PLAIN_NFC = new Uint8Array(256).fill(1, 0, DELETE);
for (const byte of [0x3c, 0x3e, 0x26, BACKSLASH]) PLAIN_NFC[byte] = 0;

/** Whether a form prints all strings of a text as they are stored. If not sure, false. */
export function isPlainText(bytes: Uint8Array, strings: Form['strings'], isNfc: boolean): boolean {
  if (strings === 'go') return false;
  if (!isNfc && strings === 'stored') return true;
  if (bytes.includes(BACKSLASH)) return false;
  return (!isNfc && strings === 'minimal') || (isAscii(bytes) && !bytes.includes(DELETE));
}

/** Whether a form prints all strings of a text as they are stored. */
export function isPlain(
  bytes: Uint8Array,
  start: number,
  end: number,
  strings: Form['strings'],
  isNfc: boolean,
): boolean {
  const plain = isNfc ? PLAIN_NFC : PLAIN[strings];
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (plain[byte] !== 0) continue;
    const size = byte === BACKSLASH ? plainEscape(bytes, at, isNfc ? 'minimal' : strings) : 0;
    if (size === 0) return false;
    at += size - 1;
  }
  return true;
}

/** The size of the escape that begins at `at`, if a form prints it for that character; else 0. */
function plainEscape(bytes: Uint8Array, at: number, strings: Form['strings']): number {
  const letter = bytes[at + 1] as number;
  if (letter !== LETTER_U) return letter === SLASH ? 0 : 2;
  const code = lowerHex(bytes, at + 2);
  // Those with a letter as escape are 8, 9, 10, 12 and 13.
  if (code >= 0 && code < SPACE) return code < 8 || code === 11 || code > 13 ? 6 : 0;
  if (strings === 'go') return GO_ESCAPES.has(code) ? 6 : 0;
  if (strings !== 'ascii' || code < DELETE) return 0;
  if (code < 0xd800 || code > 0xdfff) return 6;
  // Half a character is noted.
  if (code > 0xdbff || bytes[at + 6] !== BACKSLASH || bytes[at + 7] !== LETTER_U) return 0;
  const low = lowerHex(bytes, at + 8);
  return low >= 0xdc00 && low <= 0xdfff ? 12 : 0;
}

/** The value of four digits of hex in lower case, or -1. */
function lowerHex(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let next = at; next < at + 4; next += 1) {
    const byte = bytes[next] as number;
    if (byte >= ZERO && byte <= 0x39) value = value * 16 + byte - ZERO;
    else if (byte >= 0x61 && byte <= 0x66) value = value * 16 + byte - 0x57;
    else return -1;
  }
  return value;
}

/** Whether JavaScript and Python print a number as it is stored. If not sure, false. */
export function isPlainNumber(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] === MINUS ? start + 1 : start;
  if (end - first > PLAIN_DIGITS) return false;
  let point = -1;
  for (let at = first; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte >= ZERO && byte <= 0x39) continue;
    if (byte !== POINT) return false;
    point = at;
  }
  if (point === -1) return bytes[start] !== MINUS || bytes[first] !== ZERO;
  // Trailing zeros are not printed, and small numbers have exponents.
  return bytes[end - 1] !== ZERO && (bytes[first] !== ZERO || bytes[point + 1] !== ZERO);
}

/** Whether a value that begins with this byte is a number. */
export const beginsNumber = (first: number): boolean => first === MINUS || (first >= ZERO && first <= 0x39);
