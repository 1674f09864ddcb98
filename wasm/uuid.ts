// UUIDs in half their space: an id of 36 characters in the usual lower-case form is kept as its 16 bytes.

/** A key as it is kept: `keyLength` has this bit set where the 36 characters were packed into 16 bytes. */
export const PACKED: u32 = 0x80000000;

const TEXT_LENGTH: usize = 36;
const BYTES: usize = memory.data(16);

/** The value of each hexadecimal digit; 255 for everything else, upper case too, as it is another text. */
const DIGITS: usize = memory.data(256);

function prepareDigits(): void {
  memory.fill(DIGITS, 0xff, 256);
  for (let value: u32 = 0; value < 10; value++) store<u8>(DIGITS + 0x30 + value, <u8>value);
  for (let value: u32 = 10; value < 16; value++) store<u8>(DIGITS + 0x57 + value, <u8>value);
}
prepareDigits();

export let key: usize = 0;
export let keyLength: u32 = 0;

// @ts-ignore: decorator
@inline
function packRange(id: usize, at: usize, from: usize, to: usize): u32 {
  let seen: u32 = 0;
  for (let k = from; k < to; k++) {
    const high: u32 = load<u8>(DIGITS + <usize>load<u8>(id + at));
    const low: u32 = load<u8>(DIGITS + <usize>load<u8>(id + at + 1));
    seen |= high | low;
    store<u8>(BYTES + k, <u8>((high << 4) | low));
    at += 2;
  }
  return seen;
}

/** Sets `key` and `keyLength` to the form in which an id is kept. */
export function toKey(id: usize, length: usize): void {
  key = id;
  keyLength = <u32>length;
  if (length != TEXT_LENGTH || load<u8>(id + 8) != 0x2d || load<u8>(id + 13) != 0x2d) return;
  if (load<u8>(id + 18) != 0x2d || load<u8>(id + 23) != 0x2d) return;
  const seen =
    packRange(id, 0, 0, 4) | packRange(id, 9, 4, 6) | packRange(id, 14, 6, 8) | packRange(id, 19, 8, 10) | packRange(id, 24, 10, 16);
  if (seen > 15) return;
  key = BYTES;
  keyLength = PACKED | 16;
}
