// SipHash-1-3: a keyed hash, so that nobody can write a log whose ids collide. The state is in locals,
// because globals would be stored after every step.

let key0: u64 = 0;
let key1: u64 = 0;

export function setKey(a: u64, b: u64): void {
  key0 = a;
  key1 = b;
}

export function sipHash(p: usize, length: usize): u64 {
  let v0: u64 = key0 ^ 0x736f6d6570736575;
  let v1: u64 = key1 ^ 0x646f72616e646f6d;
  let v2: u64 = key0 ^ 0x6c7967656e657261;
  let v3: u64 = key1 ^ 0x7465646279746573;
  const end = p + (length & ~7);
  let last: u64 = <u64>length << 56;
  for (let k: usize = 0; k < (length & 7); k++) last |= <u64>load<u8>(end + k) << (<u64>k * 8);
  // One round per word, one for the last word with the length, and three more.
  for (let left: usize = (length >> 3) + 4; left > 0; left--) {
    const word: u64 = left > 4 ? load<u64>(p) : left == 4 ? last : 0;
    if (left == 3) v2 ^= 0xff;
    p += 8;
    v3 ^= word;
    v0 += v1;
    v2 += v3;
    v1 = rotl<u64>(v1, 13) ^ v0;
    v3 = rotl<u64>(v3, 16) ^ v2;
    v0 = rotl<u64>(v0, 32);
    v2 += v1;
    v0 += v3;
    v1 = rotl<u64>(v1, 17) ^ v2;
    v3 = rotl<u64>(v3, 21) ^ v0;
    v2 = rotl<u64>(v2, 32);
    v0 ^= word;
  }
  return v0 ^ v1 ^ v2 ^ v3;
}
