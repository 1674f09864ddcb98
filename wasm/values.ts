// Questions about the members of an object: is it there, of this kind, one of these words.

import { Members } from './members';
import { QUOTE } from './names';
import { headOf, isWord, Word } from './words';

// @ts-ignore: decorator
@inline
export function find(object: Members, name: Word): i32 {
  return object.find(name);
}

/** Whether a member is there and a string without escapes. */
export function isPlain(object: Members, index: i32): bool {
  return index >= 0 && object.kind(index) == QUOTE && !object.escaped(index);
}

// @ts-ignore: decorator
@inline
export function isString(object: Members, name: Word): bool {
  const index = find(object, name);
  return index >= 0 && object.kind(index) == QUOTE;
}

/** Whether a member is missing, null, or of the kind that begins with `first`. */
export function isOptional(object: Members, name: Word, first: u32): bool {
  const index = find(object, name);
  if (index < 0) return true;
  const kind = object.kind(index);
  return kind == first || kind == 0x6e;
}

// @ts-ignore: decorator
@inline
export function textStart(object: Members, index: i32): usize {
  return object.value(index) + 1;
}

// @ts-ignore: decorator
@inline
export function textLength(object: Members, index: i32): usize {
  return object.end(index) - object.value(index) - 2;
}

export function isWordOf(object: Members, index: i32, words: StaticArray<Word>): bool {
  if (object.kind(index) != QUOTE) return false;
  const start = textStart(object, index);
  const length = textLength(object, index);
  const head = headOf(start, length);
  for (let k = 0; k < words.length; k++) if (isWord(words[k], start, length, head)) return true;
  return false;
}

/** Whether a member is missing, null, or one of a list of words. */
export function isOptionalWord(object: Members, name: Word, words: StaticArray<Word>): bool {
  const index = find(object, name);
  return index < 0 || object.kind(index) == 0x6e || isWordOf(object, index, words);
}

// @ts-ignore: decorator
@inline
export function isBoolean(byte: u32): bool {
  return byte == 0x74 || byte == 0x66;
}
