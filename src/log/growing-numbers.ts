const FIRST_CAPACITY = 64;

/** A growing array for millions of numbers. Numbers that were never set are 0. */
export class GrowingNumbers<A extends Int32Array | Float64Array> {
  readonly #kind: new (
    length: number,
  ) => A;
  #numbers: A;
  #length = 0;

  /** `kind`: the underlying array type, for 32-bit integers or any numbers. */
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

  add(number: number): void {
    this.set(this.#length, number);
  }

  get all(): A {
    return this.#numbers.subarray(0, this.#length) as A;
  }
}
