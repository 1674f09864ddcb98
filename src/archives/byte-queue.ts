/** Takes bytes from a stream in the pieces that a format needs. */
export class ByteQueue {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** Returns the next bytes, at least one and at most `count`; undefined at the end. */
  async some(count: number): Promise<Buffer | undefined> {
    while (this.#held.length === 0) {
      const next = await this.#chunks.next();
      if (next.done) return undefined;
      this.#held = next.value;
    }
    const bytes = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(bytes.length);
    return bytes;
  }

  /** Returns the next `count` bytes, or fewer at the end. */
  async exactly(count: number): Promise<Buffer> {
    const first = await this.some(count);
    if (first === undefined || first.length === count) return first ?? Buffer.alloc(0);
    const pieces = [first];
    let length = first.length;
    while (length < count) {
      const piece = await this.some(count - length);
      if (piece === undefined) break;
      pieces.push(piece);
      length += piece.length;
    }
    return Buffer.concat(pieces);
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}
