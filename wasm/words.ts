// Sets of texts in a table: words, and the keys of objects. src/log/accelerator/program.ts writes them and
// describes their layout; the slots are filled here, so that there is only one hash function.

import { hashOf } from './keys';
import { same } from './text';

/** An entry: the length, a number, the address of a node, the entry that followed last time, the bytes. */
export const ENTRY_NUMBER: usize = 4;
export const ENTRY_NODE: usize = 8;
export const ENTRY_NEXT: usize = 12;
export const ENTRY_BYTES: usize = 16;

/** Fills the slots of a set: the slot mask, the count, the slots, the addresses of the entries. */
export function link(set: usize): void {
  const mask: u32 = load<u32>(set);
  const count: u32 = load<u32>(set, 4);
  const entries = set + 8 + (<usize>(mask + 1) << 2);
  for (let k: u32 = 0; k < count; k++) {
    const entry = load<usize>(entries + (<usize>k << 2));
    let slot = <u32>hashOf(entry + ENTRY_BYTES, <usize>load<u32>(entry)) & mask;
    while (load<u32>(set + 8 + (<usize>slot << 2))) slot = (slot + 1) & mask;
    store<u32>(set + 8 + (<usize>slot << 2), <u32>entry);
  }
}

/** The entry of a text, or 0. */
export function entryOf(set: usize, p: usize, length: usize): usize {
  const mask: u32 = load<u32>(set);
  let slot = <u32>hashOf(p, length) & mask;
  while (true) {
    const entry = load<usize>(set + 8 + (<usize>slot << 2));
    if (!entry) return 0;
    if (load<u32>(entry) == <u32>length && same(entry + ENTRY_BYTES, p, length)) return entry;
    slot = (slot + 1) & mask;
  }
  return 0;
}

/** Whether a key, starting after its opening quote, equals an entry including the closing quote. */
// @ts-ignore: decorator
@inline
export function isKey(entry: usize, p: usize): bool {
  const length = <usize>load<u32>(entry) + 1;
  if (length <= 16) {
    const equal: u32 = i8x16.bitmask(i8x16.eq(v128.load(p), v128.load(entry + ENTRY_BYTES)));
    return (~equal & ((1 << <u32>length) - 1)) == 0;
  }
  return same(entry + ENTRY_BYTES, p, length);
}
