import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { eachLine } from '../log/stored-lines.ts';

/** So many items are compressed at a time: enough to compress well, and few enough to hold while they are read. */
export const BATCH = 1024;

const FIRST_ROOM = 4096;
/** In UTF-8, per code unit of a text. */
const MOST_BYTES = 3;

/** What a list consists of, as data that a thread can be sent: lines of JSON. */
export interface PackedData {
  /** Compressed; each holds {@link BATCH} items. */
  readonly batches: readonly Uint8Array[];
  /** The newest items, fewer than {@link BATCH}, as they are. */
  readonly open: Uint8Array;
  readonly length: number;
}

function* itemsOf<T>(lines: Uint8Array): Generator<T, void, void> {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
  for (const { start, end } of eachLine(bytes, 0, bytes.length))
    yield JSON.parse(bytes.toString('utf8', start, end)) as T;
}

/** Goes through a packed list. */
export function* unpack<T>({ batches, open }: PackedData): Generator<T, void, void> {
  for (const batch of batches) yield* itemsOf<T>(inflateRawSync(batch));
  yield* itemsOf<T>(open);
}

/**
 * A list of plain data that may become very long: its items lie in memory as compressed text. A log can hold a million
 * faults that are nearly alike, and each of them is reported. Items become text at once, since objects that are held
 * for a while make the garbage collector take more memory for all.
 */
export class PackedList<T> implements Iterable<T> {
  #batches: Uint8Array[] = [];
  #room = Buffer.alloc(0);
  #used = 0;
  length = 0;

  get data(): PackedData {
    const open = new Uint8Array(this.#room.subarray(0, this.#used));
    return { batches: this.#batches, open, length: this.length };
  }

  add(item: T): void {
    const text = `${JSON.stringify(item)}\n`;
    this.#makeRoom(text.length * MOST_BYTES);
    this.#used += this.#room.write(text, this.#used);
    this.length += 1;
    if (this.length % BATCH !== 0) return;
    this.#batches.push(deflateRawSync(this.#room.subarray(0, this.#used), { level: 1 }));
    this.#used = 0;
  }

  *[Symbol.iterator](): Generator<T, void, void> {
    if (this.length > 0) yield* unpack<T>(this.data);
  }

  /** Gives every item for the last time: what has been given is let go. */
  *drain(): Generator<T, void, void> {
    if (this.length === 0) return;
    const { open } = this.data;
    const left = this.#batches.reverse();
    this.#batches = [];
    this.#room = Buffer.alloc(0);
    this.#used = this.length = 0;
    for (let batch = left.pop(); batch !== undefined; batch = left.pop())
      yield* itemsOf<T>(inflateRawSync(batch));
    yield* itemsOf<T>(open);
  }

  #makeRoom(size: number): void {
    if (this.#room.length - this.#used >= size) return;
    const grown = Buffer.allocUnsafe(Math.max(FIRST_ROOM, this.#used + size, this.#room.length * 2));
    this.#room.copy(grown, 0, 0, this.#used);
    this.#room = grown;
  }
}
