import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExactJson, parseJson } from '../../src/base/json/parse.ts';
import { StoredNumber } from '../../src/base/json/stored-number.ts';
import { writeJson } from '../../src/base/json/write.ts';
import { times } from '../support/length.ts';

/** Keys and strings in which escapes, quotes, and what only looks like a key or a number, are frequent. */
const tricky = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.string({
    unit: fc.constantFrom('\\', '"', ':', ',', 'n', 'u', '\n', ' ', '1', '.', '0', '[', 'é'),
    maxLength: 8,
  }),
  fc.constantFrom('__proto__', '', '": 1.0', '\\"', ',1e5', '[-0'),
);
const value = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });
const document = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    tricky,
    fc.constantFrom(null, true, false, 0, -1, 1.5, 123_456, 1e21, 1e-7),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(tricky, tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** A JSON text of a value, each character of its strings written with an escape or without, and white space between. */
function written(root: unknown, pick: () => number): string {
  const space = () => ['', '', ' ', '\n', '\t\r'][pick() % 5] ?? '';
  const text = (string: string): string => {
    const units = Array.from(string, (unit) => {
      const plain = JSON.stringify(unit).slice(1, -1);
      const escaped = [...unit]
        .flatMap((part) => Array.from({ length: part.length }, (_, at) => part.charCodeAt(at)))
        .map((code) => `\\u${code.toString(16).padStart(4, '0')}`)
        .join('');
      return pick() % 3 === 0 ? escaped : plain;
    });
    return `"${units.join('')}"`;
  };
  const write = (item: unknown): string => {
    if (typeof item === 'string') return text(item);
    if (Array.isArray(item)) return `[${space()}${item.map(write).join(`${space()},${space()}`)}${space()}]`;
    if (typeof item === 'object' && item !== null) {
      const members = Object.entries(item).map(
        ([key, member]) => `${text(key)}${space()}:${space()}${write(member)}`,
      );
      return `{${space()}${members.join(`,${space()}`)}${space()}}`;
    }
    return JSON.stringify(item);
  };
  return space() + write(root) + space();
}

const texts = fc
  .tuple(fc.oneof(value, document), fc.infiniteStream(fc.nat(1000)))
  .map(([root, picks]) => written(root, () => picks.next().value as number));

const order = (root: unknown): unknown =>
  Array.isArray(root)
    ? root.map(order)
    : typeof root === 'object' && root !== null
      ? Object.entries(root).map(([key, member]) => [key, order(member)])
      : root;

// Node 20 and 22 read every key right: there JSON.parse is the oracle.
const isRightEngine = Number(process.versions.node.split('.')[0]) < 23;

describe('parseJson equals JSON.parse where that is right', () => {
  test('any text, in any writing', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const read = parseJson(text);
        expect(order(parseJson(JSON.stringify(read)))).toEqual(order(read));
        if (isRightEngine) expect(order(read)).toEqual(order(JSON.parse(text)));
      }),
      { numRuns: times(1500, 300) },
    );
  });

  test('with the slower reader too', () => {
    fc.assert(
      fc.property(texts, (text) => {
        // The first key sends the text there, and the number too.
        const slow = parseExactJson(`{"\\u0061":1.0,"it":${text}}`);
        if (isRightEngine)
          expect(order(slow)).toEqual(order({ a: new StoredNumber('1.0'), it: parseExactJson(text) }));
      }),
      { numRuns: times(1500, 300) },
    );
  });

  test.each([
    ['{"a\\n":1,"b":{"\\u0061":2,"\\u0061":3}}'],
    ['{"__proto__":{"x":1},"\\t":0}'],
    ['{"b":1,"\\u0062":2,"a":3,"b":4}'],
    ['{"\\"":"\\"","\\\\":"\\\\","2":1,"1":2}'],
    ['  [ ] '],
    ['"\\n"'],
    ['{"":{"":[{},[],null,false]},"\\/":-1.5e3}'],
  ])('%s', (text) => {
    const read = parseJson(text);
    if (isRightEngine) expect(order(read)).toEqual(order(JSON.parse(text)));
    expect(Object.getPrototypeOf(read)).not.toEqual({ x: 1 });
  });

  test.each([['{"a":1,}'], ['{"\\q":1}'], ['{"\\n":1'], ['1.0.0'], [''], ['{"\\n":01}']])(
    '%j is refused',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
      expect(() => parseExactJson(text)).toThrow(SyntaxError);
    },
  );
});

// V8 of Node 24 and newer takes an escaped key for one that it has seen, where it is written as that one reads.
test.each([
  ['{"\\\\":1}', '{"\\u0061":0}', 'a'],
  ['{"\\\\":1}', '{"\\n":0}', '\n'],
  ['{"\\\\n":1}', '{"\\nb":0}', '\nb'],
  ['{"k":1,"a\\\\u":1}', '{"k":1,"a\\u0061b":0}', 'aab'],
])('having read %s, the last key of %s is %j', (seen, text, key) => {
  JSON.parse(seen);
  for (const parse of [parseJson, parseExactJson]) {
    parse(seen);
    expect(Object.keys(parse(text) as object).at(-1)).toBe(key);
    expect(Object.keys((parse(`[${text}]`) as object[])[0] ?? {}).at(-1)).toBe(key);
  }
});

const digits = fc.stringMatching(/^[0-9]{1,25}$/);
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,24}$/)),
    fc.option(digits, { nil: undefined }),
    fc.option(fc.stringMatching(/^[eE][+-]?[0-9]{1,3}$/), { nil: '' }),
  )
  .map(
    ([sign, whole, fraction, exponent]) =>
      sign + whole + (fraction === undefined ? '' : `.${fraction}`) + exponent,
  );

describe('a number', () => {
  test('is printed as it is stored, in any place', () => {
    fc.assert(
      fc.property(numberText, numberText, (a, b) => {
        for (const text of [a, `[${a},${b}]`, `{"a":${a},"b":[{"c":${b}}]}`])
          expect(writeJson(parseExactJson(text))).toBe(text);
      }),
      { numRuns: times(1500, 300) },
    );
  });

  test('stays a plain number if a double is exact', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const text = JSON.stringify(number);
        expect(parseExactJson(text)).toBe(JSON.parse(text));
      }),
    );
  });

  test.each([
    ['12345678901234567890'],
    ['9007199254740993'],
    ['1e400'],
    ['1.0'],
    ['-0'],
    ['1E2'],
    ['0.0000001'],
  ])('%s is kept', (text) => {
    for (const around of [text, `[${text}]`, `{"a": ${text}}`, `{"a":{"b\\n":[1, ${text}]}}`]) {
      expect(writeJson(parseExactJson(around))).toBe(around.replace(/([:,]) /g, '$1'));
    }
  });

  test('is not one inside a string', () => {
    const text = '{"said":"took, 1.0 or [1e5"}';
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });
});

test('the time to read grows no faster than the text', () => {
  const time = (text: string): number => {
    // CPU time: what else the machine does says nothing.
    const start = process.cpuUsage();
    parseExactJson(text);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  // Endless escapes, strings without escapes after one, digits, and brackets in strings.
  for (const make of [
    (size: number) => `{"a":"${'\\"'.repeat(size)}"}`,
    (size: number) => `{"\\n":1,"a":[${'"",'.repeat(size)}1]}`,
    (size: number) => `["${',1'.repeat(size)}"]`,
    (size: number) => `[${'[1.0,'.repeat(size)}1${']'.repeat(size)}]`,
    (size: number) => `["${'[  '.repeat(size)}"]`,
  ]) {
    const small = Math.max(time(make(20_000)), 10);
    expect(time(make(200_000))).toBeLessThan(small * 100);
  }
});
