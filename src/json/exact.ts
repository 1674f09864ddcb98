/** A number as it is stored: `1`, `1.0` and `1e0` are three texts, and an integer of any length keeps its digits. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A JSON value whose numbers are the texts they are stored as. */
export type ExactValue = null | boolean | string | NumberText | readonly ExactValue[] | ExactObject;

/** A map, since any text may be a key, `__proto__` too; of a repeated key the last counts. */
export type ExactObject = ReadonlyMap<string, ExactValue>;

export function isExactObject(value: ExactValue | undefined): value is ExactObject {
  return value instanceof Map;
}

const NUMBER = /-?[0-9][0-9.eE+-]*/y;
const SPACE = /[ \t\n\r]*/y;

/** Reads a text that is known to be JSON, no deeper than the limits of a log. */
class ExactReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): ExactValue {
    this.#skipSpace();
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object();
      case '[':
        return this.#array();
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return new NumberText(this.#match(NUMBER));
    }
  }

  #object(): ExactObject {
    const members = new Map<string, ExactValue>();
    this.#at += 1;
    for (this.#skipSpace(); this.#text[this.#at] !== '}'; this.#skipComma()) {
      const key = this.#string();
      this.#skipSpace();
      this.#at += 1;
      members.set(key, this.value());
    }
    this.#at += 1;
    return members;
  }

  #array(): ExactValue[] {
    const items: ExactValue[] = [];
    this.#at += 1;
    for (this.#skipSpace(); this.#text[this.#at] !== ']'; this.#skipComma()) items.push(this.value());
    this.#at += 1;
    return items;
  }

  #string(): string {
    const start = this.#at;
    let end = start;
    do end = this.#text.indexOf('"', end + 1);
    while (this.#isEscaped(end));
    this.#at = end + 1;
    const raw = this.#text.slice(start + 1, end);
    return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
  }

  /** Whether an odd number of backslashes stands before a place. */
  #isEscaped(at: number): boolean {
    let before = at;
    while (this.#text[before - 1] === '\\') before -= 1;
    return (at - before) % 2 === 1;
  }

  #word<T extends ExactValue>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw new SyntaxError(`not JSON at ${this.#at}`);
    this.#at += word.length;
    return value;
  }

  #skipComma(): void {
    this.#skipSpace();
    if (this.#text[this.#at] === ',') this.#at += 1;
    this.#skipSpace();
  }

  #skipSpace(): void {
    this.#match(SPACE);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [text] = pattern.exec(this.#text) ?? [];
    if (text === undefined) throw new SyntaxError(`not JSON at ${this.#at}`);
    this.#at += text.length;
    return text;
  }
}

/** Parses a text that is JSON, and keeps each number as it is stored. Throws a SyntaxError, as JSON.parse does. */
export function parseExact(text: string): ExactValue {
  JSON.parse(text);
  return new ExactReader(text).value();
}
