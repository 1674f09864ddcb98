import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/base/json/parse.ts';
import { jsonText, oracle, scan } from '../support/json.ts';
import { times } from '../support/length.ts';

const NON_FINITE = /NaN|Infinity/;

describe('the scanner accepts what JSON.parse accepts', () => {
  test('of any JSON value, compact or laid out', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(scan(text).ok).toBe(true);
      }),
    );
  });

  test('for any form of the text', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(oracle(text)).toBeDefined();
        expect(scan(text).ok).toBe(true);
      }),
      { numRuns: times(1000, 200) },
    );
  });

  test('and refuses what it refuses, for texts with one change', () => {
    const mutation = fc.record({
      at: fc.nat(),
      remove: fc.integer({ min: 0, max: 3 }),
      insert: fc.oneof(
        fc.string({ maxLength: 2 }),
        fc.constantFrom(
          ',',
          '"',
          '{',
          '}',
          '[',
          ']',
          ':',
          '\\',
          '-',
          '.',
          'e',
          '0',
          'tru',
          '\u0001',
          '\u00a0',
        ),
      ),
    });
    fc.assert(
      fc.property(jsonText, mutation, (text, { at, remove, insert }) => {
        const place = at % (text.length + 1);
        const changed = text.slice(0, place) + insert + text.slice(place + remove);
        fc.pre(!changed.includes('\n') && !NON_FINITE.test(changed) && changed.isWellFormed());
        expect(scan(changed).ok).toBe(oracle(changed) !== undefined);
      }),
      { numRuns: times(2000, 400) },
    );
  });

  test('and agrees on short texts of special characters', () => {
    const soup = fc.array(fc.constantFrom(...'{}[]",:\\ \t\rtruefalsn0123.-+eEu/'), { maxLength: 8 });
    fc.assert(
      fc.property(soup, (characters) => {
        const text = characters.join('');
        expect(scan(text).ok).toBe(oracle(text) !== undefined);
      }),
      { numRuns: times(2000, 400) },
    );
  });

  test('and on random bytes never throws, and agrees where they are text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        fc.pre(!bytes.includes(0x0a));
        const text = Buffer.from(bytes).toString('latin1');
        const { ok } = scan(bytes);
        if (bytes.every((byte) => byte < 0x80) && !NON_FINITE.test(text)) {
          expect(ok).toBe(oracle(text) !== undefined);
        }
      }),
      { numRuns: times(2000, 400) },
    );
  });
});

describe('the members of the outermost object', () => {
  test('are where JSON.parse finds them, counting the last of repeated keys', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const value = oracle(text)?.value;
        fc.pre(typeof value === 'object' && value !== null && !Array.isArray(value));
        const { scanner, bytes } = scan(text);
        const found = new Map<string, unknown>();
        for (let at = 0; at < scanner.memberCount * 4; at += 4) {
          const [keyStart, keyEnd, start, end] = scanner.members.slice(at, at + 4);
          const key = JSON.parse(`"${bytes.toString('utf8', keyStart, keyEnd)}"`) as string;
          found.set(key, parseJson(bytes.toString('utf8', start, end)));
        }
        expect(found).toEqual(new Map(Object.entries(value as object)));
      }),
      { numRuns: times(1000, 200) },
    );
  });

  test('may be more than the table holds at first', () => {
    const text = JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, n])));
    const { scanner } = scan(text);
    expect(scanner.memberCount).toBe(500);
  });

  test('do not exist in an array, even if its elements have members', () => {
    expect(scan('[{"a":1},{"b":2}]').scanner.memberCount).toBe(0);
  });
});

describe('nesting', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  test.each([
    [999, true],
    [1000, true],
    [1001, false],
  ])('%i levels of arrays: accepted is %s', (depth, accepted) => {
    expect(scan(nested(depth)).ok).toBe(accepted);
  });

  test.each([
    [1000, true],
    [1001, false],
  ])('%i levels of objects: accepted is %s', (depth, accepted) => {
    const text = `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
    expect(scan(text).ok).toBe(accepted);
  });

  test('reports excessive depth at its bracket', () => {
    const { scanner } = scan(`{"a":${nested(100_000)}}`);
    expect(scanner.fault).toBe('too-deep');
    expect(scanner.faultAt).toBe(2 + '{"a":'.length + 999);
  });
});

describe('what the scan notes in passing', () => {
  test.each([
    ['{"a":NaN}', 5],
    ['{"a":Infinity}', 5],
    ['{"a":[1,-Infinity,NaN]}', 8],
    ['{"a":1}', undefined],
  ])('the first word without a JSON form in %s', (text, at) => {
    const { scanner, ok } = scan(text);
    expect(ok).toBe(true);
    expect(scanner.nonFiniteAt).toBe(at === undefined ? -1 : 2 + at);
  });

  test.each(['NaNa', 'nan', 'Inf', '-Inf', '-infinity', 'Infinit', '+Infinity'])(
    '%s is not such a word',
    (word) => {
      expect(scan(word).ok).toBe(false);
    },
  );

  test.each([
    ['999999999999999', false],
    ['9007199254740993', true],
    ['-9007199254740993', true],
    ['9007199254740993.0', false],
    ['9007199254740993e0', false],
    ['0.12345678901234567890', false],
  ])('%s is an integer that may be unsafe: %s', (text, noted) => {
    expect(scan(text).scanner.bigIntegerAt).toBe(noted ? 2 : -1);
  });

  test('any object with a repeated key, without exception', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const { scanner } = scan(text);
        fc.pre(scanner.memberCount > Object.keys(Object(oracle(text)?.value)).length);
        expect(scanner.maybeDuplicate).toBe(true);
      }),
    );
    expect(scan('{"a":{"b":1},"c":{"b":2}}').scanner.maybeDuplicate).toBe(false);
    expect(scan('{"a":1,"b":{"x":1,"x":2}}').scanner.maybeDuplicate).toBe(true);
  });

  test('whether a key of the outermost object is escaped', () => {
    expect(scan('{"\\u0061":1}').scanner.escapedKey).toBe(true);
    expect(scan('{"a":{"\\u0061":1}}').scanner.escapedKey).toBe(false);
  });

  test('nothing from one scan remains in the next', () => {
    const { scanner, bytes } = scan('{"a":NaN,"a":12345678901234567890,"\\u0061":{}}');
    const clean = Buffer.from('{"b":1}\n');
    expect(bytes.length).toBeGreaterThan(0);
    expect(scanner.scan(clean, 0, clean.length - 1)).toBe(true);
    expect(scanner).toMatchObject({
      fault: undefined,
      nonFiniteAt: -1,
      bigIntegerAt: -1,
      maybeDuplicate: false,
      escapedKey: false,
      memberCount: 1,
    });
  });
});
