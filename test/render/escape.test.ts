import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeText } from '../../src/show/render/escape.ts';
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
    ['👩\u200d👩\u200d👧', '👩\u200d👩\u200d👧'],
    ['🏳\ufe0f\u200d🌈 👩🏽\u200d🚀 🤷\u200d♂\ufe0f', '🏳\ufe0f\u200d🌈 👩🏽\u200d🚀 🤷\u200d♂\ufe0f'],
    ['می\u200cخواهم خانهٔ\u200cما', 'می\u200cخواهم خانهٔ\u200cما'],
    ['क्\u200dष ශ්\u200dරී র\u200d্যাব', 'क्\u200dष ශ්\u200dරී র\u200d্যাব'],
    ['👩\u200d \u200d👩 👩\u200d\u200d👩', '👩\\u{200d} \\u{200d}👩 👩\\u{200d}\\u{200d}👩'],
    ['👩\u200c👩 a\u200db a\u200cb', '👩\\u{200c}👩 a\\u{200d}b a\\u{200c}b'],
    ['می\u200c، م\u200dن क\u200dष', 'می\\u{200c}، م\\u{200d}ن क\\u{200d}ष'],
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

  it('has no invisible character except variation selectors, and joiners between two that are joined', () => {
    const alphabet = fc.constantFrom(
      ...[
        '\u200b',
        '\u200c',
        '\u200d',
        '\u200e',
        '\u202e',
        '\u2060',
        '\ufe0e',
        '\ufe0f',
        '\u{e0067}',
        '\u{1f3fd}',
      ],
      ...[
        '👩',
        '♂',
        '🇩',
        '©',
        'a',
        ' ',
        '1',
        'م',
        'َ',
        '،',
        '١',
        'क',
        '्',
        '।',
        'ශ',
        '්',
        '漢',
        '\u0301',
        '\u{ad}',
        '\ud83d',
      ],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(alphabet, fc.string({ unit: 'binary', maxLength: 2 }))), (parts) => {
        const shown = [...escapeText(parts.join(''))];
        for (const [at, character] of shown.entries()) {
          if (!/\p{Default_Ignorable_Code_Point}/u.test(character) || /[\ufe0e\ufe0f]/.test(character))
            continue;
          const [before = '', after = ''] = [shown[at - 1], shown[at + 1]];
          const last = /[\ufe0f\p{Emoji_Modifier}]/u.test(before) ? (shown[at - 2] ?? '') : before;
          const isEmoji = [last, after].every((one) => /^\p{Extended_Pictographic}/u.test(one));
          const isArabic = /[\p{L}\u064b-\u0670]/u.test(before) && /(?=\p{L})\p{Script=Arabic}/u.test(after);
          const isIndic = [before, after].every(
            (one) => /^[\u0900-\u0dff]/.test(one) && /^[\p{L}\p{M}]/u.test(one),
          );
          const allowed = [
            isEmoji && '\u200d',
            isArabic && '\u200c',
            isIndic && '\u200c',
            isIndic && '\u200d',
          ];
          expect(allowed).toContain(character);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
