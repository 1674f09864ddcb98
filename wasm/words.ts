// Names and words of the format in static memory: the length, a bit, a hint, the first eight bytes as a number, then
// all bytes.

import { same } from './text';

/** The address of a word. */
export type Word = usize;

let top: usize = memory.data(16384);

/** Puts an ASCII text into static memory. */
export function ascii(text: string): Word {
  const at = top;
  const length = text.length;
  store<u32>(at, length);
  for (let k = 0; k < length; k++) store<u8>(at + 16 + <usize>k, <u8>text.charCodeAt(k));
  const head = headOf(at + 16, <usize>length);
  store<u8>(at, <u8>bitOf(hashOf(at + 16, <usize>length, head)), 4);
  store<u64>(at, head, 8);
  top += (<usize>length + 16 + 8 + 7) & ~7;
  return at;
}

/** The first eight bytes of a text as a number; what lies behind a shorter one does not count. */
// @ts-ignore: decorator
@inline
export function headOf(p: usize, length: usize): u64 {
  const bytes: u64 = load<u64>(p);
  return length < 8 ? bytes & ((<u64>1 << (<u64>length * 8)) - 1) : bytes;
}

/** Equal texts have equal hashes; unequal ones nearly never. Made of the length, the first and the last eight bytes. */
// @ts-ignore: decorator
@inline
export function hashOf(p: usize, length: usize, head: u64): u64 {
  const tail: u64 = length < 8 ? 0 : load<u64>(p + length - 8);
  return (head ^ rotl<u64>(tail, 29)) * 0x9e3779b97f4a7c15 + <u64>length;
}

/** Which of 64 bits stands for a hash. */
// @ts-ignore: decorator
@inline
export function bitOf(hash: u64): u64 {
  return hash >> 58;
}

/** The bit that stands for a word: in the mask of an object's keys it says whether the word may be among them. */
// @ts-ignore: decorator
@inline
export function maskOf(word: Word): u64 {
  return <u64>1 << <u64>load<u8>(word, 4);
}

/** Where a word was found the last time: records are alike. */
// @ts-ignore: decorator
@inline
export function hintOf(word: Word): i32 {
  return <i32>load<u8>(word, 5);
}

// @ts-ignore: decorator
@inline
export function setHint(word: Word, index: i32): void {
  store<u8>(word, <u8>index, 5);
}

// @ts-ignore: decorator
@inline
export function lengthOf(word: Word): usize {
  return <usize>load<u32>(word);
}

// @ts-ignore: decorator
@inline
export function bytesOf(word: Word): usize {
  return word + 16;
}

/** Whether a text, whose head is known, is this word. */
// @ts-ignore: decorator
@inline
export function isWord(word: Word, p: usize, length: usize, head: u64): bool {
  if (load<u64>(word, 8) != head || lengthOf(word) != length) return false;
  return length <= 8 || same(word + 24, p + 8, length - 8);
}
