// The texts of a log that are compared as a whole, mainly ids. Each is stored once and represented by its
// ordinal, from 0 in order of occurrence. Texts are UTF-8; a lone surrogate is three bytes like other
// characters of its range, so different texts never become equal.

import { allocate, reserve } from './memory';
import { sipHash } from './sip';
import { same } from './text';
import { key, keyLength, PACKED, toKey } from './uuid';

/** Ordinals per segment. Segments never move; only the table of slots is rebuilt. */
const SEGMENT_BITS: u32 = 12;
const SEGMENT: u32 = 1 << SEGMENT_BITS;
const MAX_SEGMENTS: u32 = 1 << 15;
const BLOCK: usize = 1 << 16;

/** A slot has an ordinal + 1 and some bits of the hash, so other texts are seldom compared. */
const ORDINAL: u32 = (1 << 27) - 1;
const TAG: u32 = ~ORDINAL;
const FIRST_SLOTS: u32 = 4096;

const DIRECTORY: usize = memory.data(4 * (1 << 15));

export let count: u32 = 0;
let slots: usize = 0;
let slotCount: u32 = 0;
let block: usize = 0;
let blockEnd: usize = 0;

export function beginIds(): void {
  count = 0;
  slotCount = FIRST_SLOTS;
  slots = emptySlots(slotCount);
  block = 0;
  blockEnd = 0;
}

function emptySlots(n: u32): usize {
  const at = allocate(<usize>n * 4);
  memory.fill(at, 0, <usize>n * 4);
  return at;
}

/**
 * The address of a text: its length in four bytes, then its bytes. For a UUID the length's top bit is set,
 * and there are 16 bytes.
 */
// @ts-ignore: decorator
@inline
export function addressOf(ordinal: u32): usize {
  return load<usize>(load<usize>(DIRECTORY + (<usize>(ordinal >> SEGMENT_BITS) << 2)) + (<usize>(ordinal & (SEGMENT - 1)) << 2));
}

/** The slot for the text in `key`. It contains 0 if there is no equal text. */
function slotOf(hash: u32): usize {
  const mask = slotCount - 1;
  let slot = hash & mask;
  while (true) {
    const at = slots + (<usize>slot << 2);
    const entry: u32 = load<u32>(at);
    if (entry == 0) return at;
    if ((entry & TAG) == (hash & TAG)) {
      const address = addressOf((entry & ORDINAL) - 1);
      if (load<u32>(address) == keyLength && same(address + 4, key, <usize>(keyLength & ~PACKED))) return at;
    }
    slot = (slot + 1) & mask;
  }
  return 0;
}

// @ts-ignore: decorator
@inline
function hashOfKey(): u32 {
  return <u32>sipHash(key, <usize>(keyLength & ~PACKED));
}

/** The ordinal of an equal text, or -1. */
export function find(text: usize, length: usize): i32 {
  toKey(text, length);
  return <i32>(load<u32>(slotOf(hashOfKey())) & ORDINAL) - 1;
}

/** Adds a text if it is new, and returns its ordinal. */
export function intern(text: usize, length: usize): i32 {
  toKey(text, length);
  const hash = hashOfKey();
  const at = slotOf(hash);
  const entry: u32 = load<u32>(at);
  if (entry != 0) return <i32>(entry & ORDINAL) - 1;
  const ordinal = count++;
  if ((ordinal & (SEGMENT - 1)) == 0) {
    if (ordinal >> SEGMENT_BITS == MAX_SEGMENTS) unreachable();
    store<usize>(DIRECTORY + (<usize>(ordinal >> SEGMENT_BITS) << 2), allocate(<usize>SEGMENT * 4));
  }
  store<usize>(
    load<usize>(DIRECTORY + (<usize>(ordinal >> SEGMENT_BITS) << 2)) + (<usize>(ordinal & (SEGMENT - 1)) << 2),
    keep(),
  );
  store<u32>(at, (hash & TAG) | (ordinal + 1));
  if (count * 4 > slotCount * 3) growSlots(slotCount * 2);
  return <i32>ordinal;
}

function keep(): usize {
  const length = <usize>(keyLength & ~PACKED);
  const needed = (length + 7) & ~3;
  if (block + needed > blockEnd) {
    const size = needed > BLOCK ? needed : BLOCK;
    block = allocate(size);
    blockEnd = block + size;
  }
  const at = block;
  store<u32>(at, keyLength);
  memory.copy(at + 4, key, length);
  block += needed;
  return at;
}

/**
 * Ensures that the texts of this many bytes of a log can be interned, each written to `scratch()` first,
 * without growing, because growing would move memory in use. A text takes at least eight bytes of a log,
 * including its name and punctuation.
 */
export function makeRoom(bytes: usize): void {
  const texts = <u32>(bytes >> 3) + 64;
  let needed = slotCount;
  while ((count + texts) * 4 > needed * 3) needed *= 2;
  if (needed != slotCount) growSlots(needed);
  // Each text has a length and padding; a block may end early before a longer text; the scratch comes last.
  reserve(bytes * 6 + <usize>(texts / SEGMENT + 2) * SEGMENT * 4 + BLOCK * 8);
}

/** Memory for one text to look up, far enough away that interning does not overwrite it. */
export function scratch(bytes: usize): usize {
  const away = bytes + BLOCK * 2 + SEGMENT * 8;
  return reserve(away + bytes) + away;
}

function growSlots(n: u32): void {
  const fresh = emptySlots(n);
  const mask = n - 1;
  for (let ordinal: u32 = 0; ordinal < count; ordinal++) {
    const address = addressOf(ordinal);
    const hash = <u32>sipHash(address + 4, <usize>(load<u32>(address) & ~PACKED));
    let slot = hash & mask;
    while (load<u32>(fresh + (<usize>slot << 2)) != 0) slot = (slot + 1) & mask;
    store<u32>(fresh + (<usize>slot << 2), (hash & TAG) | (ordinal + 1));
  }
  slots = fresh;
  slotCount = n;
}
