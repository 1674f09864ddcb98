/** Whole numbers from 0 by index, for millions of them; 0 where none was set. */
export class GrowingNumbers {
  #numbers = new Int32Array(1024);

  get(index: number): number {
    return this.#numbers[index] ?? 0;
  }

  set(index: number, number: number): void {
    if (index >= this.#numbers.length) {
      const grown = new Int32Array(Math.max(index + 1, this.#numbers.length * 2));
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers[index] = number;
  }
}
