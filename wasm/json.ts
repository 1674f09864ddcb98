// Values of any depth: validated, nothing built.

import { hadEscape, numberEnd, space, stringEnd } from './text';
import { bitOf, hashOf, headOf } from './words';

const MAX_DEPTH: i32 = 1000;

/** More keys than this in one object are left to the careful reader. */
const MAX_KEYS: i32 = 64;

/** Hashes of the keys of all open objects, for telling repeated ones; whether to tell them is up to the caller. */
const KEY_HASHES: usize = memory.data(4 * 64 * 64);
const KEY_HASHES_END: usize = KEY_HASHES + 4 * 64 * 64;
let keyTop: usize = KEY_HASHES;

/** Whether repeated keys are looked for: a key that may be repeated makes the text not plain. */
let distinctKeys: bool = false;

export function lookForRepeatedKeys(wanted: bool): void {
  distinctKeys = wanted;
}

/** Called where a line begins: an earlier one may have been left half way. */
export function resetKeys(): void {
  keyTop = KEY_HASHES;
}

/** The address of the first key hash of an object that opens now. */
// @ts-ignore: decorator
@inline
export function openKeys(): usize {
  return keyTop;
}

// @ts-ignore: decorator
@inline
export function closeKeys(base: usize): void {
  keyTop = base;
}

/** The mask of an object that may have any key. */
const ANY_KEY: u64 = ~0;

/**
 * Notes a key of the object whose hashes begin at `base`, and of whose keys `mask` is made; the mask with this key, or
 * 0 when it may stand there already.
 */
// @ts-ignore: decorator
@inline
export function noteKey(base: usize, key: usize, length: usize, head: u64, mask: u64): u64 {
  if (!distinctKeys) return ANY_KEY;
  const hash = hashOf(key, length, head);
  const bit: u64 = <u64>1 << bitOf(hash);
  if (hadEscape || keyTop == KEY_HASHES_END || keyTop - base >= <usize>MAX_KEYS * 4) return 0;
  const kept = <u32>(hash >> 32);
  if (mask & bit) for (let at = base; at < keyTop; at += 4) if (load<u32>(at) == kept) return 0;
  store<u32>(keyTop, kept);
  keyTop += 4;
  return mask | bit;
}

/** A value, `depth` containers deep; the address after it, or 0. */
export function valueEnd(p: usize, depth: i32): usize {
  const byte: u32 = load<u8>(p);
  switch (byte) {
    case 0x22:
      return stringEnd(p + 1);
    case 0x7b:
      return objectEnd(p, depth);
    case 0x5b:
      return arrayEnd(p, depth);
    case 0x74:
      return load<u32>(p) == 0x65757274 ? p + 4 : 0;
    case 0x66:
      return load<u32>(p + 1) == 0x65736c61 ? p + 5 : 0;
    case 0x6e:
      return load<u32>(p) == 0x6c6c756e ? p + 4 : 0;
    default:
      return numberEnd(p);
  }
}

function objectEnd(p: usize, depth: i32): usize {
  if (depth >= MAX_DEPTH) return 0;
  p = space(p + 1);
  if (load<u8>(p) == 0x7d) return p + 1;
  const base = openKeys();
  let mask: u64 = 0;
  while (true) {
    if (load<u8>(p) != 0x22) return 0;
    const key = p + 1;
    p = stringEnd(key);
    if (!p) return 0;
    const length = p - 1 - key;
    mask = noteKey(base, key, length, headOf(key, length), mask);
    if (!mask) return 0;
    p = space(p);
    if (load<u8>(p) != 0x3a) return 0;
    p = valueEnd(space(p + 1), depth + 1);
    if (!p) return 0;
    p = space(p);
    const after: u32 = load<u8>(p);
    if (after == 0x7d) {
      closeKeys(base);
      return p + 1;
    }
    if (after != 0x2c) return 0;
    p = space(p + 1);
  }
  return 0;
}

function arrayEnd(p: usize, depth: i32): usize {
  if (depth >= MAX_DEPTH) return 0;
  p = space(p + 1);
  if (load<u8>(p) == 0x5d) return p + 1;
  while (true) {
    p = valueEnd(p, depth + 1);
    if (!p) return 0;
    p = space(p);
    const after: u32 = load<u8>(p);
    if (after == 0x5d) return p + 1;
    if (after != 0x2c) return 0;
    p = space(p + 1);
  }
  return 0;
}
