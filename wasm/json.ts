// Validates values of any depth and builds nothing. Repeated keys are refused.

import { closeKeys, noteKey, openKeys } from './keys';
import { numberEnd, space, stringEnd } from './text';

export const MAX_DEPTH: i32 = 1000;

/** Validates a value, `depth` containers deep. Returns the address after it, or 0. */
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
    case 0x66:
    case 0x6e:
      return wordEnd(p);
    default:
      return numberEnd(p);
  }
}

/** `true`, `false` or `null`. */
export function wordEnd(p: usize): usize {
  const word: u32 = load<u32>(p);
  if (word == 0x65757274 || word == 0x6c6c756e) return p + 4;
  return word == 0x736c6166 && load<u8>(p + 4) == 0x65 ? p + 5 : 0;
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
    mask = noteKey(base, key, p - 1 - key, mask);
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
