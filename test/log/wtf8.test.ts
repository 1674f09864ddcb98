import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText, encodeText } from '../../src/log/accelerator/wtf8.ts';
import { times } from '../support/length.ts';

const texts = fc.array(
  fc.constantFrom('a', 'é', '語', '😀', '\ufffd', '\ud800', '\udbff', '\udc00', '\udfff', '\ud7ff', '\ue000'),
  { maxLength: 12 },
);

test('a text equals its bytes, whatever halves of surrogate pairs it contains', () => {
  fc.assert(
    fc.property(texts, (characters) => {
      const text = characters.join('');
      expect(decodeText(encodeText(text))).toBe(text);
    }),
    { numRuns: times(500, 100), examples: [[['\ud800', '😀', 'é', '語', 'a']]] },
  );
});

test('texts that differ have bytes that differ', () => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const same = one.join('') === other.join('');
      expect(encodeText(one.join('')).equals(encodeText(other.join('')))).toBe(same);
    }),
    { numRuns: times(500, 100), examples: [[['\ud800'], ['\ufffd']]] },
  );
});

test('the bytes of a text without lone halves are its UTF-8', () => {
  expect(encodeText('aé語😀')).toEqual(Buffer.from('aé語😀'));
});
