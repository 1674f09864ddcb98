import { describe, expect, test } from 'vitest';
import { explainFault } from '../../src/base/json/explain.ts';
import { scan } from '../support/json.ts';

/** The place of the fault, from 0, and the words. */
function explained(text: string): [number, string] {
  const { scanner, bytes, ok } = scan(text);
  expect(ok).toBe(false);
  return [scanner.faultAt - 2, explainFault(scanner, bytes, 2 + Buffer.byteLength(text))];
}

describe('what is wrong, and where', () => {
  test.each<[string, number, string]>([
    ['', 0, 'the text ends before the value is complete'],
    ['{"a":', 5, 'the text ends before an object or array is complete'],
    ['{"a":1', 6, 'the text ends before an object or array is complete'],
    ['{"a":-', 6, 'the text ends before an object or array is complete'],
    ['{"a":1.', 7, 'the text ends before an object or array is complete'],
    ['1e', 2, 'the text ends before the value is complete'],
    ['[1,', 3, 'the text ends before an object or array is complete'],
    ['{"a":"b', 7, 'the text ends inside a string'],
    ['{"a":"\\', 7, 'the text ends inside a string'],
    ['{"a":"\\u00', 10, 'the text ends inside a string'],
    ['{"a":1,}', 7, 'a comma comes before the closing `}`'],
    ['[1,]', 3, 'a comma comes before the closing `]`'],
    ["{'a':1}", 1, 'a key is in single quotes; JSON uses double quotes'],
    ['{a:1}', 1, 'expected a key in double quotes, found `a`'],
    ['{"a" 1}', 5, 'expected `:` after the key, found `1`'],
    [
      '{"a":1 "b":2}',
      7,
      expect.stringContaining('a comma is missing before this string') as unknown as string,
    ],
    ['{"a":1;', 6, 'expected `,` or the end of the container, found `;`'],
    ['{"a":01}', 6, expect.stringContaining('no leading zeros') as unknown as string],
    ['{"a":1.}', 7, expect.stringContaining('a number is malformed') as unknown as string],
    ['{"a":1e}', 7, expect.stringContaining('a number is malformed') as unknown as string],
    ['{"a":-}', 6, expect.stringContaining('a number is malformed') as unknown as string],
    ['{"a":"\\x"}', 6, 'a backslash does not begin a valid JSON escape'],
    ['{"a":"\\u00g0"}', 6, 'a backslash does not begin a valid JSON escape'],
    ['{"a":"\t"}', 6, 'a string contains the control character U+0009 without an escape'],
    ['{"a":1} x', 8, 'expected the end of the text, found `x`'],
    ['{"a":True}', 5, 'found `True`; JSON writes `true`'],
    ['{"a":None}', 5, 'found `None`; JSON writes `null`'],
    ['{"a":\'b\'}', 5, 'a string is in single quotes; JSON uses double quotes'],
    ['{"a":tru}', 5, 'expected a value, found `tru`'],
    ['{"a":+1}', 5, 'expected a value, found `+`'],
    ['{"a":.5}', 5, 'expected a value, found `.`'],
    ['{"a":\u00a01}', 5, 'expected a value, found U+00A0'],
    ['{"a":toString}', 5, 'expected a value, found `toString`'],
    ['{"é":é}', 6, 'expected a value, found `é`'],
    ['{"a":😀}', 5, 'expected a value, found `😀`'],
  ])('%j', (text, at, message) => {
    expect(explained(text)).toEqual([at, message]);
  });
});
