import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stepsOf } from '../../src/base/text/matching.ts';
import { align } from '../../src/read/compare/align.ts';
import { type EventSequence, matchEvents } from '../../src/read/compare/match-events.ts';
import { times } from '../support/length.ts';

/** The length of a longest common subsequence, by the table that has a cell for every pair. */
function lengthOfCommon(a: readonly number[], b: readonly number[]): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    const row = table[i] ?? [];
    for (let j = 1; j <= b.length; j += 1)
      row[j] = a[i - 1] === b[j - 1] ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1));
  }
  return at(a.length, b.length);
}

const few = fc.array(fc.nat(4), { maxLength: 24 });
const pairsOf = (matches: Int32Array): [number, number][] =>
  [...matches.entries()].filter(([, match]) => match >= 0);

function expectMatching(matches: Int32Array, a: readonly number[], b: readonly number[]): void {
  const pairs = pairsOf(matches);
  for (const [at, [left, right]] of pairs.entries()) {
    expect(a[left]).toBe(b[right]);
    expect(right).toBeGreaterThan(pairs[at - 1]?.[1] ?? -1);
  }
}

describe('align', () => {
  test('matches as many elements as the table of all pairs does', async () => {
    await fc.assert(
      fc.asyncProperty(few, few, async (a, b) => {
        const matches = await align(Int32Array.from(a), Int32Array.from(b));
        expectMatching(matches, a, b);
        expect(pairsOf(matches).length).toBe(lengthOfCommon(a, b));
      }),
      { numRuns: times(1000, 200) },
    );
  });

  test('gives a matching, and ends, however early it gives up the shortest way', async () => {
    await fc.assert(
      fc.asyncProperty(few, few, fc.integer({ min: 1, max: 4 }), async (a, b, most) => {
        expectMatching(await align(Int32Array.from(a), Int32Array.from(b), { most }), a, b);
      }),
      { numRuns: times(1000, 200) },
    );
  });

  test('finds few changes in long sequences exactly', async () => {
    const a = Int32Array.from({ length: 50_000 }, (_, index) => index % 7);
    const b = Int32Array.from([
      ...a.subarray(0, 10_000),
      9,
      ...a.subarray(10_000, 30_000),
      ...a.subarray(30_005),
    ]);
    expect(pairsOf(await align(a, b)).length).toBe(a.length - 5);
  });

  test('matches common elements of long sequences with little in common, and yields to other work', async () => {
    let seed = 1;
    const random = () => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return (seed >>> 16) % 20;
    };
    const [a, b] = [Int32Array.from({ length: 40_000 }, random), Int32Array.from({ length: 40_000 }, random)];
    let turns = 0;
    const other = setInterval(() => {
      turns += 1;
    }, 0);
    const matches = await align(a, b);
    clearInterval(other);
    expect(turns).toBeGreaterThan(1);
    expect(pairsOf(matches).length).toBeGreaterThan(12_000);
  });
});

describe('the events of two runs', () => {
  const event = fc.record({ kind: fc.nat(2), says: fc.nat(2) });
  const sequenceOf = (events: readonly { kind: number; says: number }[]): EventSequence => ({
    kinds: Int32Array.from(events, ({ kind }) => kind),
    contents: Int32Array.from(events, ({ kind, says }) => kind * 3 + says),
  });
  const events = fc.array(event, { maxLength: 16 });

  test('are matched by content first, then by kind', async () => {
    await fc.assert(
      fc.asyncProperty(events, events, async (left, right) => {
        const [a, b] = [sequenceOf(left), sequenceOf(right)];
        const matches = await matchEvents(a, b);
        expectMatching(matches, [...a.kinds], [...b.kinds]);
        const isSame = ([i, j]: [number, number]) => a.contents[i] === b.contents[j];
        const same = pairsOf(matches).filter(isSame);
        expect(same.length).toBe(lengthOfCommon([...a.contents], [...b.contents]));
        // Between two equal events, match as many of the same kind as possible.
        const [ends, starts] = [
          [...same, [left.length, right.length]],
          [[-1, -1], ...same],
        ];
        for (const [at, [endA = 0, endB = 0]] of ends.entries()) {
          const [startA = 0, startB = 0] = starts[at] ?? [];
          const within = pairsOf(matches).filter(([i]) => i > startA && i < endA);
          expect(within.length).toBe(
            lengthOfCommon([...a.kinds.slice(startA + 1, endA)], [...b.kinds.slice(startB + 1, endB)]),
          );
        }
      }),
      { numRuns: times(1000, 200) },
    );
  });

  test('are all yielded in order, through both runs', async () => {
    await fc.assert(
      fc.asyncProperty(events, events, async (left, right) => {
        const steps = [...stepsOf(await matchEvents(sequenceOf(left), sequenceOf(right)), right.length)];
        const ofA = steps.flatMap((step) => (step.kind === 'added' ? [] : [step.a]));
        const ofB = steps.flatMap((step) => (step.kind === 'missing' ? [] : [step.b]));
        expect(ofA).toEqual(left.map((_, index) => index));
        expect(ofB).toEqual(right.map((_, index) => index));
      }),
    );
  });
});
