import type { Row } from './row.ts';

/** Longer texts are decoded immediately. */
const ROOM = 64;

/**
 * The last text of a column. It is decoded on demand, because only the last of millions is used. Keeps a copy
 * of the bytes, because the row's memory is reused.
 */
export class LastText {
  readonly #column: number;
  readonly #bytes = Buffer.alloc(ROOM);
  #length = -1;
  #text: string | undefined;

  constructor(column: number) {
    this.#column = column;
  }

  /** Remembers the column's text, if it is one. */
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

  /** Whether it ends with an ASCII character. */
  endsWith(character: string): boolean {
    if (this.#length < 0) return this.#text?.endsWith(character) === true;
    return this.#bytes[this.#length - 1] === character.charCodeAt(0);
  }

  get text(): string | undefined {
    return this.#length < 0 ? this.#text : this.#bytes.toString('utf8', 0, this.#length);
  }
}
