import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distance } from '../../src/base/text/distance.ts';
import { nearest } from '../../src/base/text/nearest.ts';

test.each([
  ['act', 'act', 0],
  ['atc', 'act', 1],
  ['ac', 'act', 1],
  ['acct', 'act', 1],
  ['axt', 'act', 1],
  ['', 'act', 3],
  ['verfiy', 'verify', 1],
  ['sort', 'root', 2],
])('%j and %j are %i apart', (a, b, far) => {
  expect(distance(a, b)).toBe(far);
  expect(distance(b, a)).toBe(far);
});

test('a distance is at most the length of the text, and at least the difference of the lengths', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const far = distance(a, b);
      expect(far).toBeLessThanOrEqual(Math.max(a.length, b.length));
      expect(far).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
      expect(far === 0).toBe(a === b);
    }),
  );
});

test('distant words are not suggested', () => {
  expect(nearest(['root', 'status'], 'sort')).toEqual([]);
  expect(nearest(['verify', 'events'], 'version')).toEqual([]);
  expect(nearest(['act', 'plan'], 'atc')).toEqual(['act']);
});
