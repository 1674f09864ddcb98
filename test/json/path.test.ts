import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { locate } from '../../src/base/json/locate.ts';
import { parseJson } from '../../src/base/json/parse.ts';
import { formatPath, parsePath, valueAt } from '../../src/base/json/path.ts';
import { isObject, jsonEqual, kindOf } from '../../src/base/json/value.ts';
import { ValueIndex } from '../../src/base/json/value-index.ts';
import { jsonText, oracle } from '../support/json.ts';

describe('paths', () => {
  test('are read back as they were written, with any keys', () => {
    const segment = fc.oneof(
      fc.nat(1000),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a.b', '"', '[0]', ''),
    );
    fc.assert(
      fc.property(fc.array(segment), (path) => {
        expect(parsePath(formatPath(path))).toEqual(path);
      }),
    );
  });

  test.each<[string, (string | number)[] | undefined]>([
    ['', []],
    ['outcomes.status', ['outcomes', 'status']],
    ['.outcomes.status', ['outcomes', 'status']],
    ['plan.steps[0].id', ['plan', 'steps', 0, 'id']],
    ['[0][1]', [0, 1]],
    ['a["b c"].d', ['a', 'b c', 'd']],
    ['x-note', ['x-note']],
    ['a..b', undefined],
    ['a.', undefined],
    ['a[', undefined],
    ['a[-1]', undefined],
    ['a["b]', undefined],
    ['a["\\x"]', undefined],
    ['a b', undefined],
  ])('%j means %j', (text, path) => {
    expect(parsePath(text)).toEqual(path);
  });

  test('lead to own members only', () => {
    const value = { a: [{ b: null }], 'c d': 1 };
    expect(valueAt(value, ['a', 0, 'b'])).toBeNull();
    expect(valueAt(value, ['a', 1])).toBeUndefined();
    expect(valueAt(value, ['toString'])).toBeUndefined();
    expect(valueAt(value, ['__proto__'])).toBeUndefined();
    expect(valueAt(value, ['c d', 'x'])).toBeUndefined();
    expect(valueAt(value, [])).toBe(value);
  });
});

describe('an index of a text', () => {
  test('has every value where JSON.parse finds it', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const bytes = Buffer.from(text);
        const value = oracle(text)?.value;
        const index = new ValueIndex(bytes, 0, bytes.length);
        let values = 0;
        const visit = (node: unknown, path: readonly (string | number)[]): void => {
          values += 1;
          const { start, end, depth } = index.locate(path);
          expect(locate(bytes, 0, bytes.length, path)).toEqual({ start, end, depth });
          expect([depth, parseJson(bytes.toString('utf8', start, end))]).toEqual([path.length, node]);
          if (Array.isArray(node)) for (const [at, child] of node.entries()) visit(child, [...path, at]);
          else if (isObject(node))
            for (const [key, child] of Object.entries(node)) visit(child, [...path, key]);
        };
        visit(value, []);
        // Of a repeated key there are more values in the text than in the object.
        expect(index.size).toBeGreaterThanOrEqual(values);
        expect(index.after(0)).toBe(index.size);
      }),
    );
  });

  test('locates a value, or its nearest ancestor, and the last of a repeated key', () => {
    const text = '{"a":[10,{"b":"x"}],"c":1,"c":22}';
    const at = (...path: (string | number)[]) => {
      const { start, end, depth } = locate(Buffer.from(text), 0, text.length, path);
      return [text.slice(start, end), depth];
    };
    expect(at('a', 1, 'b')).toEqual(['"x"', 3]);
    expect(at('a', 0)).toEqual(['10', 2]);
    expect(at('a', 1, 'nothing', 'below')).toEqual(['{"b":"x"}', 2]);
    expect(at('c')).toEqual(['22', 1]);
    expect(at('nowhere')).toEqual([text, 0]);
  });

  test.each(['a', 'ab', 'é', '"', 'a"', '\\', ''])(
    'finds the key %j among others, however it is stored',
    (key) => {
      const others = ['abc', 'aé', 'b', '\\"'].map((other) => `${JSON.stringify(other)}:0,`);
      const escaped = [...key].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
      for (const stored of [JSON.stringify(key), `"${escaped.join('')}"`]) {
        const text = Buffer.from(`{${others.join('')}${stored}:1}`);
        const { start, end } = locate(text, 0, text.length, [key]);
        expect(text.toString('utf8', start, end)).toBe('1');
      }
    },
  );
});

describe('values', () => {
  test('have the kinds that JSON names', () => {
    const kinds = [{}, [], 'a', 0, true, null, undefined].map(kindOf);
    expect(kinds).toEqual(['object', 'array', 'string', 'number', 'boolean', 'null', 'nothing']);
    expect([{}, [], null, 'a'].map(isObject)).toEqual([true, false, false, false]);
  });

  test('are equal with the same content in any order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const shuffled = (value: unknown): unknown =>
          Array.isArray(value)
            ? value.map(shuffled)
            : isObject(value)
              ? Object.fromEntries(
                  Object.entries(value)
                    .reverse()
                    .map(([key, inner]) => [key, shuffled(inner)]),
                )
              : value;
        expect(jsonEqual(a, shuffled(a))).toBe(true);
        const sorted = (value: unknown) =>
          JSON.stringify(value, (_, inner: unknown) =>
            isObject(inner)
              ? Object.fromEntries(Object.entries(inner).sort(([x], [y]) => (x < y ? -1 : 1)))
              : inner,
          );
        expect(jsonEqual(a, b)).toBe(sorted(a) === sorted(b));
      }),
    );
    expect(jsonEqual([1, 2], [2, 1])).toBe(false);
    expect(jsonEqual({ a: 1 }, { b: 1 })).toBe(false);
    expect(jsonEqual({}, [])).toBe(false);
    expect(jsonEqual({ a: null }, {})).toBe(false);
  });
});
