// Stores UUIDs in half the space: an id of 36 characters in lower-case form becomes 16 bytes.

/** This bit of `keyLength` is set if the 36 characters were packed into 16 bytes. */
export const PACKED: u32 = 0x80000000;

const TEXT_LENGTH: usize = 36;
const BYTES: usize = memory.data(16);

export let key: usize = 0;
export let keyLength: u32 = 0;

/** Whether all digits so far were lower-case hex; upper case would be another text. */
let hexadecimal: bool = true;

/** The values of sixteen hexadecimal digits. */
// @ts-ignore: decorator
@inline
function valuesOf(digits: v128): v128 {
  const numbers = i8x16.sub(digits, i8x16.splat(0x30));
  const letters = i8x16.sub(digits, i8x16.splat(0x61));
  const isNumber = i8x16.lt_u(numbers, i8x16.splat(10));
  const isLetter = i8x16.lt_u(letters, i8x16.splat(6));
  hexadecimal = hexadecimal && i8x16.all_true(v128.or(isNumber, isLetter));
  return v128.bitselect(numbers, i8x16.add(letters, i8x16.splat(10)), isNumber);
}

/** Combines pairs of four-bit values in the low half of each lane. */
// @ts-ignore: decorator
@inline
function pairs(values: v128): v128 {
  return v128.and(v128.or(i16x8.shl(values, 4), i16x8.shr_u(values, 8)), i16x8.splat(0xff));
}

/** Sets `key` and `keyLength` to the stored form of an id. */
export function toKey(id: usize, length: usize): void {
  key = id;
  keyLength = <u32>length;
  if (length != TEXT_LENGTH || load<u8>(id + 8) != 0x2d || load<u8>(id + 13) != 0x2d) return;
  if (load<u8>(id + 18) != 0x2d || load<u8>(id + 23) != 0x2d) return;
  const left = v128.load(id);
  const middle = v128.load(id + 16);
  const right = v128.load(id + 20);
  hexadecimal = true;
  const high = valuesOf(i8x16.shuffle(left, middle, 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17));
  const low = valuesOf(i8x16.shuffle(middle, right, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 28, 29, 30, 31));
  if (!hexadecimal) return;
  v128.store(BYTES, i8x16.narrow_i16x8_u(pairs(high), pairs(low)));
  key = BYTES;
  keyLength = PACKED | 16;
}
