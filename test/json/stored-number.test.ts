import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { valueAt } from '../../src/base/json/path.ts';
import { canonicalNumber, isNumber, isSameNumber, StoredNumber } from '../../src/base/json/stored-number.ts';
import { isObject, jsonEqual, kindOf } from '../../src/base/json/value.ts';
import { writeJson } from '../../src/base/json/write.ts';

const read = (text: string) => (String(Number(text)) === text ? Number(text) : new StoredNumber(text));

describe('numbers are compared by value', () => {
  test.each([
    ['1', '1.0'],
    ['1', '10e-1'],
    ['1.50', '15E-1'],
    ['0', '-0.0'],
    ['0e5', '0'],
    ['12345678901234567890', '1234567890123456789e1'],
    ['1e400', '10e399'],
  ])('%s is %s', (a, b) => {
    expect(isSameNumber(read(a), read(b))).toBe(true);
    expect(jsonEqual([{ n: read(a) }], [{ n: read(b) }])).toBe(true);
  });

  test.each([
    ['12345678901234567890', '12345678901234567899'],
    ['12345678901234567890', '12345678901234567000'],
    ['9007199254740993', '9007199254740992'],
    ['1e400', '1e401'],
    ['1e-400', '0'],
    ['1.0', '-1'],
    [`1e${'9'.repeat(1000)}`, `1e${'9'.repeat(1001)}`],
  ])('%s is not %s', (a, b) => {
    expect(isSameNumber(read(a), read(b))).toBe(false);
    expect(isSameNumber(read(b), read(a))).toBe(false);
    expect(jsonEqual({ n: read(a) }, { n: read(b) })).toBe(false);
  });

  test('as integers of any size are', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), fc.nat(9), (a, b, zeros) => {
        expect(isSameNumber(new StoredNumber(`${a}`), new StoredNumber(`${b}`))).toBe(a === b);
        const longer = new StoredNumber(`${a}.${'0'.repeat(zeros + 1)}`);
        expect(isSameNumber(read(`${a}`), longer)).toBe(true);
      }),
    );
  });

  test('a text, a boolean or a value outside JSON is not a number', () => {
    expect(isSameNumber('1', 1)).toBe(false);
    expect(isSameNumber(Number.POSITIVE_INFINITY, new StoredNumber('1e400'))).toBe(false);
    expect(isSameNumber(true, new StoredNumber('1.0'))).toBe(false);
  });
});

test('a StoredNumber is a number and not an object', () => {
  const number = new StoredNumber('1e400');
  expect([isNumber(number), isObject(number), kindOf(number)]).toEqual([true, false, 'number']);
  expect([`${number}`, Number(number), String(new StoredNumber('1.0'))]).toEqual(['1e400', Infinity, '1.0']);
  expect(valueAt({ number }, ['number', 'text'])).toBeUndefined();
});

test('JSON is written like JSON.stringify, except for such numbers', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      expect(writeJson(value, indent)).toBe(JSON.stringify(value, null, indent));
      const text = writeJson([value, new StoredNumber('1.0')], indent);
      expect(text).toBe(JSON.stringify([value, 'N'], null, indent).replace(/"N"(?=\n?\]$)/, '1.0'));
    }),
  );
  expect(writeJson({ a: undefined, b: [undefined], c: new StoredNumber('1e400') })).toBe(
    '{"b":[null],"c":1e400}',
  );
});

test('a number with an absurd exponent is compared as text', () => {
  const text = `1e${'9'.repeat(1000)}`;
  expect(canonicalNumber(new StoredNumber(text))).toBe(text);
  expect(canonicalNumber(new StoredNumber('150e-1'))).toBe('15');
});

test('deep values are written as the engine writes them, next to a stored number', () => {
  const deep = (inner: unknown): unknown =>
    Array.from({ length: 8 }).reduce((value) => ({ a: value }), inner);
  const inner = { list: [], object: {}, none: [undefined], text: 'a\nb', gone: undefined };
  for (const indent of [0, 2])
    expect(writeJson(deep({ ...inner, n: new StoredNumber('1.0') }), indent)).toBe(
      JSON.stringify(deep({ ...inner, n: 7 }), null, indent).replace(/"n":( ?)7/, '"n":$11.0'),
    );
  expect(writeJson(undefined)).toBe('null');
});
