import { BACKSLASH, DOT, isDigit, MINUS, QUOTE, SPACE, ZERO } from './ascii.ts';

/** Why a text is not JSON, as seen at the byte where the scan failed. */
export type ScanFault =
  | 'end-of-text'
  | 'value-expected'
  | 'key-expected'
  | 'trailing-comma'
  | 'colon-expected'
  | 'comma-expected'
  | 'bad-literal'
  | 'bad-number'
  | 'bad-escape'
  | 'control-character'
  | 'open-string'
  | 'trailing-text'
  | 'too-deep'
  | 'too-many-values';

/** Numbers with fewer digits than 2^53, which has 16, are safe. */
const SAFE_DIGITS = 15;
/** Exponents of two digits are safe: the largest double is about 1e308. */
const SAFE_EXPONENT_DIGITS = 2;

/** 1 for bytes that end the plain part of a string: quote, backslash and control characters. */
export const STRING_STOP = new Uint8Array(256);
STRING_STOP.fill(1, 0, SPACE);
STRING_STOP[QUOTE] = 1;
STRING_STOP[BACKSLASH] = 1;

const HEX = new Uint8Array(256);
for (const digit of '0123456789abcdefABCDEF') HEX[digit.charCodeAt(0)] = 1;

/** 1 for bytes allowed after a backslash, except `u`. */
const ESCAPE = new Uint8Array(256);
for (const letter of '"\\/bfnrt') ESCAPE[letter.charCodeAt(0)] = 1;

/** The literals of JSON, and three of Python. */
const wordOf = (text: string): Uint8Array => Buffer.from(text);
const [TRUE, FALSE, NULL] = [wordOf('true'), wordOf('false'), wordOf('null')];
const [NAN, INFINITY, MINUS_INFINITY] = [wordOf('NaN'), wordOf('Infinity'), wordOf('-Infinity')];

/** Reads strings, numbers and literals. */
export class TokenReader {
  /** Why the last scan failed; undefined if it succeeded. */
  fault: ScanFault | undefined;
  /** The offset of the fault. */
  faultAt = 0;
  /** The offset of the first `NaN` or infinity, or -1. */
  nonFiniteAt = -1;
  /** The offset of the first integer that may exceed 2^53, or -1. */
  bigIntegerAt = -1;
  /** A number may not fit a double exactly. */
  mayRound = false;

  /** Notes a fault and returns -1, which callers use instead of an offset. */
  protected reject(fault: ScanFault, at: number): -1 {
    this.fault = fault;
    this.faultAt = at;
    return -1;
  }

  /** Continues from an escape or control character. Returns the offset of the closing quote, or -1. */
  protected restOfString(bytes: Uint8Array, from: number, end: number): number {
    let at = from;
    while (true) {
      const byte = bytes[at] as number;
      if (STRING_STOP[byte] === 0) at += 1;
      else if (byte === QUOTE) return at;
      else if (at >= end) return this.reject('open-string', end);
      else if (byte !== BACKSLASH) return this.reject('control-character', at);
      else if (ESCAPE[bytes[at + 1] as number] === 1 && at + 1 < end) at += 2;
      else if (bytes[at + 1] === 0x75) {
        for (let k = at + 2; k < at + 6; k += 1) {
          if (k >= end) return this.reject('open-string', end);
          if (HEX[bytes[k] as number] === 0) return this.reject('bad-escape', at);
        }
        at += 6;
      } else return at + 1 >= end ? this.reject('open-string', end) : this.reject('bad-escape', at);
    }
  }

  protected number(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    if (bytes[at] === MINUS) {
      at += 1;
      if (bytes[at] === INFINITY?.[0]) return this.#nonFinite(bytes, start, MINUS_INFINITY);
    }
    const digits = at;
    if (bytes[at] === ZERO) at += 1;
    else while (isDigit(bytes[at])) at += 1;
    if (at === digits || isDigit(bytes[at])) return this.reject(at >= end ? 'end-of-text' : 'bad-number', at);
    const integerEnd = at;
    if (bytes[at] === DOT) {
      const fraction = ++at;
      while (isDigit(bytes[at])) at += 1;
      if (at === fraction) return this.reject(at >= end ? 'end-of-text' : 'bad-number', at);
    }
    if (((bytes[at] as number) | 0x20) === 0x65) {
      at += 1;
      if (bytes[at] === 0x2b || bytes[at] === MINUS) at += 1;
      const exponent = at;
      while (isDigit(bytes[at])) at += 1;
      if (at - exponent > SAFE_EXPONENT_DIGITS) this.mayRound = true;
      if (at === exponent) return this.reject(at >= end ? 'end-of-text' : 'bad-number', at);
    }
    if (at - digits > SAFE_DIGITS) {
      this.mayRound = true;
      if (at === integerEnd && this.bigIntegerAt < 0) this.bigIntegerAt = start;
    }
    return at;
  }

  protected word(bytes: Uint8Array, at: number, end: number): number {
    if (at >= end) return this.reject('end-of-text', end);
    switch (bytes[at]) {
      case 0x74:
        return this.#literal(bytes, at, TRUE);
      case 0x66:
        return this.#literal(bytes, at, FALSE);
      case 0x6e:
        return this.#literal(bytes, at, NULL);
      case 0x4e:
        return this.#nonFinite(bytes, at, NAN);
      case 0x49:
        return this.#nonFinite(bytes, at, INFINITY);
      default:
        return this.reject('value-expected', at);
    }
  }

  #literal(bytes: Uint8Array, start: number, word: Uint8Array): number {
    for (let k = 1; k < word.length; k += 1) {
      if (bytes[start + k] === word[k]) continue;
      return this.reject(bytes[start + k] === 0x0a ? 'end-of-text' : 'bad-literal', start);
    }
    return start + word.length;
  }

  #nonFinite(bytes: Uint8Array, start: number, word: Uint8Array): number {
    const after = this.#literal(bytes, start, word);
    if (after > 0 && this.nonFiniteAt < 0) this.nonFiniteAt = start;
    return after;
  }
}
