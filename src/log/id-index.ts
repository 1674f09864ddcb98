const BLOCK = 1024 * 1024;
const FIRST_SLOTS = 1024;

const NO_UTF8 = Buffer.of(0xff);

/** Half a surrogate pair has no UTF-8: such an id is kept in UTF-16, behind a byte that tells, so that no two become equal. */
const encode = (id: string): Buffer =>
  id.isWellFormed() ? Buffer.from(id) : Buffer.concat([NO_UTF8, Buffer.from(id, 'utf16le')]);

/**
 * A set of ids that says which came when, made for millions of them: the bytes of each stand once in blocks, and a
 * table of ordinals finds them. Exact, and about 60 bytes for a UUID, a fifth of what a Map of strings takes.
 */
export class IdIndex {
  /** How many different ids there are; their ordinals count from 0 in the order in which they came. */
  size = 0;
  readonly #blocks: Buffer[] = [];
  #used = BLOCK;
  /** Per ordinal: the block and the place in it, packed, and the line. */
  #places = new Float64Array(FIRST_SLOTS);
  #lines = new Uint32Array(FIRST_SLOTS);
  /** Ordinal + 1, or 0 for an empty slot. */
  #slots = new Int32Array(FIRST_SLOTS * 2);
  readonly #seed = (Math.random() * 0x1_0000_0000) | 0;

  /** Adds an id; its line is kept. Returns the ordinal of an equal one that was there before, or -1 when it is new. */
  add(id: string, line: number): number {
    const bytes = encode(id);
    const slot = this.#slot(bytes);
    const known = (this.#slots[slot] as number) - 1;
    if (known >= 0) return known;
    this.#keep(bytes, line);
    this.#slots[slot] = ++this.size;
    if (this.size * 4 > this.#slots.length * 3) this.#rehash();
    return -1;
  }

  /** The ordinal of an id, or -1. */
  find(id: string): number {
    return (this.#slots[this.#slot(encode(id))] as number) - 1;
  }

  /** The line on which an id came first. */
  lineOf(ordinal: number): number {
    return this.#lines[ordinal] as number;
  }

  /** Seeded anew in each process, so that no log can be made to collide. */
  #hash(bytes: Uint8Array): number {
    let hash = this.#seed;
    for (let at = 0; at < bytes.length; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x0100_0193);
    return (hash ^ (hash >>> 15)) >>> 0;
  }

  /** The slot of an equal id, or the empty one where it belongs. */
  #slot(bytes: Uint8Array): number {
    const mask = this.#slots.length - 1;
    let slot = this.#hash(bytes) & mask;
    for (let ordinal = this.#slots[slot] as number; ordinal !== 0; ordinal = this.#slots[slot] as number) {
      if (this.#bytesOf(ordinal - 1).equals(bytes)) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #bytesOf(ordinal: number): Buffer {
    const place = this.#places[ordinal] as number;
    const block = this.#blocks[Math.floor(place / BLOCK)] as Buffer;
    const at = place % BLOCK;
    const length = block.readUInt32LE(at);
    return block.subarray(at + 4, at + 4 + length);
  }

  #keep(bytes: Buffer, line: number): void {
    const needed = bytes.length + 4;
    if (this.#used + needed > BLOCK) {
      this.#blocks.push(Buffer.allocUnsafeSlow(Math.max(BLOCK, needed)));
      this.#used = 0;
    }
    const block = this.#blocks.at(-1) as Buffer;
    block.writeUInt32LE(bytes.length, this.#used);
    bytes.copy(block, this.#used + 4);
    if (this.size === this.#places.length) {
      const places = new Float64Array(this.size * 2);
      places.set(this.#places);
      this.#places = places;
      const lines = new Uint32Array(this.size * 2);
      lines.set(this.#lines);
      this.#lines = lines;
    }
    this.#places[this.size] = (this.#blocks.length - 1) * BLOCK + this.#used;
    this.#lines[this.size] = line;
    this.#used += needed;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let ordinal = 0; ordinal < this.size; ordinal += 1) {
      let slot = this.#hash(this.#bytesOf(ordinal)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = ordinal + 1;
    }
    this.#slots = slots;
  }
}
