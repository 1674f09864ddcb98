import { wordPattern } from './word-pattern.ts';

/** The stored lines of a run in one text. */
export class StoredLines {
  readonly #text: string;
  /** The start of each line, and the end of the last. */
  readonly #starts: Uint32Array;

  constructor(text: string, count: number) {
    this.#text = text;
    this.#starts = new Uint32Array(count + 1);
    for (let row = 0, at = 0; row < count; row += 1) {
      at = text.indexOf('\n', at) + 1;
      this.#starts[row + 1] = at;
    }
  }

  at(row: number): string {
    return this.#text.slice(this.#starts[row], (this.#starts[row + 1] ?? 1) - 1);
  }

  /** The rows whose line contains a text, ignoring case, in order. */
  *with(sought: string): Generator<number> {
    const pattern = wordPattern(sought, 'gi');
    let row = 0;
    for (let match = pattern.exec(this.#text); match !== null; match = pattern.exec(this.#text)) {
      row = this.#rowAt(match.index, row);
      yield row;
      pattern.lastIndex = this.#starts[row + 1] ?? this.#text.length;
    }
  }

  /** The row whose line contains an offset, starting from another row. */
  #rowAt(offset: number, least: number): number {
    let [from, to] = [least, this.#starts.length - 2];
    while (from < to) {
      const middle = (from + to + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) from = middle;
      else to = middle - 1;
    }
    return from;
  }
}
