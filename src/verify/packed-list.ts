import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** So many items are compressed at a time: enough to compress well, and few enough to hold while they are read. */
export const BATCH = 1024;

/** What a list consists of, as data that a thread can be sent. */
export interface PackedData<T> {
  /** Each holds {@link BATCH} items. */
  readonly batches: Uint8Array[];
  /** The newest, fewer than {@link BATCH}. */
  open: T[];
}

function unpack<T>(batch: Uint8Array): T[] {
  return JSON.parse(inflateRawSync(batch).toString()) as T[];
}

/**
 * A list of plain data that may become very long: all but the newest items lie compressed in memory. A log can hold a
 * million faults that are nearly alike, and each of them is reported.
 */
export class PackedList<T> implements Iterable<T> {
  readonly data: PackedData<T>;

  constructor(data: PackedData<T> = { batches: [], open: [] }) {
    this.data = data;
  }

  get length(): number {
    return this.data.batches.length * BATCH + this.data.open.length;
  }

  add(item: T): void {
    const { batches, open } = this.data;
    open.push(item);
    if (open.length < BATCH) return;
    batches.push(deflateRawSync(JSON.stringify(open), { level: 1 }));
    this.data.open = [];
  }

  *[Symbol.iterator](): Generator<T, void, void> {
    for (const batch of this.data.batches) yield* unpack<T>(batch);
    yield* this.data.open;
  }

  /** Gives every item for the last time: what has been given is let go. */
  *drain(): Generator<T, void, void> {
    const { batches } = this.data;
    batches.reverse();
    for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) yield* unpack<T>(batch);
    yield* this.data.open.splice(0);
  }
}
