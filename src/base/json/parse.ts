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
import { StoredNumber } from './stored-number.ts';
import type { JsonObject, JsonValue } from './value.ts';

// JSON.parse does most of the work. A slower reader handles the two kinds of text that JSON.parse does not
// return as stored: some escaped keys, and some numbers.

/** The offset after the string that contains `at`, in valid JSON. `at` must not be inside an escape. */
function afterString(text: string, at: number): number {
  const quote = text.indexOf('"', at);
  if (text.charCodeAt(quote - 1) !== BACKSLASH) return quote + 1;
  let next = at;
  for (let code = text.charCodeAt(next); code !== QUOTE; code = text.charCodeAt(next))
    next += code === BACKSLASH ? 2 : 1;
  return next + 1;
}

/**
 * Whether a key is written with an escape. V8 of Node 24 and newer (nodejs/node#63785) compares the source
 * text of such a key with the keys it has seen, and may return a wrong one: after `{"\\n":1}`, whose key is a
 * backslash and an n, it gives `{"\nb":1}` the same key.
 */
function hasEscapedKey(text: string): boolean {
  for (let slash = text.indexOf('\\'); slash !== -1; ) {
    const end = afterString(text, slash + 2);
    let next = end;
    while (isJsonSpace(text.charCodeAt(next))) next += 1;
    if (text.charCodeAt(next) === COLON) return true;
    slash = text.indexOf('\\', end);
  }
  return false;
}

/** Numbers whose text a double may change: long ones, fractions, exponents, and negative zero. */
const SUSPECT = /(?:^|[:,[])[ \t\r\n]*(-?(?:\d{16,}|\d+(?=[.eE])|0(?<=-0))[\d.eE+-]*)/g;

/** Whether printing the double of a number gives the same text. */
const survives = (number: string): boolean => JSON.stringify(Number(number)) === number;

/** Whether a text may contain a number that a double would change. A string that looks like one also counts. */
function mayLoseNumber(text: string): boolean {
  for (const [, number = ''] of text.matchAll(SUSPECT)) if (!survives(number)) return true;
  return false;
}

/** Like JSON.parse, keeps the last value of a repeated key at the place of the first. */
export function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

/** The offset after a number or a literal such as `true`. */
function afterWord(text: string, at: number): number {
  let next = at;
  while (next < text.length) {
    const code = text.charCodeAt(next);
    if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || isJsonSpace(code)) break;
    next += 1;
  }
  return next;
}

const WORDS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Above this length, in UTF-16 units, a string of a text is copied: a slice would keep the whole text in memory. */
const LARGE_TEXT = 1 << 20;

/** Decodes a string with its quotes. JSON.parse is safe here: engines only misread escaped keys. */
const stringOf = (quoted: string, isOfLarge: boolean): string =>
  isOfLarge || quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);

/** Parses valid JSON token by token. Not recursive, so nesting may have any depth. */
function readTokens(text: string, readNumber: (text: string) => JsonValue): JsonValue {
  const outer: (JsonObject | JsonValue[] | undefined)[] = [];
  let holder: JsonObject | JsonValue[] | undefined;
  let key: string | undefined;
  let root: JsonValue = null;
  const put = (value: JsonValue): void => {
    if (holder === undefined) root = value;
    else if (Array.isArray(holder)) holder.push(value);
    else {
      setMember(holder, key as string, value);
      key = undefined;
    }
  };
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    const start = at;
    at += 1;
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      const value = code === OPEN_BRACE ? {} : [];
      put(value);
      outer.push(holder);
      holder = value;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) holder = outer.pop();
    else if (code === QUOTE) {
      at = afterString(text, at);
      const string = stringOf(text.slice(start, at), text.length > LARGE_TEXT);
      if (holder === undefined || Array.isArray(holder) || key !== undefined) put(string);
      else key = string;
    } else if (code !== COMMA && code !== COLON && !isJsonSpace(code)) {
      at = afterWord(text, at);
      const word = text.slice(start, at);
      put(WORDS.has(word) ? (WORDS.get(word) ?? null) : readNumber(word));
    }
  }
  return root;
}

/** Like JSON.parse, but correct on every engine. Throws SyntaxError. */
export function parseJson(text: string): JsonValue {
  const value = JSON.parse(text) as JsonValue;
  return hasEscapedKey(text) ? readTokens(text, Number) : value;
}

/** Like {@link parseJson}, but undefined for a text that is not JSON. */
export function jsonIn(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/**
 * Like {@link parseJson}, but keeps numbers that a double would change as StoredNumber. If there are none,
 * returns the result of `plain`. Throws SyntaxError.
 */
export function parseExactJson(text: string, plain = () => parseJson(text)): JsonValue {
  if (!mayLoseNumber(text)) return plain();
  JSON.parse(text);
  return readTokens(text, (number) => (survives(number) ? Number(number) : new StoredNumber(number)));
}
