import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXCERPT_BEFORE, EXCERPT_LENGTH, excerptAround, placeInText } from '../../src/base/json/place.ts';

/** Text with characters of one to four bytes. */
const wideText = fc
  .array(fc.constantFrom('a', 'é', '→', '😀', '\u2028', '"', '\u0300'), { maxLength: 400 })
  .map((characters) => characters.join(''));

describe('an excerpt', () => {
  test('shows the line around a place, at the documented position', () => {
    fc.assert(
      fc.property(wideText, wideText, (before, after) => {
        const line = Buffer.from(`${before}^${after}`);
        const bytes = Buffer.concat([Buffer.from('earlier\n'), line, Buffer.from('\nlater')]);
        const place = 8 + Buffer.byteLength(before);
        const excerpt = excerptAround(bytes, 8, 8 + line.length, place);
        expect(excerpt[Math.min(before.length, EXCERPT_BEFORE)]).toBe('^');
        expect(excerpt.length).toBe(
          Math.min(before.length, EXCERPT_BEFORE) +
            Math.min(1 + after.length, EXCERPT_LENGTH - Math.min(before.length, EXCERPT_BEFORE)),
        );
        expect(excerpt.isWellFormed()).toBe(true);
        // Except for a pair that is cut at either end, it is a piece of the line.
        expect(`${before}^${after}`).toContain(excerpt.replace(/^\ufffd|\ufffd$/g, ''));
      }),
    );
  });

  test('shows bytes that are not UTF-8 as U+FFFD, and never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 900 }), fc.nat(), (bytes, at) => {
        const excerpt = excerptAround(bytes, 0, bytes.length, at % bytes.length);
        expect(excerpt.length).toBeLessThanOrEqual(EXCERPT_LENGTH);
        expect(excerpt.isWellFormed()).toBe(true);
      }),
    );
    expect(excerptAround(Buffer.from([0x61, 0xff, 0x62]), 0, 3, 1)).toBe('a\ufffdb');
  });
});

describe('a place in a text of several lines', () => {
  test('has the line and column that splitting the text gives', () => {
    fc.assert(
      fc.property(fc.array(wideText, { minLength: 1, maxLength: 6 }), fc.nat(), (lines, at) => {
        const text = lines.join('\n');
        const characters = [...text];
        const before = characters.slice(0, at % (characters.length + 1)).join('');
        const bytes = Buffer.from(text);
        const place = placeInText(bytes, Buffer.byteLength(before));
        const above = before.split('\n');
        expect(place).toMatchObject({ line: above.length, column: (above.at(-1) ?? '').length + 1 });
        // The end is looked for as far as an excerpt reaches.
        const line = lines[above.length - 1] ?? '';
        const shown = bytes.toString('utf8', place.lineStart, place.lineEnd);
        const beyond = Buffer.byteLength(line) - Buffer.byteLength(above.at(-1) ?? '');
        expect(beyond <= EXCERPT_LENGTH * 4 ? shown === line : line.startsWith(shown.slice(0, -1))).toBe(
          true,
        );
      }),
    );
  });
});
