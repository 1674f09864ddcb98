import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AS_STORED } from '../../src/log/log-form.ts';
import { LogParser } from '../../src/log/parser.ts';
import { jsonText, oracle } from '../support/json.ts';
import { times } from '../support/length.ts';
import { parseLog } from '../support/log.ts';

/** A line of a log: whole, blank, or damaged in one of many ways; no newline in it. */
const logLine: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 4, arbitrary: jsonText.map((text) => Buffer.from(`{"id":1,"payload":${text}}`)) },
  { weight: 1, arbitrary: jsonText.map((text) => Buffer.from(text)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', ' ', '\r', '\u00a0', '\u2028 ').map((text) => Buffer.from(text)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(jsonText, fc.nat())
      .map(([text, at]) => Buffer.from(`{"id":1,"payload":${text}}`).subarray(0, at % (text.length + 10))),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        '{"a":"x',
        'y"}',
        '{',
        '}',
        '{"a":[',
        ']}',
        '{"a":"\\',
        '\0\0',
        '{"a":1}{"a":2}',
        '\ufeff{}',
      )
      .map((text) => Buffer.from(text)),
  },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes.filter((b) => b !== 10))),
  },
);

const log = fc
  .tuple(fc.array(logLine, { maxLength: 12 }), fc.boolean())
  .map(([lines, newline]) =>
    Buffer.concat(
      lines
        .flatMap((line, n) => (n > 0 ? [Buffer.of(10), line] : [line]))
        .concat(newline ? [Buffer.of(10)] : []),
    ),
  );

describe('a parser', () => {
  test('gives the same results however the bytes arrive', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(log, sizes, fc.integer({ min: 1, max: 64 }), (bytes, pieces, capacity) => {
        const whole = parseLog(bytes);
        expect(parseLog(bytes, pieces)).toEqual(whole);
        expect(parseLog(bytes, pieces, capacity)).toEqual(whole);
      }),
      { numRuns: times(600, 120) },
    );
  });

  test('accepts exactly the lines that are UTF-8 JSON objects, and counts every other one once', () => {
    const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const valueIn = (line: Buffer): unknown => {
      try {
        return oracle(strict.decode(line).replace(/^\u00a0|\u2028 $/g, ''))?.value;
      } catch {
        return undefined;
      }
    };
    fc.assert(
      fc.property(log, (bytes) => {
        fc.pre(!bytes.includes('\ufeff'));
        const lines: Buffer[] = [];
        for (let at = 0; at < bytes.length; ) {
          const newline = bytes.indexOf(10, at);
          const end = newline === -1 ? bytes.length : newline;
          lines.push(bytes.subarray(at, end));
          at = end + 1;
        }
        const whole = lines.flatMap((line, n) => {
          const value = valueIn(line);
          return typeof value === 'object' && value !== null && !Array.isArray(value) ? [[n + 1, value]] : [];
        });
        const { records, corruptions, counts } = parseLog(bytes);
        // A whole record between the pieces of a split one is a piece of it: never offered, and said.
        expect(records.map(({ line, value }) => [line, value])).toEqual(whole);
        expect(counts).toMatchObject({ lines: lines.length, bytes: bytes.length });
        if (records.length + counts.blankLines < lines.length) expect(corruptions).not.toEqual([]);
        else expect(corruptions).toEqual([]);
      }),
      { numRuns: times(600, 120) },
    );
  });

  test('gives each record its place, and its line byte for byte', () => {
    fc.assert(
      fc.property(log, (bytes) => {
        for (const { line, byteStart, byteEnd, raw } of parseLog(bytes).records) {
          const before = bytes.subarray(0, byteStart);
          expect(before.filter((byte) => byte === 10).length).toBe(line - 1);
          expect(bytes.subarray(byteStart, byteEnd).toString()).toBe(raw);
          expect([undefined, 10]).toContain(bytes[byteEnd]);
        }
      }),
    );
  });

  test('reports corruptions and records in the order of the file', () => {
    fc.assert(
      fc.property(log, (bytes) => {
        const { records, corruptions } = parseLog(bytes);
        const starts = corruptions.map(({ line }) => line);
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
        expect(records.map(({ line }) => line)).toEqual(
          records.map(({ line }) => line).toSorted((a, b) => a - b),
        );
      }),
    );
    expect(parseLog('{"n":1}\n{"n":\n{"n":2}\nx\n{"n":3}').order).toEqual([
      1,
      'log/invalid-json',
      3,
      'log/invalid-json',
      5,
    ]);
  });

  test('reports a missing last newline, but only after a whole record', () => {
    const missing = (text: string) => parseLog(text).counts.missingFinalNewline;
    expect(missing('{}\n{}')).toBe(true);
    expect(missing('{}\n')).toBe(false);
    expect(missing('{}\n{')).toBe(false);
    expect(missing('{}\n  ')).toBe(false);
    expect(missing('')).toBe(false);
  });

  test('may begin in the middle of a file: places count from its start, and a byte order mark is an error there', () => {
    const places: unknown[] = [];
    const parser = new LogParser(
      AS_STORED,
      {
        record: ({ line, byteStart }) => places.push([line, byteStart]),
        corrupt: ({ code, line, byteStart }) => places.push([code, line, byteStart]),
      },
      { offset: 100, lines: 7 },
    );
    parser.filled(parser.room().write('\ufeff{}\n{}\n'));
    parser.end();
    expect(places).toEqual([
      ['log/invalid-json', 8, 100],
      [9, 106],
    ]);
  });
});
