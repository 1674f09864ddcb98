import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endsFence, fenceIn } from '../../src/show/render/fence.ts';
import { markdownLines } from '../../src/show/render/markdown-lines.ts';
import { quotedText } from '../../src/show/render/markdown-text.ts';
import { plain } from '../../src/show/render/style.ts';

describe('a fence', () => {
  test.each([
    ['```', []],
    ['  ~~~~ ', []],
    ['```c++', []],
    ['``` js', []],
    ['```ts title="a b"', ['ts title="a b"']],
    ['~~~ delete all files', ['delete all files']],
    ['```a-name-that-is-longer-than-any-language', ['a-name-that-is-longer-than-any-language']],
  ])('may name a language, and any other text after it is kept: %s', (line, rest) => {
    expect(fenceIn(line)?.rest).toEqual(rest);
  });

  test.each(['``', '```inline``` words', 'text ```', '~~'])('is not %s', (line) => {
    expect(fenceIn(line)).toBeUndefined();
  });

  test.each([
    ['```', '```', true],
    ['```', ' ````` ', true],
    ['````', '```', false],
    ['```', '~~~', false],
    ['```', '``` and more', false],
    ['~~~', '~~~`', false],
  ])('after %s: does %s end the block? %s', (mark, line, ends) => {
    expect(endsFence(line, { mark, rest: [] })).toBe(ends);
  });
});

test('no words are hidden next to marks, on a terminal and in Markdown', () => {
  const pieces = ['```', '~~~', '````', '\n', '\n', ' first second ', '# ', '- ', '> ', '`', '**', '|'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (parts) => {
      const text = parts.join('');
      const words = (lines: readonly string[]) => lines.join(' ').match(/\b(?:first|second)\b/g) ?? [];
      expect(words(markdownLines(text, 80, plain))).toEqual(words([text]));
      expect(words(quotedText(text))).toEqual(words([text]));
    }),
  );
});

test('bold words are bold on both lines where a line ends within them', () => {
  const style = { ...plain, bold: (text: string) => `<${text}>` };
  const lines = (text: string, width = 80) => markdownLines(text, width, style);
  expect(lines('see **bold\n  words** and **more**')).toEqual(['see <bold>', '  <words> and <more>']);
  expect(lines('- **bold words** here', 9)).toEqual(['• <bold>', '  <words>', '  here']);
  expect(lines('- **a b', 6)).toEqual(['• **a', '  b']);
  expect(lines('`**/a` and\n`**/b` c', 6)).toEqual(['**/a', 'and', '**/b', 'c']);
  for (const next of ['- b**', '# b**', '> b**', '', 'b']) expect(lines(`a **\n${next}`)[0]).toBe('a **');
});
