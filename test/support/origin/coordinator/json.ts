import { MAX_DEPTH } from '../../../../src/base/json/limits.ts';
import { OriginError } from './python.ts';

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /null|true|false|NaN|-?Infinity/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;

/**
 * Reads a JSON text as Python's decoder does and fails with its words and its place, which the reference validator
 * passes on. Only what is wrong is of interest: no value is built.
 */
class Decoder {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): void {
    if (this.#text.startsWith('\ufeff')) this.#fail('Unexpected UTF-8 BOM (decode using utf-8-sig)', 0);
    this.#space();
    this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) this.#fail('Extra data', this.#at);
  }

  #fail(message: string, at: number): never {
    const before = this.#text.slice(0, at);
    const line = before.split('\n').length;
    const inLine = [...before.slice(before.lastIndexOf('\n') + 1)].length;
    throw new OriginError(
      'JSONDecodeError',
      `${message}: line ${line} column ${inLine + 1} (char ${[...before].length})`,
    );
  }

  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return false;
    this.#at += found[0].length;
    return true;
  }

  #space(): void {
    this.#match(SPACE);
  }

  #is(character: string): boolean {
    return this.#text[this.#at] === character;
  }

  #value(depth: number): void {
    if (depth > MAX_DEPTH) throw new OriginError('RecursionError');
    if (this.#is('"')) this.#string();
    else if (this.#is('{')) this.#object(depth);
    else if (this.#is('[')) this.#array(depth);
    else if (!this.#match(WORD) && !this.#match(NUMBER)) this.#fail('Expecting value', this.#at);
  }

  #object(depth: number): void {
    this.#at += 1;
    this.#space();
    if (this.#is('}')) {
      this.#at += 1;
      return;
    }
    while (true) {
      if (!this.#is('"')) this.#fail('Expecting property name enclosed in double quotes', this.#at);
      this.#string();
      this.#space();
      if (!this.#is(':')) this.#fail("Expecting ':' delimiter", this.#at);
      this.#at += 1;
      this.#space();
      this.#value(depth + 1);
      if (this.#ends('}')) return;
    }
  }

  #array(depth: number): void {
    this.#at += 1;
    this.#space();
    if (this.#is(']')) {
      this.#at += 1;
      return;
    }
    do this.#value(depth + 1);
    while (!this.#ends(']'));
  }

  /** After an item: the end of its container, or a comma before the next. */
  #ends(close: string): boolean {
    this.#space();
    const closed = this.#is(close);
    if (!closed && !this.#is(',')) this.#fail("Expecting ',' delimiter", this.#at);
    this.#at += 1;
    this.#space();
    return closed;
  }

  #string(): void {
    const begin = this.#at;
    this.#at += 1;
    while (true) {
      this.#match(PLAIN);
      const character = this.#text[this.#at];
      if (character === undefined) this.#fail('Unterminated string starting at', begin);
      if (character === '"') {
        this.#at += 1;
        return;
      }
      if (character !== '\\') this.#fail('Invalid control character at', this.#at);
      this.#escape(begin);
    }
  }

  #escape(begin: number): void {
    const next = this.#text[this.#at + 1];
    if (next === undefined) this.#fail('Unterminated string starting at', begin);
    if (next !== 'u') {
      if (!'"\\/bfnrt'.includes(next)) this.#fail('Invalid \\escape', this.#at);
      this.#at += 2;
      return;
    }
    if (!/^[0-9a-fA-F]{4}./su.test(this.#text.slice(this.#at + 2, this.#at + 7)))
      this.#fail('Invalid \\uXXXX escape', this.#at + 1);
    this.#at += 6;
  }
}

/** Throws {@link OriginError} with the message of Python's decoder if it would refuse a text. */
export function checkPythonJson(text: string): void {
  new Decoder(text).run();
}
