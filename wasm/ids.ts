// The texts of one log that are compared as wholes, ids above all: each is kept once, and its ordinal, from 0 in the
// order in which they came, stands for it. Texts are in UTF-8; half a surrogate pair is three bytes as any other
// character of its range, so that no two texts become equal.

import { allocate, reserve } from './memory';
import { sipHash } from './sip';
import { same } from './text';
import { key, keyLength, PACKED, toKey } from './uuid';

/** Ordinals per segment. Segments stay where they are; only the table of slots is made anew. */
const SEGMENT_BITS: u32 = 12;
const SEGMENT: u32 = 1 << SEGMENT_BITS;
const MAX_SEGMENTS: u32 = 1 << 15;
const BLOCK: usize = 1 << 16;

/** A slot holds an ordinal + 1 and, above it, a few bits of the hash, so that other texts are seldom looked at. */
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

/** The address of a text: its length in four bytes, then its bytes; a UUID as its 16 bytes, the length's top bit set. */
// @ts-ignore: decorator
@inline
export function addressOf(ordinal: u32): usize {
  return load<usize>(load<usize>(DIRECTORY + (<usize>(ordinal >> SEGMENT_BITS) << 2)) + (<usize>(ordinal & (SEGMENT - 1)) << 2));
}

/** The slot of the text in `key`: what it holds is 0 where there is no equal one. */
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

/** The ordinal of a text, which is kept where it is new. */
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
 * Makes sure that the texts of so many bytes of a log can be interned, each put at `scratch()` first, without the memory
 * growing, which would move it under those who look at it. A text of a log takes eight bytes at least, its name and
 * the punctuation around it included.
 */
export function makeRoom(bytes: usize): void {
  const texts = <u32>(bytes >> 3) + 64;
  let needed = slotCount;
  while ((count + texts) * 4 > needed * 3) needed *= 2;
  if (needed != slotCount) growSlots(needed);
  // Each text has a length and padding; a block may end early before a longer text; the scratch lies behind all.
  reserve(bytes * 6 + <usize>(texts / SEGMENT + 2) * SEGMENT * 4 + BLOCK * 8);
}

/** Memory for one text that is asked about; far enough away that interning it does not write over it. */
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
