import { test } from 'vitest';
import { createRandom } from './simulator/random.ts';

// How much the long tests do. `npm test` runs a short form of each; `npm run test:all`, and runs of a single test file, run
// them in full. `.ci/run` runs the full form with a fifth of the cases: those of each version of the code are other ones.
// The environment is read here and in vitest.short.config.ts, which sets it.

/** Whether the long tests run in their short form. */
export const isShort = process.env['NOESIS_TESTS'] === 'short';

/** Whether the full form takes a fifth of the cases. */
const isFifth = process.env['NOESIS_TESTS'] === 'fifth';
const PARTS = 5;

/** Whether the long tests take all of their cases. */
export const isWhole = !isShort && !isFifth;

/** Whether tests of pages write screenshots to a folder that Git ignores. */
export const takesPictures = process.env['NOESIS_PICTURES'] === '1';

/** The seed of random choices. NOESIS_TEST_SEED repeats those of an earlier run. */
export const seed = Number(process.env['NOESIS_TEST_SEED'] ?? Date.now() % 2 ** 31);

/**
 * How often a long test does something, or in which steps, of which the short form takes longer ones. A fifth of the full form
 * is never less than the short form.
 */
export function times(inFull: number, inShort: number): number {
  if (isShort) return inShort;
  if (!isFifth) return inFull;
  return inFull < inShort ? Math.min(inShort, inFull * PARTS) : Math.max(inShort, Math.ceil(inFull / PARTS));
}

/**
 * Declares a test without a longer form, unless its commands are processes. `.ci/run` has run it in the short form before it
 * runs a fifth, which leaves it out.
 */
export const testOnce = test.skipIf(isFifth);

let commands = 0;

/** Makes the choices of a test file independent of what ran before it in the same process. */
export function beginFile(): void {
  commands = 0;
}

/**
 * Whether the next command line of a test is a new process, if it could as well be a call: never in the short form, and
 * each fifth time in a fifth of the full form.
 */
export function isProcess(): boolean {
  if (isShort) return false;
  commands += 1;
  return !isFifth || (commands + seed) % PARTS === 0;
}

/** All entries of a table; in the short form, or a fifth of the full form, a random sample of them, in their order. */
export function sampled<Entry>(table: readonly Entry[], inShort: number): readonly Entry[] {
  const count = times(table.length, inShort);
  if (count >= table.length) return table;
  const random = createRandom(seed);
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(random.int(table.length));
  return table.filter((_, index) => chosen.has(index));
}
