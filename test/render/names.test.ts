import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortNames } from '../../src/show/render/episode-names.ts';

const short = (...names: string[]): string[] => names.map(shortNames(names).shorten);

test.each<[string[], string[]]>([
  [
    ['ep_1', 'ep_2'],
    ['ep_1', 'ep_2'],
  ],
  [
    ['ep_abcdefgh', 'ep_ijklmnop'],
    ['ep_abcd…', 'ep_ijkl…'],
  ],
  // A word before an id says nothing without some characters of the id.
  [
    ['42ec600e-31f1-460f-bd1e-a0e8b2ef84f4', 'agent-2a11131c65884209'],
    ['42ec600e-3…', 'agent-2a11…'],
  ],
  // Names that differ late are shown by their end.
  [
    ['ep_0123456789abcX1', 'ep_0123456789abcX2'],
    ['…9abcX1', '…9abcX2'],
  ],
  // Two that differ late do not change the others.
  [
    ['ep_0123456789abcX1', 'ep_0123456789abcX2', '01a20265-3b5a', 'ep_9876543210'],
    ['…9abcX1', '…9abcX2', '01a2026…', 'ep_9876…'],
  ],
  [
    ['a/b/events.jsonl', 'a/c/events.jsonl'],
    ['b/events.json…', 'c/events.json…'],
  ],
  [
    ['a/short', 'b/short'],
    ['a/short', 'b/short'],
  ],
  [['a/b/0123456789abcdef.jsonl'], ['b/0123456789a…']],
  [
    ['a/b/0123456789abcdef.jsonl', 'c/b/0123456789abcdef.jsonl'],
    ['a/b/01…', 'c/b/01…'],
  ],
])('%j are shown short', (names, shown) => {
  expect(short(...names)).toEqual(shown);
});

const word = (most: number) => fc.stringMatching(new RegExp(`^[a-z/]{0,${most}}$`));

test('in a narrow column, names still differ', () => {
  const given = fc.tuple(fc.uniqueArray(word(8), { minLength: 2 }), word(80), word(80));
  fc.assert(
    fc.property(given, ([middles, start, end]) => {
      const names = middles.map((middle) => `${start}${middle}_${end}`);
      const shown = names.map(shortNames(names, 32).shorten);
      expect(new Set(shown).size).toBe(names.length);
      expect(Math.max(...shown.map(({ length }) => length))).toBeLessThanOrEqual(32);
    }),
  );
});

test('names that differ at both ends keep both', () => {
  const names = ['a1', 'a2', 'b1', 'b2'].map(([start, end]) => `${start}${'-'.repeat(50)}${end}`);
  const { shorten } = shortNames(names, 12);
  expect(names.map(shorten)).toEqual(['a----…-----1', 'a----…-----2', 'b----…-----1', 'b----…-----2']);
});
