import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lintJson } from '../../src/base/json/lint.ts';

function lint(text: string) {
  const bytes = Buffer.from(`  ${text}\n`);
  return Array.from(lintJson(bytes, 2, bytes.length - 1), (notice) => {
    // The place is that of the text as it is written.
    expect(bytes.toString('utf8', notice.start, notice.end)).toContain(
      notice.kind === 'unsafe-integer' ? notice.text : '"',
    );
    return `${notice.kind} ${notice.path()} ${notice.text}`;
  });
}

describe('repeated keys', () => {
  test.each<[string, string[]]>([
    ['{"a":1,"b":2}', []],
    ['{"a":1,"a":2}', ['duplicate-key a a']],
    ['{"a":1,"a":2,"a":3}', ['duplicate-key a a', 'duplicate-key a a']],
    ['{"a":1,"\\u0061":2}', ['duplicate-key a a']],
    ['{"a":{"x":1},"b":{"x":1}}', []],
    ['{"a":[{"x":1},{"x":1}]}', []],
    ['{"a":[0,{"x":1,"x":{}}]}', ['duplicate-key a[1].x x']],
    ['{"a":{"x":1},"a":{"x":2}}', ['duplicate-key a a']],
    ['{"__proto__":1,"__proto__":2}', ['duplicate-key __proto__ __proto__']],
    ['{"":1,"":2}', ['duplicate-key [""] ']],
    ['{"a b":1,"a b":2}', ['duplicate-key ["a b"] a b']],
    ['{"a\\"}":1,"a\\"}":2}', ['duplicate-key ["a\\"}"] a"}']],
  ])('of %s', (text, expected) => {
    expect(lint(text)).toEqual(expected);
  });

  test('are as many as the keys that JSON.parse drops', () => {
    const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'é', '😀'), { maxLength: 8 });
    fc.assert(
      fc.property(keys, (names) => {
        const text = `{${names.map((name, n) => `${JSON.stringify(name)}:${n}`).join(',')}}`;
        expect(lint(text).length).toBe(names.length - new Set(names).size);
      }),
    );
  });
});

describe('unsafe integers', () => {
  test.each<[string, string[]]>([
    ['9007199254740992', []],
    ['9007199254740993', ['unsafe-integer  9007199254740993']],
    ['-9007199254740992', []],
    ['-9007199254740993', ['unsafe-integer  -9007199254740993']],
    ['{"n":[1,12345678901234567890]}', ['unsafe-integer n[1] 12345678901234567890']],
    ['{"n":1.2345678901234567890}', []],
    ['{"n":12345678901234567890e1}', []],
    ['{"n":"12345678901234567890"}', []],
  ])('of %s', (text, expected) => {
    expect(lint(text)).toEqual(expected);
  });

  test('are those beyond 2^53 in size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }), (n) => {
        const unsafe = n > 2n ** 53n || n < -(2n ** 53n);
        expect(lint(`{"n":${n}}`).length).toBe(unsafe ? 1 : 0);
      }),
    );
  });
});

test('notices come in the order of the text', () => {
  expect(lint('{"b":{"n":12345678901234567890},"b":1,"m":[{"x":1,"x":12345678901234567891}]}')).toEqual([
    'unsafe-integer b.n 12345678901234567890',
    'duplicate-key b b',
    'duplicate-key m[0].x x',
    'unsafe-integer m[0].x 12345678901234567891',
  ]);
});
