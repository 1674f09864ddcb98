// The keys of all open objects, to detect repeated ones.

import { hadEscape } from './text';

/** Objects with more unnamed keys are left to the careful reader. */
const MAX_KEYS: usize = 256;

/** Hashes of the keys of all open objects, in order. */
const KEY_HASHES: usize = memory.data(4 * 256 * 8);
const KEY_HASHES_END: usize = KEY_HASHES + 4 * 256 * 8;
let top: usize = KEY_HASHES;

/** Called at the start of a text, because an earlier one may have been abandoned. */
export function resetKeys(): void {
  top = KEY_HASHES;
}

/** Where the key hashes of a new object begin. */
// @ts-ignore: decorator
@inline
export function openKeys(): usize {
  return top;
}

// @ts-ignore: decorator
@inline
export function closeKeys(base: usize): void {
  top = base;
}

/** The first eight bytes of a text as a number; bytes after a shorter text are ignored. */
// @ts-ignore: decorator
@inline
function headOf(p: usize, length: usize): u64 {
  const bytes: u64 = load<u64>(p);
  return length < 8 ? bytes & ((<u64>1 << (<u64>length * 8)) - 1) : bytes;
}

const MIX: u64 = 0x9e3779b97f4a7c15;

/** Equal texts have equal hashes; unequal ones nearly never, unless on purpose. */
// @ts-ignore: decorator
@inline
export function hashOf(p: usize, length: usize): u64 {
  const tail: u64 = length < 8 ? 0 : load<u64>(p + length - 8);
  let hash: u64 = (headOf(p, length) ^ rotl<u64>(tail, 29)) * MIX + <u64>length;
  // Long keys often differ only in the middle: `ephemeral_1h_input_tokens`, `ephemeral_5m_input_tokens`.
  for (let at: usize = 16; at < length; at += 8) hash = (rotl<u64>(hash, 31) ^ load<u64>(p + at - 8)) * MIX;
  return hash ^ (hash >> 32);
}

/**
 * Adds a key to the object whose hashes begin at `base` and whose key mask is `mask`. Returns the new mask,
 * or 0 if the key may be a duplicate.
 */
// @ts-ignore: decorator
@inline
export function noteKey(base: usize, key: usize, length: usize, mask: u64): u64 {
  if (hadEscape || top == KEY_HASHES_END || top - base >= MAX_KEYS * 4) return 0;
  const hash = hashOf(key, length);
  const bit: u64 = <u64>1 << (hash >> 58);
  const kept = <u32>hash;
  if (mask & bit) for (let at = base; at < top; at += 4) if (load<u32>(at) == kept) return 0;
  store<u32>(top, kept);
  top += 4;
  return mask | bit;
}
