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

// JSON.parse does the work. A slower reader takes over for the two kinds of text that it does not give back as they
// are stored: some with an escape in a key, and some numbers.

/** The offset after the string that `at` stands in, in a text that JSON.parse takes; no escape has begun before it. */
function afterString(text: string, at: number): number {
  let next = at;
  for (let code = text.charCodeAt(next); code !== QUOTE; code = text.charCodeAt(next))
    next += code === BACKSLASH ? 2 : 1;
  return next + 1;
}

/**
 * Whether a key of a JSON text is written with an escape. V8 of Node 24 and newer (nodejs/node#63785) compares how
 * such a key is written with the keys that it has seen, and gives back one of those: after `{"\\n":1}`, whose key is
 * a backslash and an n, it reads `{"\nb":1}` as the same.
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

/** What may be a number that does not survive: long, with a fraction or an exponent, or a negative zero. */
const SUSPECT = /(?:^|[:,[])[ \t\r\n]*(-?(?:\d{16,}|\d+(?=[.eE])|0(?<=-0))[\d.eE+-]*)/g;

/** Whether a number comes back as it is stored when it has been a double. */
const survives = (number: string): boolean => JSON.stringify(Number(number)) === number;

/** Whether a text holds a number that does not survive. A string may look like one: a yes is a maybe. */
function mayLoseNumber(text: string): boolean {
  for (const [, number = ''] of text.matchAll(SUSPECT)) if (!survives(number)) return true;
  return false;
}

/** Of a repeated key the last value counts, at the place of the first, as in JSON.parse. */
function setMember(object: JsonObject, key: string, value: JsonValue): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

/** The offset after a number, or a word such as `true`. */
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

/** A string without what encloses it. On its own every engine reads it right. */
const stringOf = (quoted: string): string =>
  quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);

/** Reads a text that JSON.parse takes token by token. Without recursion: it may be nested as deep as it likes. */
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
      const string = stringOf(text.slice(start, at));
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

/** As JSON.parse, and right on every engine. Throws SyntaxError. */
export function parseJson(text: string): JsonValue {
  const value = JSON.parse(text) as JsonValue;
  return hasEscapedKey(text) ? readTokens(text, Number) : value;
}

/**
 * As {@link parseJson}, with each number that a double would change as a StoredNumber. Where there is none the
 * answer is what `plain` gives. Throws SyntaxError.
 */
export function parseExactJson(text: string, plain = () => parseJson(text)): JsonValue {
  if (!mayLoseNumber(text)) return plain();
  JSON.parse(text);
  return readTokens(text, (number) => (survives(number) ? Number(number) : new StoredNumber(number)));
}
