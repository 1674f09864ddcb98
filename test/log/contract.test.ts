import { describe, expect, test } from 'vitest';
import { iterEvents, readEvents } from '../../src/library/events.ts';
import type { CorruptionCode } from '../../src/log/corruption.ts';
import { EventLogIntegrityError } from '../../src/log/integrity-error.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { readLog } from '../../src/log/read.ts';
import { tempFile } from '../support/temp.ts';

/** noesis.md §3, row by row, with good records before and after, so that neither rescues the other. */
interface Row {
  readonly input: string;
  readonly log: string | Uint8Array;
  /** The records that a reader gives, or the line and code of the first corruption. */
  readonly verdict: unknown[] | readonly [line: number, code: CorruptionCode];
}

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

const first = '{"id":"1"}';
const last = '{"id":"9"}';
const between = (line: string) => `${first}\n${line}\n${last}\n`;
const kept = (value: unknown) => [{ id: '1' }, value, { id: '9' }];

const rows: Row[] = [
  { input: 'a file of no bytes', log: '', verdict: [] },
  { input: 'only blank lines', log: '\n \n\t\r\n', verdict: [] },
  {
    input: 'blank lines anywhere',
    log: `\n${first}\n  \n\r\n${last}\n\n`,
    verdict: [{ id: '1' }, { id: '9' }],
  },
  { input: 'CRLF', log: `${first}\r\n${last}\r\n`, verdict: [{ id: '1' }, { id: '9' }] },
  { input: 'a lone CR between two objects', log: `${first}\r${last}\n`, verdict: [1, 'log/glued-records'] },
  { input: 'no final newline', log: `${first}\n${last}`, verdict: [{ id: '1' }, { id: '9' }] },
  { input: 'a truncated last line', log: `${first}\n{"id":"9`, verdict: [2, 'log/truncated'] },
  {
    input: 'a last line cut inside a character',
    log: bytes(`${first}\n{"id":"`, [0xe2, 0x82]),
    verdict: [2, 'log/truncated'],
  },
  { input: 'bad UTF-8', log: bytes(`${first}\n{"id":"`, [0xff], '"}\n'), verdict: [2, 'log/invalid-utf8'] },
  {
    input: 'an overlong form',
    log: bytes('{"id":"', [0xc0, 0xaf], '"}\n'),
    verdict: [1, 'log/invalid-utf8'],
  },
  {
    input: 'a surrogate in UTF-8',
    log: bytes('{"id":"', [0xed, 0xa0, 0x80], `"}\n${last}\n`),
    verdict: [1, 'log/invalid-utf8'],
  },
  { input: 'a byte order mark', log: `\ufeff${first}\n${last}\n`, verdict: [1, 'log/bom'] },
  {
    input: 'a byte order mark further down',
    log: between(`\ufeff${first}`),
    verdict: [2, 'log/invalid-json'],
  },
  { input: 'NUL padding', log: `${first}\n${'\0'.repeat(9)}`, verdict: [2, 'log/nul-bytes'] },
  ...['[1]', '"text"', '1', '-0.5', 'true', 'false', 'null'].map(
    (value): Row => ({
      input: `the non-object ${value}`,
      log: between(value),
      verdict: [2, 'log/not-object'],
    }),
  ),
  { input: 'two objects on a line', log: between('{"id":"2"}{"id":"3"}'), verdict: [2, 'log/glued-records'] },
  { input: 'trailing text', log: between('{"id":"2"} x'), verdict: [2, 'log/invalid-json'] },
  { input: 'a raw control character', log: between('{"id":"\u0001"}'), verdict: [2, 'log/invalid-json'] },
  ...['01', '+1', '.5', '1.', '[1,]', "'a'", 'True', '\u00a01', '0x1', '1_000', '--1'].map(
    (value): Row => ({
      input: `the value ${value}`,
      log: between(`{"n":${value}}`),
      verdict: [2, 'log/invalid-json'],
    }),
  ),
  // Python's reader accepts these; findings.md, which overrides noesis.md, calls them corrupt.
  ...['NaN', 'Infinity', '-Infinity'].map(
    (value): Row => ({
      input: `the value ${value}`,
      log: between(`{"n":${value}}`),
      verdict: [2, 'log/non-finite'],
    }),
  ),
  { input: 'a number too large for a double', log: between('{"n":1e999}'), verdict: kept({ n: Infinity }) },
  { input: 'a repeated key', log: between('{"n":1,"n":2}'), verdict: kept({ n: 2 }) },
  { input: 'half a surrogate as an escape', log: between('{"s":"\\ud800"}'), verdict: kept({ s: '\ud800' }) },
  { input: 'an integer beyond 2^53', log: between('{"n":9007199254740993}'), verdict: kept({ n: 2 ** 53 }) },
  {
    input: 'an integer of 5,000 digits',
    log: between(`{"n":${'7'.repeat(5000)}}`),
    verdict: kept({ n: Infinity }),
  },
  { input: 'nesting without end', log: between(`{"n":${'['.repeat(5000)}`), verdict: [2, 'log/too-deep'] },
  {
    input: 'an object without the envelope',
    log: between('{"event":"start"}'),
    verdict: kept({ event: 'start' }),
  },
  { input: 'an empty object', log: between('{}'), verdict: kept({}) },
  {
    input: 'separators that other readers split at',
    log: between('{"s":"\u2028\u2029\u0085"}'),
    verdict: kept({ s: '\u2028\u2029\u0085' }),
  },
  {
    input: 'white space around a record that Python strips',
    log: between('\u00a0\u3000\u001c{"n":1}\u2028\u000b\u0085'),
    verdict: kept({ n: 1 }),
  },
  {
    input: 'white space that Python does not strip',
    log: between('{"n":1}\u200b'),
    verdict: [2, 'log/invalid-json'],
  },
  { input: 'other white space inside', log: between('{"n":\u20031}'), verdict: [2, 'log/invalid-json'] },
];

const isCorrupt = (verdict: Row['verdict']): verdict is readonly [number, CorruptionCode] =>
  typeof verdict[0] === 'number';

describe('the readers agree with noesis.md §3 on', () => {
  test.each(rows)('$input', async ({ log, verdict }) => {
    const path = tempFile(log);
    if (!isCorrupt(verdict)) {
      expect(await readEvents(path)).toEqual(verdict);
      const seen: unknown[] = [];
      const extent = await readLog(path, AS_STORED, {
        record: ({ value }) => seen.push(value),
        corrupt: () => {},
      });
      expect(seen).toEqual(verdict);
      expect(extent).toMatchObject({
        corruptions: 0,
        records: verdict.length,
        bytes: Buffer.byteLength(log),
      });
      return;
    }

    const [line, code] = verdict;
    await expect(readEvents(path)).rejects.toMatchObject({
      name: 'EventLogIntegrityError',
      corruption: { path, lineNumber: line, reason: expect.any(String) as unknown },
      details: { code, line },
    });
    // Lazily the good records before it are given, and then the same error.
    const before: unknown[] = [];
    const failure = await (async () => {
      for await (const event of iterEvents(path)) before.push(event);
    })().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EventLogIntegrityError);
    expect(before).toEqual(line === 1 ? [] : [{ id: '1' }]);
    // Twice the same.
    await expect(readEvents(path)).rejects.toThrow((failure as Error).message);

    const codes: string[] = [];
    await readLog(path, AS_STORED, {
      record: () => {},
      corrupt: (found) => codes.push(`${found.line} ${found.code}`),
    });
    expect(codes[0]).toBe(`${line} ${code}`);
  });

  test('a missing file, which is an error and not an empty log (findings.md)', async () => {
    await expect(readEvents('/nonexistent/events.jsonl')).rejects.toMatchObject({ code: 'target-missing' });
  });
});
