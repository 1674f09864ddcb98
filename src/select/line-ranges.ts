/** The lines a selection took: number and place of each, in 24 bytes. */
export class LineRanges {
  #data = new Float64Array(3 * 256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(line: number, byteStart: number, byteEnd: number): void {
    const at = this.#length * 3;
    if (at === this.#data.length) {
      const grown = new Float64Array(at * 2);
      grown.set(this.#data);
      this.#data = grown;
    }
    this.#data[at] = line;
    this.#data[at + 1] = byteStart;
    this.#data[at + 2] = byteEnd;
    this.#length += 1;
  }

  /** Keeps only the last `count`. */
  keepLast(count: number): void {
    if (this.#length <= count) return;
    this.#data.copyWithin(0, (this.#length - count) * 3, this.#length * 3);
    this.#length = count;
  }

  /** Keeps only the first `count`. */
  keepFirst(count: number): void {
    this.#length = Math.min(this.#length, count);
  }

  /** One of them on its own. */
  only(index: number): LineRanges {
    const one = new LineRanges();
    one.add(this.line(index), this.byteStart(index), this.byteEnd(index));
    return one;
  }

  line(index: number): number {
    return this.#data[index * 3] ?? 0;
  }

  byteStart(index: number): number {
    return this.#data[index * 3 + 1] ?? 0;
  }

  byteEnd(index: number): number {
    return this.#data[index * 3 + 2] ?? 0;
  }
}
