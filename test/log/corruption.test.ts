import { describe, expect, test } from 'vitest';
import type { CorruptionCode } from '../../src/log/corruption.ts';
import { parseLog } from '../support/log.ts';

type Found = [code: CorruptionCode, line: number, column: number, byteStart: number, byteEnd: number];

interface Case {
  readonly name: string;
  readonly log: string | Uint8Array;
  readonly found: Found[];
  /** The lines of the records that are whole all the same; none when absent. */
  readonly records?: number[];
}

const join = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

/** Ten bytes and a newline: what follows begins at byte 11. */
const good = '{"id":"1"}\n';
const whole = '{"id":"x","payload":{"task":"ä"},"phase":"act"}';

const cases: Case[] = [
  {
    name: 'a torn last line',
    log: `${good}{"id":"2`,
    found: [['log/truncated', 2, 1, 11, 19]],
    records: [1],
  },
  { name: 'a torn only line', log: '{', found: [['log/truncated', 1, 1, 0, 1]] },
  { name: 'rubbish at the end', log: `${good}xyz`, found: [['log/truncated', 2, 1, 11, 14]], records: [1] },
  {
    name: 'a torn record in the middle, its newline there',
    log: `{"id":"1\n${good}`,
    found: [['log/invalid-json', 1, 9, 8, 8]],
    records: [2],
  },
  {
    name: 'a stray byte behind wide characters',
    log: join(good, '{"s":"é😀', [0xff], '"}\n'),
    found: [['log/invalid-utf8', 2, 10, 23, 24]],
    records: [1],
  },
  {
    name: 'an overlong form',
    log: join('{"s":"', [0xc0, 0xaf], '"}\n'),
    found: [['log/invalid-utf8', 1, 7, 6, 8]],
  },
  {
    name: 'a surrogate pair in UTF-8',
    log: join('{"s":"', [0xed, 0xa0, 0xbd], '"}\n'),
    found: [['log/invalid-utf8', 1, 7, 6, 9]],
  },
  {
    name: 'half a character before a quote',
    log: join('{"s":"', [0xe2, 0x82], '"}\n'),
    found: [['log/invalid-utf8', 1, 7, 6, 8]],
  },
  { name: 'a byte order mark', log: `\ufeff${good}`, found: [['log/bom', 1, 1, 0, 3]], records: [1] },
  {
    name: 'a fault behind a byte order mark, which is a unit of the line',
    log: '\ufeff{"é":True}\n',
    found: [
      ['log/bom', 1, 1, 0, 3],
      ['log/invalid-json', 1, 7, 9, 13],
    ],
  },
  {
    name: 'a torn record behind a byte order mark',
    log: '\ufeff{"id',
    found: [
      ['log/bom', 1, 1, 0, 3],
      ['log/truncated', 1, 2, 3, 7],
    ],
  },
  {
    name: 'two records behind a byte order mark',
    log: `\ufeff${good.trim()}${good}`,
    found: [
      ['log/bom', 1, 1, 0, 3],
      ['log/glued-records', 1, 12, 13, 23],
    ],
  },
  {
    name: 'a record over two lines behind a byte order mark',
    log: '\ufeff{"s":"one\ntwo"}\n',
    found: [
      ['log/bom', 1, 1, 0, 3],
      ['log/split-record', 1, 2, 3, 18],
    ],
  },
  {
    name: 'an opening behind a byte order mark that nothing closes',
    log: `\ufeff{"s":"one\n${good}`,
    found: [
      ['log/bom', 1, 1, 0, 3],
      ['log/invalid-json', 1, 11, 12, 12],
    ],
    records: [2],
  },
  {
    name: 'a record over three lines with a stray byte in the second',
    log: join(good, '{"s":"one\n', [0xff], 'two\n three"}\n', good),
    found: [
      ['log/invalid-json', 2, 10, 20, 20],
      ['log/invalid-utf8', 3, 1, 21, 22],
      ['log/invalid-json', 4, 2, 27, 32],
    ],
    records: [1, 5],
  },
  {
    name: 'a record broken inside a character',
    log: join('{"s":"', [0xc3], '\n', [0xa9], '"}\n'),
    found: [
      ['log/invalid-utf8', 1, 7, 6, 7],
      ['log/invalid-utf8', 2, 1, 8, 9],
    ],
  },
  { name: 'nothing but a byte order mark', log: '\ufeff', found: [['log/bom', 1, 1, 0, 3]] },
  {
    name: 'NUL bytes in place of the last record',
    log: `${good}\0\0\0\0`,
    found: [['log/nul-bytes', 2, 1, 11, 15]],
    records: [1],
  },
  {
    name: 'NUL bytes in place of the first record',
    log: `\0\0\n${good}`,
    found: [['log/nul-bytes', 1, 1, 0, 2]],
    records: [2],
  },
  {
    name: 'runs of NUL bytes inside a line, one finding each',
    log: `${good}{"é\0\0":1,\0}\n${good}`,
    found: [
      ['log/nul-bytes', 2, 4, 15, 17],
      ['log/nul-bytes', 2, 10, 21, 22],
    ],
    records: [1, 3],
  },
  {
    name: 'a NUL byte in place of a newline',
    log: '{"id":"1"}\0{"id":"2"}\n',
    found: [['log/nul-bytes', 1, 11, 10, 11]],
  },
  {
    name: 'a Python literal',
    log: `${good}{"é":True}\n${good}`,
    found: [['log/invalid-json', 2, 6, 17, 21]],
    records: [1, 3],
  },
  { name: 'a trailing comma', log: '{"a":1,}\n', found: [['log/invalid-json', 1, 8, 7, 8]] },
  { name: 'text behind the record', log: '{"a":1} x\n', found: [['log/invalid-json', 1, 9, 8, 9]] },
  { name: 'a comment', log: '// note\n', found: [['log/invalid-json', 1, 1, 0, 1]] },
  {
    name: 'two whole records',
    log: `${good.trim()}${good}`,
    found: [['log/glued-records', 1, 11, 10, 20]],
  },
  {
    name: 'three whole records',
    log: `${good.trim()} ${good.trim()}${good}`,
    found: [['log/glued-records', 1, 12, 11, 31]],
  },
  {
    name: 'a torn record and a whole one',
    log: `{"id":"é${whole}\n${good}`,
    found: [['log/glued-records', 1, 9, 9, 57]],
    records: [2],
  },
  {
    name: 'a record over two lines',
    log: `${good}{"s":"one\ntwo"}\n${good}`,
    found: [['log/split-record', 2, 1, 11, 26]],
    records: [1, 4],
  },
  {
    name: 'a record laid out over lines, blank ones too',
    log: `{\n  "id": "1",\n\n  "a": []\n}\n${good}`,
    found: [['log/split-record', 1, 1, 0, 27]],
    records: [6],
  },
  { name: 'an array', log: '  [1]\n', found: [['log/not-object', 1, 3, 2, 5]] },
  { name: 'a word', log: '"é"', found: [['log/not-object', 1, 1, 0, 4]] },
  { name: 'NaN', log: '{"é":NaN,"b":Infinity}\n', found: [['log/non-finite', 1, 6, 6, 9]] },
  { name: '-Infinity', log: '{"a":[-Infinity]}\n', found: [['log/non-finite', 1, 7, 6, 15]] },
  {
    name: 'nesting beyond the limit',
    log: `${good}${'['.repeat(2000)}\n`,
    found: [['log/too-deep', 2, 1001, 1011, 1012]],
    records: [1],
  },
];

describe('the place of a corruption', () => {
  test.each(cases)('$name', ({ log, found, records = [] }) => {
    const parsed = parseLog(log);
    const places = parsed.corruptions.map(({ code, line, column, byteStart, byteEnd }) => [
      code,
      line,
      column,
      byteStart,
      byteEnd,
    ]);
    expect(places).toEqual(found);
    expect(parsed.records.map(({ line }) => line)).toEqual(records);
  });
});

describe('every corrupt line is reported', () => {
  test('each once, and the records between them are read', () => {
    const log = `x\n${good}{"a":NaN}\n\n[]\n${good}{"a":1}{"a":2}\n{"a":"b\nc"}\n\0\n${good}{"a`;
    const { corruptions, records } = parseLog(log);
    expect(corruptions.map(({ line, code }) => `${line} ${code}`)).toEqual([
      '1 log/invalid-json',
      '3 log/non-finite',
      '5 log/not-object',
      '7 log/glued-records',
      '8 log/split-record',
      '10 log/nul-bytes',
      '12 log/truncated',
    ]);
    expect(records.map(({ line }) => line)).toEqual([2, 6, 11]);
  });
});

describe('what a corruption shows', () => {
  test('the line, stripped and cut as the runtime cuts it', () => {
    const [short] = parseLog('  {"a":tru}  \n').corruptions;
    expect(short?.lineExcerpt).toBe('{"a":tru}');
    const [exact] = parseLog(`{${'é'.repeat(159)}\n`).corruptions;
    expect(exact?.lineExcerpt).toBe(`{${'é'.repeat(159)}`);
    const [long] = parseLog(`{${'é'.repeat(160)}\n`).corruptions;
    expect(long?.lineExcerpt).toBe(`{${'é'.repeat(156)}...`);
  });

  test('counts characters there as Python does, and cuts none in half', () => {
    const [exact] = parseLog(`{${'😀'.repeat(159)}\n`).corruptions;
    expect(exact?.lineExcerpt).toBe(`{${'😀'.repeat(159)}`);
    const [long] = parseLog(`{${'😀'.repeat(160)}\n`).corruptions;
    expect(long?.lineExcerpt).toBe(`{${'😀'.repeat(156)}...`);
  });

  test('no line if it is not text', () => {
    expect(parseLog(Buffer.of(0xff, 0x0a)).corruptions[0]).not.toHaveProperty('lineExcerpt');
  });
});
