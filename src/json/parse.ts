import { isJsonSpace } from './ascii.ts';
import { StoredNumber } from './stored-number.ts';
import type { JsonObject, JsonValue } from './value.ts';

// JSON.parse does the work. A slower reader takes over for the two kinds of text that it does not give back as they
// are stored: some with an escape in a key, and some numbers.

/** Finds where strings end in a text that JSON.parse takes. Each search goes on where the last one came to. */
class StringEnds {
  readonly #text: string;
  #quote = -1;
  #slash = -1;
  #slashes = true;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next backslash, or -1; `at` never goes back. */
  slashFrom(at: number): number {
    if (this.#slashes && this.#slash < at) {
      this.#slash = this.#text.indexOf('\\', at);
      this.#slashes = this.#slash !== -1;
    }
    return this.#slashes ? this.#slash : -1;
  }

  /** The offset after the string that `at` stands in, where no escape has begun. */
  after(at: number): number {
    let from = at;
    while (true) {
      if (this.#quote < from) this.#quote = this.#text.indexOf('"', from);
      const slash = this.slashFrom(from);
      if (slash === -1 || slash > this.#quote) return this.#quote + 1;
      from = slash + 2;
    }
  }
}

/**
 * Whether a key of a JSON text is written with an escape. V8 of Node 24 and newer (nodejs/node#63785) compares how
 * such a key is written with the keys that it has seen, and gives back one of those: after `{"\\n":1}`, whose key is
 * a backslash and an n, it reads `{"\nb":1}` as the same.
 */
function hasEscapedKey(text: string): boolean {
  const ends = new StringEnds(text);
  for (let slash = ends.slashFrom(0); slash !== -1; ) {
    let next = ends.after(slash);
    const end = next;
    while (isJsonSpace(text.charCodeAt(next))) next += 1;
    if (text[next] === ':') return true;
    slash = ends.slashFrom(end);
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

const WORDS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Of a repeated key the last value counts, at the place of the first, as in JSON.parse. */
function setMember(object: JsonObject, key: string, value: JsonValue): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

/** Reads a text that JSON.parse takes token by token. Without recursion: it may be nested as deep as it likes. */
function readTokens(text: string, readNumber: (text: string) => JsonValue): JsonValue {
  const ends = new StringEnds(text);
  const outer: (JsonObject | JsonValue[] | undefined)[] = [];
  let holder: JsonObject | JsonValue[] | undefined;
  let key: string | undefined;
  let root: JsonValue = null;
  const put = (value: JsonValue): void => {
    if (holder === undefined) root = value;
    else if (Array.isArray(holder)) holder.push(value);
    else {
      setMember(holder, key ?? '', value);
      key = undefined;
    }
  };
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? '';
    const start = at;
    at += 1;
    if (character === '{' || character === '[') {
      const value = character === '{' ? {} : [];
      put(value);
      outer.push(holder);
      holder = value;
    } else if (character === '}' || character === ']') holder = outer.pop();
    else if (character === '"') {
      at = ends.after(at);
      // A string on its own is read right by every engine.
      const string = JSON.parse(text.slice(start, at)) as string;
      if (holder === undefined || Array.isArray(holder) || key !== undefined) put(string);
      else key = string;
    } else if (!' \t\r\n,:'.includes(character)) {
      while (at < text.length && !' \t\r\n,]}'.includes(text[at] ?? '')) at += 1;
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
