import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { strippedRange } from '../../src/log/strip.ts';

/** The characters that Python's str.strip() removes (noesis.md §3). */
const PYTHON_SPACE = [
  ...'\t\n\v\f\r\u001c\u001d\u001e\u001f \u0085\u00a0\u1680',
  ...Array.from({ length: 11 }, (_, n) => String.fromCharCode(0x2000 + n)),
  ...'\u2028\u2029\u202f\u205f\u3000',
];
/** Further characters that JavaScript's trim() removes, and neighbours in the code table. */
const NO_SPACE = [
  ...'\ufeff\u200b\u2027\u202a\u2030\u1fff\u180e\u0084\u0086\u001b\u00a1\u3001',
  'é',
  '😀',
  'x',
  '\0',
];

function strip(text: string): string {
  const bytes = Buffer.from(`x${text}x`);
  const { start, end } = strippedRange(bytes, 1, bytes.length - 1);
  return bytes.toString('utf8', start, end);
}

describe('stripping a line as Python does', () => {
  test.each(
    PYTHON_SPACE.map((character) => [
      `U+${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      character,
    ]),
  )('%s is white space', (_, character) => {
    expect(strip(`${character}a${character}`)).toBe('a');
    expect(strip(character)).toBe('');
  });

  test('any run of white space goes, and nothing else', () => {
    const space = fc
      .array(fc.constantFrom(...PYTHON_SPACE), { maxLength: 5 })
      .map((characters) => characters.join(''));
    const edge = fc.constantFrom(...NO_SPACE);
    const middle = fc.array(fc.constantFrom(...PYTHON_SPACE, ...NO_SPACE), { maxLength: 5 });
    fc.assert(
      fc.property(space, edge, middle, edge, space, (before, first, inner, last, after) => {
        const text = `${first}${inner.join('')}${last}`;
        expect(strip(before + text + after)).toBe(text);
      }),
    );
  });

  test('bytes that are not text do not count as white space, and never lead out of the line', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (content) => {
        const { start, end } = strippedRange(content, 0, content.length);
        expect(start).toBeGreaterThanOrEqual(0);
        expect(start).toBeLessThanOrEqual(end);
        expect(end).toBeLessThanOrEqual(content.length);
      }),
    );
    expect(strippedRange(Buffer.of(0xff, 0x20, 0xff), 0, 3)).toEqual({ start: 0, end: 3 });
    expect(strippedRange(Buffer.of(0xc2, 0x45), 0, 2)).toEqual({ start: 0, end: 2 });
    expect(strippedRange(Buffer.of(0x61, 0xe2, 0x80), 0, 3)).toEqual({ start: 0, end: 3 });
  });
});
