// Digests of short texts. Memory after the text may be overwritten, up to a block and its padding.

/** The free space needed after a text. */
export const PADDING: usize = 256;

const WORDS: usize = memory.data(80 * 4);

/** SHA-1 (RFC 3174): 20 bytes. */
export function sha1(text: usize, length: usize, digest: usize): void {
  const end = (length + 9 + 63) & ~63;
  memory.fill(text + length, 0, end - length);
  store<u8>(text + length, 0x80);
  store<u64>(text + end - 8, bswap<u64>(<u64>length << 3));
  let h0: u32 = 0x67452301;
  let h1: u32 = 0xefcdab89;
  let h2: u32 = 0x98badcfe;
  let h3: u32 = 0x10325476;
  let h4: u32 = 0xc3d2e1f0;
  for (let block = text; block < text + end; block += 64) {
    for (let at: usize = 0; at < 64; at += 4) store<u32>(WORDS + at, bswap<u32>(load<u32>(block + at)));
    for (let at = WORDS + 64; at < WORDS + 320; at += 4)
      store<u32>(at, rotl<u32>(load<u32>(at - 12) ^ load<u32>(at - 32) ^ load<u32>(at - 56) ^ load<u32>(at - 64), 1));
    let a = h0;
    let b = h1;
    let c = h2;
    let d = h3;
    let e = h4;
    for (let round: usize = 0; round < 80; round++) {
      const mixed: u32 =
        round < 20
          ? (d ^ (b & (c ^ d))) + 0x5a827999
          : round < 40
            ? (b ^ c ^ d) + 0x6ed9eba1
            : round < 60
              ? ((b & c) | (d & (b | c))) + 0x8f1bbcdc
              : (b ^ c ^ d) + 0xca62c1d6;
      const next = rotl<u32>(a, 5) + mixed + e + load<u32>(WORDS + (round << 2));
      e = d;
      d = c;
      c = rotl<u32>(b, 30);
      b = a;
      a = next;
    }
    h0 += a;
    h1 += b;
    h2 += c;
    h3 += d;
    h4 += e;
  }
  store<u32>(digest, bswap<u32>(h0));
  store<u32>(digest, bswap<u32>(h1), 4);
  store<u32>(digest, bswap<u32>(h2), 8);
  store<u32>(digest, bswap<u32>(h3), 12);
  store<u32>(digest, bswap<u32>(h4), 16);
}

const INITIAL: StaticArray<u64> = [
  0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1, 0x510e527fade682d1,
  0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
];

/** The order in which the words of a block are mixed, by round; the last two rounds repeat the first two. */
const ORDERS: StaticArray<u8> = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3, 11, 8,
  12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4, 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8, 9, 0, 5, 7, 2,
  4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13, 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9, 12, 5, 1, 15, 14, 13, 4,
  10, 0, 7, 6, 3, 9, 2, 8, 11, 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10, 6, 15, 14, 9, 11, 3, 0, 8, 12, 2,
  13, 7, 1, 4, 10, 5, 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0,
];

const STATE: usize = memory.data(8 * 8);
const MIXED: usize = memory.data(16 * 8);

// @ts-ignore: decorator
@inline
function mix(a: usize, b: usize, c: usize, d: usize, x: u64, y: u64): void {
  let va: u64 = load<u64>(MIXED + (a << 3));
  let vb: u64 = load<u64>(MIXED + (b << 3));
  let vc: u64 = load<u64>(MIXED + (c << 3));
  let vd: u64 = load<u64>(MIXED + (d << 3));
  va += vb + x;
  vd = rotr<u64>(vd ^ va, 32);
  vc += vd;
  vb = rotr<u64>(vb ^ vc, 24);
  va += vb + y;
  vd = rotr<u64>(vd ^ va, 16);
  vc += vd;
  vb = rotr<u64>(vb ^ vc, 63);
  store<u64>(MIXED + (a << 3), va);
  store<u64>(MIXED + (b << 3), vb);
  store<u64>(MIXED + (c << 3), vc);
  store<u64>(MIXED + (d << 3), vd);
}

// @ts-ignore: decorator
@inline
function word(block: usize, order: usize, k: usize): u64 {
  return load<u64>(block + (<usize>load<u8>(order + k) << 3));
}

/** BLAKE2b (RFC 7693) without a key: as many bytes as asked, 64 at most. */
export function blake2b(text: usize, length: usize, digest: usize, size: u32): void {
  const end: usize = length == 0 ? 128 : (length + 127) & ~127;
  memory.fill(text + length, 0, end - length);
  memory.copy(STATE, changetype<usize>(INITIAL), 64);
  store<u64>(STATE, load<u64>(STATE) ^ 0x01010000 ^ <u64>size);
  for (let at: usize = 0; at < end; at += 128) {
    const isLast = at + 128 == end;
    memory.copy(MIXED, STATE, 64);
    memory.copy(MIXED + 64, changetype<usize>(INITIAL), 64);
    store<u64>(MIXED, load<u64>(MIXED, 96) ^ <u64>(isLast ? length : at + 128), 96);
    if (isLast) store<u64>(MIXED, ~load<u64>(MIXED, 112), 112);
    const block = text + at;
    for (let round: usize = 0; round < 12; round++) {
      const order = changetype<usize>(ORDERS) + ((round < 10 ? round : round - 10) << 4);
      mix(0, 4, 8, 12, word(block, order, 0), word(block, order, 1));
      mix(1, 5, 9, 13, word(block, order, 2), word(block, order, 3));
      mix(2, 6, 10, 14, word(block, order, 4), word(block, order, 5));
      mix(3, 7, 11, 15, word(block, order, 6), word(block, order, 7));
      mix(0, 5, 10, 15, word(block, order, 8), word(block, order, 9));
      mix(1, 6, 11, 12, word(block, order, 10), word(block, order, 11));
      mix(2, 7, 8, 13, word(block, order, 12), word(block, order, 13));
      mix(3, 4, 9, 14, word(block, order, 14), word(block, order, 15));
    }
    for (let k: usize = 0; k < 64; k += 8)
      store<u64>(STATE + k, load<u64>(STATE + k) ^ load<u64>(MIXED + k) ^ load<u64>(MIXED + k, 64));
  }
  memory.copy(digest, STATE, size);
}
