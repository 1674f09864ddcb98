/** The number of log bytes that all threads have read, in shared memory. */
export class BytesRead {
  readonly #count: BigUint64Array;

  /** Allocates memory unless it is given some. */
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
