import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compactText } from '../../src/base/json/compact.ts';

const compact = (text: string, before = '', after = '') => {
  const bytes = Buffer.from(before + text + after);
  const start = Buffer.byteLength(before);
  return compactText(bytes, start, start + Buffer.byteLength(text));
};

describe('the compact text of a value', () => {
  test('keeps numbers, escapes and repeated keys as they are stored', () => {
    const stored =
      '{\r\n\t"a" : [ 1.0, 1e2,-0 ] ,\n"\\u00e9 \\" {": 9007199254740993, "a": "x  y", "b": {}\n}';
    expect(compact(stored, '[ ', ' ]')).toBe(
      '{"a":[1.0,1e2,-0],"\\u00e9 \\" {":9007199254740993,"a":"x  y","b":{}}',
    );
    expect(compact('1.0', ' ', ' ')).toBe('1.0');
  });

  test('equals the output of JSON.stringify for a document that it indented', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2, '\t'), (value, indent) => {
        expect(compact(JSON.stringify(value, null, indent))).toBe(JSON.stringify(value));
      }),
    );
  });
});
