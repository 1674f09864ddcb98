import type { FileId } from '../log/read.ts';

/** Lines per block: blocks are never copied, so that a long selection does not pass through twice its memory. */
const BLOCK_LINES = 1 << 14;
const NUMBERS = 3;
const FULL_BLOCK = BLOCK_LINES * NUMBERS;
/** The first block begins with so many numbers and grows: of thousands of small logs few lines each are taken. */
const FIRST_BLOCK = 64 * NUMBERS;

/** The lines a selection took: number and place of each, in 24 bytes. */
export class LineRanges {
  readonly #blocks: Float64Array[] = [];
  /** How many lines at the beginning were let go again. */
  #skipped = 0;
  #end = 0;
  /** The file they were found in, where it is known. */
  file: FileId | undefined;

  /** Says which file they were found in: whoever reads them again makes sure of it. */
  of(file: FileId): this {
    this.file = file;
    return this;
  }

  get length(): number {
    return this.#end - this.#skipped;
  }

  add(line: number, byteStart: number, byteEnd: number): void {
    const at = (this.#end % BLOCK_LINES) * NUMBERS;
    if (at === 0) this.#blocks.push(new Float64Array(this.#blocks.length === 0 ? FIRST_BLOCK : FULL_BLOCK));
    const block = this.#blockWithRoom(at);
    block[at] = line;
    block[at + 1] = byteStart;
    block[at + 2] = byteEnd;
    this.#end += 1;
  }

  /** The last block, made longer where its place `at` is beyond its end. */
  #blockWithRoom(at: number): Float64Array {
    const block = this.#blocks.at(-1) as Float64Array;
    if (at < block.length) return block;
    const grown = new Float64Array(Math.min(FULL_BLOCK, block.length * 2));
    grown.set(block);
    this.#blocks[this.#blocks.length - 1] = grown;
    return grown;
  }

  /** Keeps only the last `count`. */
  keepLast(count: number): void {
    this.#skipped = Math.max(this.#skipped, this.#end - count);
    for (; this.#skipped >= BLOCK_LINES && this.#blocks.length > 1; this.#skipped -= BLOCK_LINES) {
      this.#blocks.shift();
      this.#end -= BLOCK_LINES;
    }
  }

  /** Keeps only the first `count`; nothing may be added afterwards. */
  keepFirst(count: number): void {
    this.#end = Math.min(this.#end, this.#skipped + count);
  }

  /** The first ones, at least one where there is any: at most so many, of about so many bytes. */
  first(count: number, bytes: number): LineRanges {
    const some = new LineRanges();
    some.file = this.file;
    for (let index = 0, left = bytes; index < Math.min(count, this.length) && left > 0; index += 1) {
      some.add(this.line(index), this.byteStart(index), this.byteEnd(index));
      left -= this.byteEnd(index) - this.byteStart(index);
    }
    return some;
  }

  /** One of them on its own. */
  only(index: number): LineRanges {
    const one = new LineRanges();
    one.add(this.line(index), this.byteStart(index), this.byteEnd(index));
    one.file = this.file;
    return one;
  }

  /** Which of them has a number, where they stand in the order of the file; -1 for none. */
  indexOfLine(line: number): number {
    let from = 0;
    let to = this.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.line(middle) < line) from = middle + 1;
      else to = middle;
    }
    return from < this.length && this.line(from) === line ? from : -1;
  }

  line(index: number): number {
    return this.#number(index, 0);
  }

  byteStart(index: number): number {
    return this.#number(index, 1);
  }

  byteEnd(index: number): number {
    return this.#number(index, 2);
  }

  #number(index: number, which: number): number {
    const at = this.#skipped + index;
    return this.#blocks[Math.floor(at / BLOCK_LINES)]?.[(at % BLOCK_LINES) * NUMBERS + which] ?? 0;
  }
}
