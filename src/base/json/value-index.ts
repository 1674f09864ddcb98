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
import { afterScalar, afterString } from './tokens-at.ts';

/** The place of a value; `depth` is the number of path segments that led to it. */
export interface Located {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

const FIRST_ROOM = 64;
/** In bytes: the end of a longer string is searched by the engine, which takes less time but for the call. */
const NEAR = 32;
/** The number of array slots per value. */
const WIDTH = 4;
const [START, END, KEY, SKIP] = [0, 1, 2, 3];

/** The offset of the quote that ends a string. `from`: an offset in it that is not escaped. */
function closingQuote(bytes: Uint8Array, from: number): number {
  const quote = bytes.indexOf(QUOTE, from);
  return bytes[quote - 1] === BACKSLASH ? afterString(bytes, from - 1) - 1 : quote;
}

/** Decodes the key that begins at `at`. */
export function keyAt(bytes: Uint8Array, at: number): string {
  const end = afterString(bytes, at);
  const key = Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at);
  return key.includes(BACKSLASH)
    ? (JSON.parse(key.toString('utf8')) as string)
    : key.toString('utf8', 1, key.length - 1);
}

/** Whether a key that begins at `at` is this one. Only decodes a key with escapes or wide characters. */
export function isKey(bytes: Uint8Array, at: number, name: string): boolean {
  for (let k = 0; k < name.length; k += 1) {
    const byte = bytes[at + 1 + k] as number;
    if (byte === BACKSLASH || byte > 0x7f) return keyAt(bytes, at) === name;
    if (byte === QUOTE || byte !== name.charCodeAt(k)) return false;
  }
  return bytes[at + 1 + name.length] === QUOTE;
}

/**
 * Records the place of every value in a valid text, in one pass. Values are numbered in text order from the
 * root, 0; descendants follow their ancestor.
 */
export class ValueIndex {
  bytes: Uint8Array;
  /** The number of values. */
  size = 0;
  #values: Int32Array = new Int32Array(FIRST_ROOM * WIDTH);
  /** The memory for texts that are indexed here. */
  #own: Int32Array = this.#values;
  /** By object; undefined if one member was asked for. */
  readonly #members = new Map<number, ReadonlyMap<string, number> | undefined>();
  readonly #elements = new Map<number, readonly number[]>();

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.bytes = bytes;
    this.#walk(start, end);
  }

  /** Indexes another text, and uses the same memory. */
  read(bytes: Uint8Array, start: number, end: number): this {
    this.bytes = bytes;
    this.#forget();
    this.#walk(start, end);
    return this;
  }

  /** Takes the index of another text, as the accelerator makes it. It is valid as long as that memory. */
  adopt(bytes: Uint8Array, values: Int32Array, size: number): void {
    this.bytes = bytes;
    this.size = size;
    this.#values = values;
    this.#forget();
  }

  #forget(): void {
    if (this.#members.size > 0) this.#members.clear();
    if (this.#elements.size > 0) this.#elements.clear();
  }

  /** Whether a value is an object. */
  isObject(value: number): boolean {
    return this.bytes[this.startOf(value)] === OPEN_BRACE;
  }

  /** Whether a value is an array. */
  isArray(value: number): boolean {
    return this.bytes[this.startOf(value)] === OPEN_BRACKET;
  }

  startOf(value: number): number {
    return this.#values[value * WIDTH + START] as number;
  }

  endOf(value: number): number {
    return this.#values[value * WIDTH + END] as number;
  }

  /** The offset of a member's key, quote included; -1 if the value is not a member. */
  keyOf(value: number): number {
    return this.#values[value * WIDTH + KEY] as number;
  }

  /** The number of the first value after this one and its descendants. */
  after(value: number): number {
    return this.#values[value * WIDTH + SKIP] as number;
  }

  /** The member of an object with this name, the last if it is repeated; -1 without one. */
  member(value: number, name: string): number {
    const { bytes } = this;
    const values = this.#values;
    let found = -1;
    if (bytes[values[value * WIDTH] as number] !== OPEN_BRACE) return found;
    const first = name === '' ? QUOTE : name.charCodeAt(0);
    const after = values[value * WIDTH + SKIP] as number;
    for (let child = value + 1; child < after; child = values[child * WIDTH + SKIP] as number) {
      const key = values[child * WIDTH + KEY] as number;
      const byte = bytes[key + 1] as number;
      // Most keys differ in their first byte.
      if ((byte === first || byte === BACKSLASH || byte > 0x7f) && isKey(bytes, key, name)) found = child;
    }
    return found;
  }

  /**
   * The place of the value at a path, or of its nearest existing ancestor. The last of repeated keys counts.
   */
  locate(path: JsonPath): Located {
    let value = 0;
    let depth = 0;
    for (const segment of path) {
      const next = this.#step(value, segment);
      if (next === undefined) break;
      value = next;
      depth += 1;
    }
    return { start: this.startOf(value), end: this.endOf(value), depth };
  }

  #step(value: number, segment: string | number): number | undefined {
    const opening = this.bytes[this.startOf(value)];
    if (opening === OPEN_BRACE) return this.#memberOf(value, String(segment));
    return opening === OPEN_BRACKET && typeof segment === 'number'
      ? this.#elementsOf(value)[segment]
      : undefined;
  }

  #memberOf(value: number, name: string): number | undefined {
    if (!this.#members.has(value)) {
      this.#members.set(value, undefined);
      const member = this.member(value, name);
      return member === -1 ? undefined : member;
    }
    let members = this.#members.get(value);
    if (members === undefined) {
      members = new Map(this.#within(value).map((child) => [keyAt(this.bytes, this.keyOf(child)), child]));
      this.#members.set(value, members);
    }
    return members.get(name);
  }

  #elementsOf(value: number): readonly number[] {
    let elements = this.#elements.get(value);
    if (elements === undefined) {
      elements = this.#within(value);
      this.#elements.set(value, elements);
    }
    return elements;
  }

  #within(value: number): number[] {
    const children: number[] = [];
    for (let child = value + 1; child < this.after(value); child = this.after(child)) children.push(child);
    return children;
  }

  // Runs for every record of a chained log, so everything that the loop needs is in local variables.
  #walk(start: number, end: number): void {
    const { bytes } = this;
    const open: number[] = [];
    let values = this.#own;
    let size = 0;
    let isObject = false;
    let key = -1;
    for (let at = start; at < end; ) {
      const byte = bytes[at] as number;
      if (byte === COMMA || byte === COLON || isJsonSpace(byte)) {
        at += 1;
        continue;
      }
      if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        at += 1;
        const value = (open.pop() as number) * WIDTH;
        values[value + END] = at;
        values[value + SKIP] = size;
        const holder = open.length === 0 ? -1 : (open[open.length - 1] as number);
        isObject = holder !== -1 && bytes[values[holder * WIDTH] as number] === OPEN_BRACE;
        continue;
      }
      let next = at + 1;
      if (byte === QUOTE) {
        let inner = bytes[next];
        for (const far = next + NEAR; inner !== QUOTE && next < far; inner = bytes[next])
          next += inner === BACKSLASH ? 2 : 1;
        if (inner !== QUOTE) next = closingQuote(bytes, next);
        next += 1;
        if (isObject && key === -1) {
          key = at;
          at = next;
          continue;
        }
      }
      const value = size * WIDTH;
      if (value === values.length) {
        values = new Int32Array(values.length * 2);
        values.set(this.#own);
        this.#own = values;
      }
      values[value + START] = at;
      values[value + KEY] = key;
      key = -1;
      size += 1;
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        open.push(size - 1);
        isObject = byte === OPEN_BRACE;
        at = next;
      } else {
        at = byte === QUOTE ? next : afterScalar(bytes, at, end);
        values[value + END] = at;
        values[value + SKIP] = size;
      }
    }
    this.#values = values;
    this.size = size;
  }
}
