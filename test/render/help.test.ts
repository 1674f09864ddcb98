import { describe, expect, test } from 'vitest';
import { fitHelp } from '../../src/show/render/help.ts';

describe('help that is too wide', () => {
  test('is broken by paragraphs, and no word of a line is left alone', () => {
    const text =
      'Events are objects, one a line, and\nall of them come in one write.\n\nNext:\n  word  what it is';
    expect(fitHelp(text, 30)).toBe(
      'Events are objects, one a\nline, and all of them come in\none write.\n\nNext:\n  word  what it is',
    );
  });

  test('is unchanged if it fits', () => {
    const text = 'One\ntwo\n\nthree  four';
    expect(fitHelp(text, 30)).toBe(text);
  });

  test('puts an explanation below its term if there is no room next to it', () => {
    expect(fitHelp('  --option  says what it does', 20)).toBe('  --option\n      says what it\n      does');
  });
});
