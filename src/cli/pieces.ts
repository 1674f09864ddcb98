/** In UTF-16 units. Each write takes time, and a string has a maximum length. */
const PIECE_UNITS = 1 << 16;

/** Joins texts to pieces, and writes these. */
export class Pieces {
  readonly #write: (piece: string) => Promise<void>;
  #text = '';

  constructor(write: (piece: string) => Promise<void>) {
    this.#write = write;
  }

  /** Returns true if a whole piece is ready: call {@link write} then, and once at the end. */
  add(text: string): boolean {
    this.#text += text;
    return this.#text.length >= PIECE_UNITS;
  }

  async write(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    if (text !== '') await this.#write(text);
  }
}

/** Joins texts to pieces. */
export function* joined(texts: Iterable<string>): Generator<string> {
  let text = '';
  for (const next of texts) {
    text += next;
    if (text.length < PIECE_UNITS) continue;
    yield text;
    text = '';
  }
  yield text;
}
