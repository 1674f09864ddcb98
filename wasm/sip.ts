// SipHash-1-3: a hash with a key, so that nobody who writes a log can make its ids collide.

let key0: u64 = 0;
let key1: u64 = 0;

export function setKey(a: u64, b: u64): void {
  key0 = a;
  key1 = b;
}

let v0: u64 = 0;
let v1: u64 = 0;
let v2: u64 = 0;
let v3: u64 = 0;

// @ts-ignore: decorator
@inline
function round(): void {
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
}

export function sipHash(p: usize, length: usize): u64 {
  v0 = key0 ^ 0x736f6d6570736575;
  v1 = key1 ^ 0x646f72616e646f6d;
  v2 = key0 ^ 0x6c7967656e657261;
  v3 = key1 ^ 0x7465646279746573;
  const end = p + (length & ~7);
  for (; p < end; p += 8) {
    const word: u64 = load<u64>(p);
    v3 ^= word;
    round();
    v0 ^= word;
  }
  let last: u64 = <u64>length << 56;
  for (let k: usize = 0; k < (length & 7); k++) last |= <u64>load<u8>(p + k) << (<u64>k * 8);
  v3 ^= last;
  round();
  v0 ^= last;
  v2 ^= 0xff;
  round();
  round();
  round();
  return v0 ^ v1 ^ v2 ^ v3;
}
