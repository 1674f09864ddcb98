import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeText } from '../../src/render/escape.ts';
import { DANGEROUS, text } from './arbitrary.ts';

describe('escaped text', () => {
  it.each([
    ['plain text, with spaces and "quotes"', 'plain text, with spaces and "quotes"'],
    ['日本語 é и\u0306 👍🏽 ❤️', '日本語 é и\u0306 👍🏽 ❤️'],
    ['a\nb\tc\rd', 'a\\nb\\tc\\rd'],
    ['\x1b]0;title\x07', '\\x1b]0;title\\x07'],
    ['\x1b[31m\x7f\x9b', '\\x1b[31m\\x7f\\x9b'],
    ['\u061c\u200e\u202eabc\u2066', '\\u{61c}\\u{200e}\\u{202e}abc\\u{2066}'],
    ['a\u200bb\ufeff\u2028\u2029', 'a\\u{200b}b\\u{feff}\\u{2028}\\u{2029}'],
    ['\ud800x\udc00', '\\u{d800}x\\u{dc00}'],
    ['\u{e0041}\u{e007f}\u{e0101}', '\\u{e0041}\\u{e007f}\\u{e0101}'],
    ['back\\slash', 'back\\slash'],
  ])('shows %j as %j', (raw, shown) => {
    expect(escapeText(raw)).toBe(shown);
  });

  it('never lets a dangerous character or a newline through, and changes a text once only', () => {
    fc.assert(
      fc.property(text, (raw) => {
        const shown = escapeText(raw);
        expect(shown).not.toMatch(DANGEROUS);
        expect(shown).not.toContain('\n');
        expect(escapeText(shown)).toBe(shown);
      }),
    );
  });
});
