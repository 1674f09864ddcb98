/** How many bytes of their logs all threads of a run have read, in memory that they share. */
export class BytesRead {
  readonly #count: BigUint64Array;

  /** Without memory it makes its own. */
  constructor(memory = new SharedArrayBuffer(BigUint64Array.BYTES_PER_ELEMENT)) {
    this.#count = new BigUint64Array(memory);
  }

  get memory(): SharedArrayBuffer {
    return this.#count.buffer as SharedArrayBuffer;
  }

  get total(): number {
    return Number(Atomics.load(this.#count, 0));
  }

  add(bytes: number): void {
    Atomics.add(this.#count, 0, BigInt(bytes));
  }
}
