import { expect, test } from 'vitest';
import { shortNames } from '../../src/render/episode-names.ts';

const short = (...names: string[]): string[] => names.map(shortNames(names).shorten);

test.each<[string[], string[]]>([
  [
    ['ep_1', 'ep_2'],
    ['ep_1', 'ep_2'],
  ],
  [
    ['ep_abcdefgh', 'ep_ijklmnop'],
    ['ep_abc…', 'ep_ijk…'],
  ],
  // Names that differ late are shown by their end.
  [
    ['ep_0123456789abcX1', 'ep_0123456789abcX2'],
    ['…9abcX1', '…9abcX2'],
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
