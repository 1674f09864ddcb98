import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inertLine, quotedText } from '../../src/show/render/markdown-text.ts';

/** Texts that could be live, each with the part that must not remain. */
const LIVE: readonly (readonly [string, RegExp])[] = [
  ['![x](https://evil.test/beacon.png)', /(?<!\\)!?\[|:\/\//],
  ['[a safe page](https://evil.test)', /(?<!\\)\[|:\/\//],
  ['see [x][1]\n[1]: https://evil.test', /(?<!\\)\[|:\/\//],
  ['<https://evil.test> <img src=x>', /(?<!\\)</],
  ['go to https://evil.test or www.evil.test', /:\/\/|www\./],
  ['@everyone and ann@evil.test', /@\w/],
  ['closes #12 and GH-12', /#\d|GH-\d/],
  ['# A heading\n    ## another', /^> \s*#/m],
  ['A heading\n===\nanother\n---', /^> [=-]/m],
  ['- a point\n+ a point\n* a point\n1. a point\n2) a point', /^> (?:[-+*]|\d[.)]) /m],
  ['> a quotation', /^> >/m],
  ['| a | b |\n| - | - |', /(?<!\\)\|/],
  ['**bold** __bold__ ~~gone~~ $x$ `code`', /(?<!\\)[*_~$`]/],
  ['&lt;b&gt; &#64;ann', /(?<!\\)&(?:lt|#64)/],
  ['    indented', /^> {2,}/m],
];

describe('what a trace says in Markdown', () => {
  test.each(LIVE)('%j is not live', (text, live) => {
    expect(quotedText(text).join('\n').replaceAll('&#8203;', '\u200b')).not.toMatch(live);
  });

  test('is as it was between fences, whatever language it names', () => {
    const text = 'Look:\n```mermaid\na <b> & &lt; [x](y)\n```\nand **so**';
    expect(quotedText(text)).toEqual([
      '> Look:',
      '> ```',
      '> a <b> & &lt; [x](y)',
      '> ```',
      '> and \\*\\*so\\*\\*',
    ]);
  });

  test('ends no fence, and a fence that it leaves open is closed', () => {
    expect(quotedText('~~~\n````\n![x](y)\n~~')).toEqual([
      '> `````',
      '> ````',
      '> ![x](y)',
      '> ~~',
      '> `````',
    ]);
    expect(quotedText('````\n```\nx\n````')).toEqual(['> ````', '> ```', '> x', '> ````']);
  });

  test('is inert in each line or inside a fence that is its own, in any text', () => {
    const pieces = fc.constantFrom(
      '```',
      '~~~',
      '````',
      '![x](y)',
      '# x',
      ' ',
      '\n',
      '    ',
      '`',
      '<b>',
      'x',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        let fence: string | undefined;
        for (const quoted of quotedText(parts.join(''))) {
          const line = quoted.replace(/^> ?/, '');
          const [, mark] = /^(`{3,})$/.exec(line) ?? [];
          if (fence === undefined && mark !== undefined) fence = mark;
          else if (fence !== undefined && mark !== undefined && mark.length >= fence.length)
            fence = undefined;
          else if (fence === undefined) expect(line).not.toMatch(/(?<!\\)[[<`#]/);
        }
        expect(fence).toBeUndefined();
      }),
    );
  });

  test('keeps harmless words as they are', () => {
    for (const text of ['I ran it 3 times, 2.5 s each; it works!', 'a - b, 12:30 (noon)'])
      expect(inertLine(text)).toBe(text);
  });
});
