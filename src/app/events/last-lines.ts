import { NEWLINE } from '../../json/ascii.ts';

/** Copies of followed lines that are not printed yet. */
export interface HeldLines {
  /** The stored lines, each with its newline. */
  readonly bytes: Buffer;
  /** The number of the first line. */
  readonly line: number;
  readonly count: number;
}

/** Keeps the last n lines. */
export class LastLines {
  readonly #most: number;
  /** Lines before `#first` were dropped. */
  #held: HeldLines[] = [];
  #first = 0;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(lines: HeldLines): void {
    this.#held.push(lines);
    this.#count += lines.count;
    for (
      let first = this.#held[this.#first];
      first && this.#count - first.count >= this.#most;
      first = this.#held[this.#first]
    ) {
      this.#count -= first.count;
      this.#first += 1;
    }
    // Removing the first item of a long array would move all others.
    if (this.#first * 2 > this.#held.length) {
      this.#held = this.#held.slice(this.#first);
      this.#first = 0;
    }
  }

  take(): HeldLines[] {
    const [first, ...rest] = this.#held.slice(this.#first);
    return first === undefined ? [] : [withoutFirst(first, Math.max(0, this.#count - this.#most)), ...rest];
  }
}

function withoutFirst({ bytes, line, count }: HeldLines, dropped: number): HeldLines {
  let start = 0;
  for (let left = dropped; left > 0; left -= 1) start = bytes.indexOf(NEWLINE, start) + 1;
  return { bytes: bytes.subarray(start), line: line + dropped, count: count - dropped };
}
