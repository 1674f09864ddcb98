// Names and words of the format in static memory: length, the first eight bytes as a number, then all bytes.

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
  store<u64>(at, headOf(at + 16, <usize>length), 8);
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
