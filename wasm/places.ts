// Lists the places of the values in a record, as src/base/json/value-index.ts does. The record is valid JSON.

import { space, stringEnd } from './text';

/** In bytes: the start and end of a value, the start of its key or -1, the number of the value after it and those in it. */
const SIZE: usize = 16;
/** Records with more values or levels are left to the caller. */
const MOST: u32 = 2048;
const MOST_OPEN: usize = 64;

/** The table of places. */
export const PLACES: usize = memory.data(2048 * 16);
const OPEN: usize = memory.data(64 * 4);

/** Lists the values in `[p, end)`, with offsets from `base`. Returns their number, or 0 if there are too many. */
export function placesIn(p: usize, end: usize, base: usize): u32 {
  let size: u32 = 0;
  let open: usize = 0;
  let isObject = false;
  let key: u32 = ~0;
  while (true) {
    p = space(p);
    if (p >= end) return open ? 0 : size;
    const byte: u32 = load<u8>(p);
    if (byte == 0x2c || byte == 0x3a) {
      p++;
      continue;
    }
    if (byte == 0x7d || byte == 0x5d) {
      if (!open) return 0;
      p++;
      const closed = load<usize>(OPEN + (--open << 2));
      store<u32>(closed, <u32>(p - base), 4);
      store<u32>(closed, size, 12);
      isObject = open != 0 && load<u8>(base + <usize>load<u32>(load<usize>(OPEN + ((open - 1) << 2)))) == 0x7b;
      continue;
    }
    if (byte == 0x22 && isObject && key == ~0) {
      key = <u32>(p - base);
      p = stringEnd(p + 1);
      if (!p) return 0;
      continue;
    }
    if (size == MOST) return 0;
    const value = PLACES + <usize>size * SIZE;
    store<u32>(value, <u32>(p - base));
    store<u32>(value, key, 8);
    key = ~0;
    size++;
    if (byte == 0x7b || byte == 0x5b) {
      if (open == MOST_OPEN) return 0;
      store<usize>(OPEN + (open++ << 2), value);
      isObject = byte == 0x7b;
      p++;
      continue;
    }
    if (byte == 0x22) {
      p = stringEnd(p + 1);
      if (!p) return 0;
    } else p = wordEnd(p);
    store<u32>(value, <u32>(p - base), 4);
    store<u32>(value, size, 12);
  }
  return 0;
}

/** The end of a number or word. */
// @ts-ignore: decorator
@inline
function wordEnd(p: usize): usize {
  while (true) {
    const byte: u32 = load<u8>(p);
    if (byte <= 0x20 || byte == 0x2c || byte == 0x7d || byte == 0x5d) return p;
    p++;
  }
  return p;
}
