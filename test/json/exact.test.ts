import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ExactValue, isExactObject, NumberText, parseExact } from '../../src/json/exact.ts';

/** The same value with its numbers rounded, as JSON.parse gives it. */
function plain(value: ExactValue): unknown {
  if (value instanceof NumberText) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (!isExactObject(value)) return value;
  const object: Record<string, unknown> = {};
  for (const [key, item] of value)
    Object.defineProperty(object, key, {
      value: plain(item),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  return object;
}

test('reads what JSON.parse reads, spaced or not', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 1, '\t'), (text, space) => {
      const wanted: unknown = JSON.parse(text);
      expect(plain(parseExact(JSON.stringify(wanted, null, space)))).toEqual(wanted);
    }),
    { numRuns: 300 },
  );
});

test('keeps numbers as they are stored', () => {
  const texts = ['0', '-0', '1.0', '1e5', '-1.50E-07', '12345678901234567890', '1e400'];
  const value = parseExact(`[${texts.join(' , ')}]`);
  expect(value).toEqual(texts.map((text) => new NumberText(text)));
});

test('keeps every key, and the last of a repeated one', () => {
  const value = parseExact('{"__proto__":1,"1":true,"a\\"\\u0062":[],"1":false,"\\\\":null}');
  expect(value).toEqual(
    new Map<string, ExactValue>([
      ['__proto__', new NumberText('1')],
      ['1', false],
      ['a"b', []],
      ['\\', null],
    ]),
  );
});

test.each(['', '{', '"a', '[1 2]', '{"a" 1}', '01', 'NaN', '"\\"'])(
  'refuses what is not JSON: %s',
  (text) => {
    expect(() => parseExact(text)).toThrow(SyntaxError);
  },
);

test('takes a text as deep and as long as a log may hold', () => {
  const deep = '['.repeat(1000) + ']'.repeat(1000);
  expect(() => parseExact(deep)).not.toThrow();
  const long = `"${'\\\\'.repeat(500_000)}"`;
  expect(parseExact(long)).toHaveLength(500_000);
});
