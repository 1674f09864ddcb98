import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeText } from '../../src/show/render/escape.ts';
import {
  clusters,
  displayWidth,
  escapeToWidth,
  headOfWidth,
  truncateToWidth,
} from '../../src/show/render/width.ts';
import { clip, wrap } from '../../src/show/render/wrap.ts';
import { text as anyText } from './arbitrary.ts';

/** Also text with many joiners. */
const joined = fc
  .array(fc.constantFrom('👩', '🏽', '♂', '\ufe0f', '\u200d', '\u200c', 'م', 'َ', 'क', '्', 'a', '🇩'))
  .map((parts) => parts.join(''));
const text = fc.oneof(anyText, joined);

describe('displayWidth', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['日本', 4],
    ['ｱ', 1],
    ['Ａ', 2],
    ['e\u0301', 1],
    ['👍', 2],
    ['👍🏽', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['❤', 1],
    ['…', 1],
    ['한글', 4],
    ['👩\u200d👩\u200d👧', 2],
    ['🏳\ufe0f\u200d🌈', 2],
    ['👩🏽\u200d🚀', 2],
    ['⛹\u200d♂\ufe0f', 2],
    ['می\u200cخواهم', 7],
  ])('%j takes %i columns', (shown, width) => {
    expect(displayWidth(shown)).toBe(width);
  });
});

describe('a text of narrow characters', () => {
  // A wide character leads to the general way.
  const WIDE = '漢';
  const narrow = fc.string({ unit: fc.constantFrom(...'ab   -/.é©­ſ—“”…‼↳─│✓✗'), maxLength: 60 });

  it('is as wide as its characters', () => {
    fc.assert(
      fc.property(narrow, (shown) => {
        expect(displayWidth(shown)).toBe(displayWidth(shown + WIDE) - 2);
        expect(headOfWidth(shown, 20)).toBe(headOfWidth(WIDE + shown, 22).slice(1));
      }),
    );
  });

  it('is wrapped like others', () => {
    fc.assert(
      fc.property(narrow, fc.integer({ min: 2, max: 70 }), fc.nat(10), (shown, width, indent) => {
        const lines = wrap(shown, width, indent);
        const others = wrap(`${shown} ${WIDE}`, width, indent).slice(0, lines.length);
        expect(others.map((line) => line.replace(/ ?漢$/, ''))).toEqual(lines);
      }),
    );
  });
});

describe('truncateToWidth', () => {
  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
    ['abc', 0, ''],
  ])('cuts %j to %i columns: %j', (shown, width, cut) => {
    expect(truncateToWidth(shown, width)).toBe(cut);
  });

  it('cuts what is wider than its limit, and nothing else', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: -2, max: 40 }), (raw, width) => {
        const shown = escapeText(raw);
        const cut = width < 1 ? '' : `${headOfWidth(shown, width - 1)}…`;
        expect(truncateToWidth(shown, width)).toBe(displayWidth(shown) <= width ? shown : cut);
      }),
    );
  });

  it('never exceeds its limit', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 40 }), (raw, width) => {
        expect(displayWidth(truncateToWidth(escapeText(raw), width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('a long text', () => {
  const long = fc.tuple(text, fc.nat({ max: 200 })).map(([part, times]) => part.repeat(times));

  it('is escaped only as far as it is shown, with the same result', () => {
    fc.assert(
      fc.property(long, fc.nat({ max: 40 }), (raw, width) => {
        expect(escapeToWidth(raw, width)).toBe(truncateToWidth(escapeText(raw), width));
      }),
    );
    expect(escapeToWidth('e\u0301'.repeat(300), 3)).toBe('e\u0301e\u0301…');
    expect(escapeToWidth(`a${'\u0301'.repeat(300)}bcd`, 3)).toBe(`a${'\u0301'.repeat(300)}b…`);
  });

  it('is measured and cut by clusters', () => {
    fc.assert(
      fc.property(long, fc.nat({ max: 40 }), (raw, width) => {
        const shown = escapeText(raw);
        const parts = clusters(shown);
        const widths = parts.map(displayWidth);
        expect(displayWidth(shown)).toBe(widths.reduce((sum, one) => sum + one, 0));
        let [count, taken] = [0, 0];
        while (count < parts.length && taken + (widths[count] ?? 0) <= width) taken += widths[count++] ?? 0;
        expect(headOfWidth(shown, width)).toBe(parts.slice(0, count).join(''));
      }),
    );
  });
});

describe('wrap', () => {
  it('breaks at spaces, and a long word where it must', () => {
    expect(wrap('one two three four', 9)).toEqual(['one two', 'three', 'four']);
    expect(wrap('one two', 9, 4)).toEqual(['one', 'two']);
    expect(wrap('a 0123456789abcdef b', 8)).toEqual(['a', '01234567', '89abcdef', 'b']);
    expect(wrap('', 8)).toEqual(['']);
  });

  it.each(['a', '"\\', '漢', 'e\u0301', 'a-', '\u0301'])(
    'takes time in proportion to the length of a word of %j',
    (part) => {
      const word = part.repeat(2_000_000 / part.length);
      const before = process.cpuUsage();
      expect(wrap(word, 80).join('')).toBe(word);
      const { user } = process.cpuUsage(before);
      expect(user / 1e6).toBeLessThan(10);
    },
  );

  it('keeps all of the text and the width', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 8, max: 60 }), fc.nat({ max: 70 }), (raw, width, indent) => {
        const shown = escapeText(raw);
        const lines = wrap(shown, width, indent);
        expect(lines.join('').replaceAll(' ', '')).toBe(shown.replaceAll(' ', ''));
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe('clip', () => {
  it('does not split a pair', () => {
    expect(clip('a👍b', 3)).toBe('a…');
    expect(clip('a👍', 3)).toBe('a👍');
  });
});
