// Sets of ids that say which came when: the bytes of each id once, and open addressing over their ordinals. The
// ordinals count from 0. Everything grows in segments that stay where they are, but for the table of slots.

import { same } from './text';
import { key, keyLength, PACKED, toKey } from './uuid';

const SEGMENT: i32 = 1 << 14;
const MAX_SEGMENTS: i32 = 1 << 14;
const BLOCK: usize = 1 << 18;

/** A slot holds an ordinal + 1 and, above it, a few bits of the hash, so that other ids are seldom looked at. */
const ORDINAL: u32 = (1 << 27) - 1;
const TAG: u32 = ~ORDINAL;


let heapTop: usize = 0;

/** Where free memory begins; called once. */
export function startHeap(at: usize): void {
  heapTop = at;
}

/** Makes sure that so much can be allocated without the memory growing, which would move it under its users. */
export function reserve(size: usize): void {
  grow(heapTop + size + 64);
}

/** Memory that is never given back while a log is read; what it holds is anything. */
export function allocate(size: usize): usize {
  const at = heapTop;
  heapTop += (size + 7) & ~7;
  grow(heapTop);
  return at;
}

function grow(top: usize): void {
  const have = <usize>memory.size() << 16;
  if (top <= have) return;
  const pages = <i32>((top - have + 0xffff) >> 16);
  if (memory.grow(pages < 64 ? 64 : pages) < 0) unreachable();
}

/** The memory may have served another log before. */
function emptySlots(count: i32): usize {
  const at = allocate(<usize>count * 4);
  memory.fill(at, 0, <usize>count * 4);
  return at;
}

@unmanaged
export class IdTable {
  size: i32;
  /** Directories of segments: per ordinal the address of the id, its line, and the ordinal of what caused it. */
  private addresses: usize;
  private lines: usize;
  private parents: usize;
  private slots: usize;
  private slotCount: i32;
  private block: usize;
  private blockEnd: usize;
  seed: u32;

  static create(seed: u32): IdTable {
    const table = changetype<IdTable>(allocate(offsetof<IdTable>()));
    table.size = 0;
    table.addresses = allocate(<usize>MAX_SEGMENTS * 4);
    table.lines = allocate(<usize>MAX_SEGMENTS * 4);
    table.parents = allocate(<usize>MAX_SEGMENTS * 4);
    table.slotCount = 4096;
    table.slots = emptySlots(4096);
    table.block = 0;
    table.blockEnd = 0;
    table.seed = seed;
    return table;
  }

  /** The ordinal of an equal id, or -1 - slot where it belongs. */
  find(id: usize, length: usize): i32 {
    toKey(id, length);
    return this.findKey();
  }

  private findKey(): i32 {
    const mask = this.slotCount - 1;
    const hash = this.hash(key, <usize>(keyLength & ~PACKED));
    const tag = hash & TAG;
    let slot = <i32>(hash & <u32>mask);
    while (true) {
      const entry: u32 = load<u32>(this.slots + (<usize>slot << 2));
      if (entry == 0) return -1 - slot;
      if ((entry & TAG) == tag) {
        const ordinal = <i32>(entry & ORDINAL) - 1;
        if (this.isAt(ordinal)) return ordinal;
      }
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  /** As `find`, for an id that is likely the one that was added last. */
  findRecent(id: usize, length: usize): i32 {
    toKey(id, length);
    const last = this.size - 1;
    return last >= 0 && this.isAt(last) ? last : this.findKey();
  }

  // @ts-ignore: decorator
  @inline
  private isAt(ordinal: i32): bool {
    const address = this.address(ordinal);
    return load<u32>(address) == keyLength && same(address + 4, key, <usize>(keyLength & ~PACKED));
  }

  /** Adds an id that `find` did not find and said where it belongs; its ordinal. */
  add(id: usize, length: usize, place: i32, line: i32, parent: i32): i32 {
    toKey(id, length);
    const ordinal = this.size++;
    const at = this.keep();
    const segment = ordinal / SEGMENT;
    if (ordinal % SEGMENT == 0) {
      store<usize>(this.addresses + (<usize>segment << 2), allocate(<usize>SEGMENT * 4));
      store<usize>(this.lines + (<usize>segment << 2), allocate(<usize>SEGMENT * 4));
      store<usize>(this.parents + (<usize>segment << 2), allocate(<usize>SEGMENT * 4));
    }
    const offset = <usize>(ordinal % SEGMENT) << 2;
    store<usize>(load<usize>(this.addresses + (<usize>segment << 2)) + offset, at);
    store<i32>(load<usize>(this.lines + (<usize>segment << 2)) + offset, line);
    store<i32>(load<usize>(this.parents + (<usize>segment << 2)) + offset, parent);
    const tag = this.hash(key, <usize>(keyLength & ~PACKED)) & TAG;
    store<u32>(this.slots + (<usize>(-1 - place) << 2), tag | <u32>(ordinal + 1));
    if (this.size * 4 > this.slotCount * 3) this.growSlots();
    return ordinal;
  }

  /** What adding one more id of this length may take. */
  need(length: usize): usize {
    return <usize>this.slotCount * 8 + <usize>SEGMENT * 12 + BLOCK + length;
  }

  address(ordinal: i32): usize {
    return load<usize>(this.entry(this.addresses, ordinal));
  }

  line(ordinal: i32): i32 {
    return load<i32>(this.entry(this.lines, ordinal));
  }

  parent(ordinal: i32): i32 {
    return load<i32>(this.entry(this.parents, ordinal));
  }

  setParent(ordinal: i32, parent: i32): void {
    store<i32>(this.entry(this.parents, ordinal), parent);
  }

  // @ts-ignore: decorator
  @inline
  private entry(directory: usize, ordinal: i32): usize {
    return load<usize>(directory + (<usize>(ordinal / SEGMENT) << 2)) + (<usize>(ordinal % SEGMENT) << 2);
  }

  private keep(): usize {
    const length = <usize>(keyLength & ~PACKED);
    const needed = length + 4;
    if (this.block + needed > this.blockEnd) {
      const size = needed > BLOCK ? needed : BLOCK;
      this.block = allocate(size);
      this.blockEnd = this.block + size;
    }
    const at = this.block;
    store<u32>(at, keyLength);
    memory.copy(at + 4, key, length);
    this.block += needed;
    return at;
  }

  /** Seeded anew for each log, so that none can be made to collide. */
  private hash(id: usize, length: usize): u32 {
    let hash: u64 = <u64>this.seed * 0x9e3779b97f4a7c15 + <u64>length;
    let at: usize = 0;
    for (; at + 8 <= length; at += 8) {
      hash = (hash ^ load<u64>(id + at)) * 0xff51afd7ed558ccd;
      hash ^= hash >> 32;
    }
    for (; at < length; at++) hash = (hash ^ <u64>load<u8>(id + at)) * 0x100000001b3;
    // The last bytes of an id are the ones that count up: they must reach the bits that choose a slot.
    hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53;
    hash = (hash ^ (hash >> 29)) * 0xff51afd7ed558ccd;
    return <u32>(hash >> 32);
  }

  private growSlots(): void {
    const count = this.slotCount * 2;
    const slots = emptySlots(count);
    const mask = count - 1;
    for (let ordinal = 0; ordinal < this.size; ordinal++) {
      const address = this.address(ordinal);
      const hash = this.hash(address + 4, <usize>(load<u32>(address) & ~PACKED));
      let slot = <i32>(hash & <u32>mask);
      while (load<u32>(slots + (<usize>slot << 2)) != 0) slot = (slot + 1) & mask;
      store<u32>(slots + (<usize>slot << 2), (hash & TAG) | <u32>(ordinal + 1));
    }
    this.slots = slots;
    this.slotCount = count;
  }
}
