import fc from 'fast-check';
import { fromOutput } from '../../src/base/json/output.ts';
import { parseJson } from '../../src/base/json/parse.ts';
import { JsonScanner } from '../../src/base/json/scanner.ts';

/** Scans a text as the parser does, followed by a newline. The bytes around it must be ignored. */
export function scan(text: string | Uint8Array): { scanner: JsonScanner; ok: boolean; bytes: Buffer } {
  const content = Buffer.from(text as string);
  const bytes = Buffer.concat([Buffer.from('{"'), content, Buffer.from('\n"]}')]);
  const scanner = new JsonScanner();
  return { scanner, ok: scanner.scan(bytes, 2, 2 + content.length), bytes };
}

/**
 * The result of JSON.parse for a text on one line: the value, or undefined if it refuses. Compared with JSON.parse itself
 * in test/json/parse.test.ts, as newer engines read some keys wrong.
 */
export function oracle(text: string): { value: unknown } | undefined {
  try {
    return { value: parseJson(text) };
  } catch {
    return undefined;
  }
}

/** JSON text in one of the many ways to write it: white space between tokens, escapes, odd numbers, repeated keys. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => {
  const space = fc.constantFrom('', '', '', ' ', '\t', '\r', ' \r\t ');
  const spaced = (inner: fc.Arbitrary<string>) =>
    fc.tuple(space, inner, space).map(([before, text, after]) => before + text + after);
  const character = fc.oneof(
    { weight: 8, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }).map(inQuotes) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('\\n', '\\"', '\\\\', '\\/', '\\u00e9', '\\ud83d\\ude00', '\\uD800'),
    },
  );
  const string = fc.array(character, { maxLength: 4 }).map((parts) => `"${parts.join('')}"`);
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.bigInt().map(String),
    fc.constantFrom('-0', '0.0', '1E5', '1e-07', '1e+16', '0e0', '1.0', '1e999'),
  );
  const key = fc.oneof(fc.constantFrom('"a"', '"b"', '"\\u0061"', '""', '"__proto__"'), string);
  return {
    value: fc.oneof(
      { depthSize: 'small' },
      spaced(fc.constantFrom('true', 'false', 'null')),
      spaced(string),
      spaced(number),
      spaced(fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',') || ' '}]`)),
      spaced(
        fc
          .array(fc.tuple(spaced(key), tie('value')), { maxLength: 5 })
          .map((members) => `{${members.map(([name, value]) => `${name}:${value}`).join(',') || '\t'}}`),
      ),
    ),
  };
}).value;

function inQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The JSON output of a command, with the names that the library uses. */
export const outputIn = (text: string): ReturnType<typeof JSON.parse> => fromOutput(JSON.parse(text));
