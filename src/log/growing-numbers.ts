const FIRST_CAPACITY = 64;

/** Numbers by index from 0, for millions of them; 0 where none was set. */
export class GrowingNumbers<A extends Int32Array | Float64Array> {
  readonly #kind: new (
    length: number,
  ) => A;
  #numbers: A;
  #length = 0;

  /** `kind`: the array that they are kept in, for whole numbers of 32 bits or for any. */
  constructor(kind: new (length: number) => A) {
    this.#kind = kind;
    this.#numbers = new kind(FIRST_CAPACITY);
  }

  get(index: number): number {
    return this.#numbers[index] ?? 0;
  }

  set(index: number, number: number): void {
    if (index >= this.#numbers.length) {
      const grown = new this.#kind(Math.max(index + 1, this.#numbers.length * 2));
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers[index] = number;
    if (index >= this.#length) this.#length = index + 1;
  }

  /** Sets the one behind the last. */
  add(number: number): void {
    this.set(this.#length, number);
  }

  /** All of them, in place. */
  get all(): A {
    return this.#numbers.subarray(0, this.#length) as A;
  }
}
