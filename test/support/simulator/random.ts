/** A small seeded generator: the same seed gives the same episode on every machine. */
export interface Random {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** An integer from 0 (inclusive) to `limit` (exclusive). */
  int(limit: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  /** One of the items, which must not be empty. */
  pick<T>(items: readonly T[]): T;
  /** Lower-case hex digits. */
  hex(length: number): string;
}

/** mulberry32: 32 bits of state, good enough for test data and never for secrets. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[int(items.length)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
    hex: (length) => {
      let digits = '';
      while (digits.length < length)
        digits += int(2 ** 32)
          .toString(16)
          .padStart(8, '0');
      return digits.slice(0, length);
    },
  };
}
