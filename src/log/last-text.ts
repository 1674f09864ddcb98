import type { Row } from './row.ts';

/** Longer texts are decoded at once. */
const ROOM = 64;

/**
 * The last text of a column, which is decoded when it is asked for: of a log's millions only one ever is. What the rows
 * point at is gone by then, so its bytes are kept.
 */
export class LastText {
  readonly #column: number;
  readonly #bytes = Buffer.alloc(ROOM);
  #length = -1;
  #text: string | undefined;

  constructor(column: number) {
    this.#column = column;
  }

  /** Takes in the column of a row, where it holds a text. */
  see(row: Row): void {
    const length = row.copyText(this.#column, this.#bytes);
    if (length >= 0) {
      this.#length = length;
      return;
    }
    const text = row.text(this.#column);
    if (text === undefined) return;
    this.#length = -1;
    this.#text = text;
  }

  /** Whether it ends with a character of ASCII. */
  endsWith(character: string): boolean {
    if (this.#length < 0) return this.#text?.endsWith(character) === true;
    return this.#bytes[this.#length - 1] === character.charCodeAt(0);
  }

  get text(): string | undefined {
    return this.#length < 0 ? this.#text : this.#bytes.toString('utf8', 0, this.#length);
  }
}
