import { firstFrom } from '../../base/text/first-from.ts';
import type { FileId } from '../../log/read.ts';

/** Lines per block. Blocks are never copied, so a long selection never needs twice its memory. */
const BLOCK_LINES = 1 << 14;
const NUMBERS = 3;
const FULL_BLOCK = BLOCK_LINES * NUMBERS;
/** The initial size of the first block, which grows. Thousands of small logs only need a few lines each. */
const FIRST_BLOCK = 64 * NUMBERS;

/** Selected lines: the number and place of each, in 24 bytes. */
export class LineRanges {
  readonly #blocks: Float64Array[] = [];
  /** The number of lines dropped at the beginning. */
  #skipped = 0;
  #end = 0;
  /** The file that contains the lines, if known. */
  file: FileId | undefined;

  /** Sets the file, so that later readers can check that it is still the same. */
  of(file: FileId): this {
    this.file = file;
    return this;
  }

  /** The same lines of a file with the same bytes. */
  in(file: FileId): LineRanges {
    const lines = new LineRanges();
    for (let index = 0; index < this.length; index += 1) lines.addFrom(this, index);
    return lines.of(file);
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

  /** Adds a line of another selection. */
  addFrom(other: LineRanges, index: number): void {
    this.add(other.line(index), other.byteStart(index), other.byteEnd(index));
  }

  /** The last block, enlarged if index `at` does not fit. */
  #blockWithRoom(at: number): Float64Array {
    const block = this.#blocks.at(-1) as Float64Array;
    if (at < block.length) return block;
    const grown = new Float64Array(Math.min(FULL_BLOCK, block.length * 2));
    grown.set(block);
    this.#blocks[this.#blocks.length - 1] = grown;
    return grown;
  }

  /** Keeps only the last `count` lines. */
  keepLast(count: number): void {
    this.#skipped = Math.max(this.#skipped, this.#end - count);
    for (; this.#skipped >= BLOCK_LINES && this.#blocks.length > 1; this.#skipped -= BLOCK_LINES) {
      this.#blocks.shift();
      this.#end -= BLOCK_LINES;
    }
  }

  /** Keeps only the first `count` lines. Nothing may be added afterwards. */
  keepFirst(count: number): void {
    this.#end = Math.min(this.#end, this.#skipped + count);
  }

  /** The first lines, at most `count` and about `bytes` long, but at least one. */
  first(count: number, bytes: number): LineRanges {
    const some = new LineRanges();
    some.file = this.file;
    for (let index = 0, left = bytes; index < Math.min(count, this.length) && left > 0; index += 1) {
      some.addFrom(this, index);
      left -= this.byteEnd(index) - this.byteStart(index);
    }
    return some;
  }

  only(index: number): LineRanges {
    const one = new LineRanges();
    one.addFrom(this, index);
    one.file = this.file;
    return one;
  }

  /** The index of a line number, or -1. The lines must be in file order. */
  indexOfLine(line: number): number {
    const index = firstFrom(this.length, (at) => this.line(at) >= line);
    return index < this.length && this.line(index) === line ? index : -1;
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
