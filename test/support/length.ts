import { createRandom } from './simulator/random.ts';

// How much the long tests do. `npm test` runs a short form of each; `npm run test:all`, and runs of a single test file, run
// them in full. The environment is read here and in vitest.short.config.ts, which sets it.

/** Whether the long tests run in their short form. */
export const isShort = process.env['NOESIS_TESTS'] === 'short';

/** The seed of random choices. NOESIS_TEST_SEED repeats those of an earlier run. */
export const seed = Number(process.env['NOESIS_TEST_SEED'] ?? Date.now() % 2 ** 31);

/** How often a long test does something. */
export const times = (inFull: number, inShort: number): number => (isShort ? inShort : inFull);

/** All entries of a table; in the short form a random sample of them, in their order. */
export function sampled<Entry>(table: readonly Entry[], count: number): readonly Entry[] {
  if (!isShort || count >= table.length) return table;
  const random = createRandom(seed);
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(random.int(table.length));
  return table.filter((_, index) => chosen.has(index));
}
