import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isJsonSpace,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './ascii.ts';
import type { JsonPath } from './path.ts';
import { afterScalar, afterString } from './walk.ts';

/** Where a value stands; `depth` says how many segments of the path led to it. */
export interface Located {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

function afterSpace(bytes: Uint8Array, at: number): number {
  let next = at;
  while (isJsonSpace(bytes[next])) next += 1;
  return next;
}

/** The offset after the value that begins at `at`, of a text that the scanner has accepted. */
function afterValue(bytes: Uint8Array, at: number, end: number): number {
  let depth = 0;
  let next = at;
  do {
    const byte = bytes[next];
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
      next += 1;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
      next += 1;
    } else if (byte === COMMA || byte === COLON || isJsonSpace(byte)) next += 1;
    else next = afterScalar(bytes, next, end);
  } while (depth > 0 && next < end);
  return next;
}

/** Whether the key that stands at `[start, end)`, quotes included, has this name. */
function isNamed(bytes: Uint8Array, start: number, end: number, name: string, encoded: Buffer): boolean {
  const key = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  if (!key.includes(BACKSLASH)) return key.subarray(1, -1).equals(encoded);
  return JSON.parse(key.toString('utf8')) === name;
}

/** The value of the last member of a name in the object at `at`, or -1. Of a repeated key the last counts. */
function memberValue(bytes: Uint8Array, at: number, end: number, name: string): number {
  const encoded = Buffer.from(name);
  let found = -1;
  let next = afterSpace(bytes, at + 1);
  while (next < end && bytes[next] === QUOTE) {
    const keyEnd = afterString(bytes, next);
    const value = afterSpace(bytes, afterSpace(bytes, keyEnd) + 1);
    if (isNamed(bytes, next, keyEnd, name, encoded)) found = value;
    next = afterSpace(bytes, afterValue(bytes, value, end));
    if (bytes[next] === COMMA) next = afterSpace(bytes, next + 1);
  }
  return found;
}

/** The element of an index in the array at `at`, or -1. */
function elementValue(bytes: Uint8Array, at: number, end: number, index: number): number {
  let next = afterSpace(bytes, at + 1);
  for (let k = 0; next < end && bytes[next] !== CLOSE_BRACKET; k += 1) {
    if (k === index) return next;
    next = afterSpace(bytes, afterValue(bytes, next, end));
    if (bytes[next] === COMMA) next = afterSpace(bytes, next + 1);
  }
  return -1;
}

function step(bytes: Uint8Array, at: number, end: number, segment: string | number): number {
  if (bytes[at] === OPEN_BRACE) return memberValue(bytes, at, end, String(segment));
  return bytes[at] === OPEN_BRACKET && typeof segment === 'number'
    ? elementValue(bytes, at, end, segment)
    : -1;
}

/**
 * Where the value at `path` stands in a text that the scanner has accepted: its bytes, or those of the nearest
 * ancestor that is there.
 */
export function locate(bytes: Uint8Array, start: number, end: number, path: JsonPath): Located {
  let at = afterSpace(bytes, start);
  let depth = 0;
  for (const segment of path) {
    const next = step(bytes, at, end, segment);
    if (next === -1) break;
    at = next;
    depth += 1;
  }
  return { start: at, end: Math.min(end, afterValue(bytes, at, end)), depth };
}
