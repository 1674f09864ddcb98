import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXCERPT_BEFORE, EXCERPT_LENGTH } from '../../src/base/json/place.ts';
import { placeInExcerpt } from '../../src/findings/excerpt.ts';
import { frameLines } from '../../src/show/render/frame.ts';
import { displayWidth } from '../../src/show/render/width.ts';
import { DANGEROUS, text } from './arbitrary.ts';
import { excerptAt } from './excerpt-at.ts';

function frame(line: string, column: number, width = 60, byteLength = 1, label = '') {
  return frameLines({ excerpt: excerptAt(line, column), column, width, byteLength, label });
}

describe('excerptAt', () => {
  it('has the place at a known unit, and no half characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.nat(), (line, seed) => {
        const place = line.length === 0 ? 0 : seed % line.length;
        const excerpt = excerptAt(line, place + 1);
        const { at } = placeInExcerpt(excerpt, place + 1);
        expect(excerpt.length).toBeLessThanOrEqual(EXCERPT_LENGTH);
        expect(at).toBe(Math.min(place, EXCERPT_BEFORE));
        expect(excerpt).not.toMatch(/\p{Surrogate}/u);
        if (at > 0 && at < excerpt.length - 1) expect(excerpt[at]).toBe(line[place]);
      }),
    );
  });
});

describe('frameLines', () => {
  it('underlines the place', () => {
    expect(frame('{"a":[1,]}', 9, 60, 1, 'a[1]')).toEqual(['{"a":[1,]}', '        ^ a[1]']);
    expect(frame('{"a":"done"}', 6, 60, 6)).toEqual(['{"a":"done"}', '     ^^^^^^']);
  });

  it('points after the last character of a torn line', () => {
    expect(frame('{"a":', 6)).toEqual(['{"a":', '     ^']);
  });

  it('underlines nothing without a column', () => {
    expect(frameLines({ excerpt: 'abc', width: 60, label: 'x' })).toEqual(['abc']);
  });

  it('counts columns, not units, and escapes as shown', () => {
    expect(frame('日本👍🏽\x1b"x"', 8, 60, 3)).toEqual(['日本👍🏽\\x1b"x"', '          ^^^']);
    expect(frame('a\x1bb', 2)).toEqual(['a\\x1bb', ' ^^^^']);
    expect(frame('日本', 2, 60, 3)).toEqual(['日本', '  ^^']);
  });

  it('marks the cut ends of the excerpt', () => {
    const [shown, below] = frame('x'.repeat(100) + 'y'.repeat(300), 101, 200);
    expect(shown).toBe(`…${'x'.repeat(60)}${'y'.repeat(100)}…`);
    expect(below).toBe(`${' '.repeat(61)}^`);
  });

  it('cuts around the place to the width', () => {
    const [shown, below] = frame('x'.repeat(100) + 'y'.repeat(300), 101, 20);
    expect(shown).toBe(`…${'x'.repeat(9)}${'y'.repeat(9)}…`);
    expect(below).toBe(`${' '.repeat(10)}^`);
  });

  it('puts a label that does not fit below the place', () => {
    expect(frame('{"status":"done"}', 11, 20, 6, 'payload.status')).toEqual([
      '{"status":"done"}',
      '          ^^^^^^',
      '      payload.status',
    ]);
  });

  it('is escaped and stays within the width for any input', () => {
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: -5, max: 400 }),
        fc.nat({ max: 200 }),
        text,
        (line, column, byteLength, label) => {
          const lines = frameLines({ excerpt: line, column, byteLength, label, width: 40 });
          expect(lines.join('')).not.toMatch(DANGEROUS);
          for (const shown of lines) expect(displayWidth(shown)).toBeLessThanOrEqual(40);
        },
      ),
    );
  });
});
