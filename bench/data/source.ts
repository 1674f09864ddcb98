import { createRandom, type Random } from '../../test/support/simulator/random.ts';
import { createText } from '../../test/support/simulator/text.ts';

/** What event generators need. */
export interface Source {
  readonly random: Random;
  /** A number of words; one text in twenty has characters beyond ASCII. */
  readonly words: (count: number) => string;
  /** The next time, up to a second later: ISO 8601 with milliseconds. */
  readonly now: () => string;
}

/** A source whose values depend only on the seed. */
export function sourceOf(seed: number): Source {
  const random = createRandom(seed);
  const [plain, rich] = [createText(random, false), createText(random, true)];
  let clock = Date.parse('2026-03-01T08:00:00Z');
  return {
    random,
    words: (count) => (random.chance(0.05) ? rich : plain).words(count),
    now: () => {
      clock += 1 + random.int(1000);
      return new Date(clock).toISOString();
    },
  };
}
