import type { FaultOf } from './fault.ts';

/** Reads numbers from the bytes of a page or of a row, and throws where these end too early. */
export class Bytes {
  readonly bytes: Buffer;
  readonly page: number;
  readonly #fault: FaultOf;
  at: number;

  constructor(bytes: Buffer, page: number, fault: FaultOf, at = 0) {
    this.bytes = bytes;
    this.page = page;
    this.#fault = fault;
    this.at = at;
  }

  /** Throws unless the next `length` bytes exist. */
  need(length: number): void {
    if (this.at < 0 || this.at + length > this.bytes.length)
      throw this.#fault('a value is cut off', this.page);
  }

  /** A number of one to nine bytes, each with seven bits and a mark for another one. */
  varint(): bigint {
    let value = 0n;
    for (let index = 0; index < 9; index += 1) {
      this.need(1);
      const byte = this.bytes[this.at] ?? 0;
      this.at += 1;
      if (index === 8) return BigInt.asIntN(64, (value << 8n) | BigInt(byte));
      value = (value << 7n) | BigInt(byte & 0x7f);
      if (byte < 0x80) return value;
    }
    return value;
  }

  /** A varint that is a length or a type. */
  count(): number {
    // Nearly all are short, and a BigInt takes many times as long.
    this.need(1);
    const first = this.bytes[this.at] ?? 0;
    if (first < 0x80) {
      this.at += 1;
      return first;
    }
    const value = this.varint();
    if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER))
      throw this.#fault('a length is impossible', this.page);
    return Number(value);
  }

  uint32(): number {
    this.need(4);
    this.at += 4;
    return this.bytes.readUInt32BE(this.at - 4);
  }
}
