import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_DOCUMENT_BYTES } from '../../src/base/json/limits.ts';
import { parseDocument } from '../../src/base/json/parse-document.ts';
import { jsonText, oracle } from '../support/json.ts';

describe('reading a file as one JSON document', () => {
  test('equals JSON.parse, also with newlines', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const laidOut = text.replaceAll('\r', '\n');
        expect(parseDocument(Buffer.from(laidOut))).toEqual({
          ok: true,
          value: oracle(laidOut)?.value,
          maybeDuplicate: expect.any(Boolean),
          mayRound: expect.any(Boolean),
        });
      }),
    );
    const pretty = JSON.stringify({ a: [1, { b: 'é😀\u2028' }] }, null, 2);
    expect(parseDocument(Buffer.from(pretty))).toEqual({
      ok: true,
      value: JSON.parse(pretty),
      maybeDuplicate: false,
      mayRound: false,
    });
  });

  test.each<[string, string | Uint8Array, number, string]>([
    ['an empty file', '', 0, 'the file is empty'],
    ['a newline in a string', '{"a":"b\nc"}', 7, 'not JSON: a string contains the control character U+000A'],
    ['a Python word', '{\n  "a": None\n}', 9, 'not JSON: found `None`; JSON writes `null`'],
    ['NaN', '{"a": NaN}', 6, 'not JSON: NaN and infinities have no JSON form'],
    ['a byte order mark', '\ufeff{}', 0, 'not JSON: expected a value, found U+FEFF'],
    ['text behind the value', '{}\n{}', 3, 'not JSON: expected the end of the text, found `{`'],
    ['a torn file', '{"a":', 5, 'not JSON: the text ends before an object or array is complete'],
    ['a stray byte', Buffer.from([0x22, 0x61, 0xff, 0x22]), 2, 'invalid UTF-8'],
    ['half a character at the end', Buffer.from([0x22, 0x61, 0x62, 0xe2, 0x82]), 3, 'invalid UTF-8'],
  ])('%s is refused with its place', (_, content, offset, message) => {
    const outcome = parseDocument(Buffer.from(content as string));
    expect(outcome).toMatchObject({ ok: false, offset });
    expect('message' in outcome && outcome.message).toContain(message);
  });

  test('refuses a document that is too long before reading it', () => {
    const bytes = Buffer.alloc(MAX_DOCUMENT_BYTES + 1);
    expect(parseDocument(bytes)).toEqual({
      ok: false,
      offset: 0,
      message: 'it has 67108865 bytes; more than 67108864 (64 MiB) are refused',
    });
  });

  test('deep nesting is refused, not crashed on', () => {
    expect(parseDocument(Buffer.from('['.repeat(200_000)))).toMatchObject({ ok: false, offset: 1000 });
  });

  test('finds the first byte that is not UTF-8', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 }).filter((s) => s.isWellFormed());
    fc.assert(
      fc.property(text, fc.constantFrom(0x80, 0xc0, 0xf8, 0xff), text, (before, byte, after) => {
        const good = Buffer.from(before);
        const bytes = Buffer.concat([good, Buffer.of(byte), Buffer.from(after)]);
        expect(isUtf8(bytes)).toBe(false);
        expect(parseDocument(bytes)).toEqual({ ok: false, offset: good.length, message: 'invalid UTF-8' });
      }),
    );
  });
});

test('says how many values are allowed', () => {
  const outcome = parseDocument(Buffer.from(`[${'0,'.repeat(2_000_000)}0]`));
  expect(outcome).toMatchObject({ ok: false, message: expect.stringMatching(/; more are refused$/) });
});
