import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { ValueIndex } from '../../src/base/json/value-index.ts';
import { useAccelerator } from '../../src/log/accelerator/use.ts';
import { decodeText, encodeText } from '../../src/log/accelerator/wtf8.ts';
import { GrowingNumbers } from '../../src/log/growing-numbers.ts';
import { AS_STORED, LogForm } from '../../src/log/log-form.ts';
import { LogParser } from '../../src/log/parser.ts';
import { type Row, RowSource } from '../../src/log/row.ts';
import { eventBehind } from '../../src/log/row-event.ts';
import { layoutOf } from '../../src/log/row-layout.ts';
import { PlainTextIndex } from '../../src/log/text-index.ts';
import { jsonText } from '../support/json.ts';

const layout = layoutOf(undefined, { list: 'list', word: ['word', 'word'], n: ['n', 'number'] });

function read(lines: string, see: (row: Row) => void): void {
  const source = RowSource.open(LogForm.stored(layout));
  const parser = new LogParser(source, { row: see, corrupt: () => expect.fail('nothing is corrupt') });
  parser.filled(Buffer.from(lines).copy(parser.room()));
  parser.end();
  source.close();
}

afterEach(() => useAccelerator('always'));

describe('a row', () => {
  test('does not exist before a record is read', () => {
    const source = RowSource.open(AS_STORED);
    expect(() => source.row.record).toThrow('no record');
    source.close();
  });

  test.each(['always', 'never'] as const)('gives the value of a column, with the accelerator %s', (use) => {
    useAccelerator(use);
    const seen: unknown[] = [];
    read(
      '{"list":[],"word":"a","n":0.1234567890123456789}\n{"list":[1],"word":"a"}\n{"list":7,"word":7}\n',
      (row) => {
        const { list, word, n } = layout.at;
        seen.push([
          row.kind(list) === 'array' && row.isFilled(list),
          row.text(word),
          row.number(n),
          row.record.mayRound,
        ]);
      },
    );
    expect(seen).toEqual([
      [false, 'a', 0.12345678901234568, true],
      [true, 'a', Number.NaN, false],
      [false, undefined, Number.NaN, false],
    ]);
  });
});

test.each(['always', 'never'] as const)('a row gives what is stored, with the accelerator %s', (use) => {
  useAccelerator(use);
  const long = 'x'.repeat(200);
  const seen: unknown[] = [];
  read(`{"n":1.50,"word":"a"}\n{"word":"${long}","n":null}\n`, (row) => {
    const { list, word, n } = layout.at;
    const into = Buffer.alloc(256);
    const copied = row.copyText(word, into);
    seen.push([
      String(row.exact(n)),
      row.value(list),
      row.exact(list),
      row.isText(word, 'a'),
      row.isText(word, `${long}x`),
      copied === -1 || into.toString('latin1', 0, copied) === row.text(word),
      eventBehind(row)['n'],
    ]);
  });
  expect(seen).toEqual([
    ['1.50', undefined, undefined, true, false, true, 1.5],
    ['null', undefined, undefined, false, false, true, null],
  ]);
});

test.each(['always', 'never'] as const)('a row compares texts, with the accelerator %s', (use) => {
  useAccelerator(use);
  const plain = ['', 'a', 'ab', 'é', '\ud83d\ude00', '\\n', '\n', '"', 'x'.repeat(9), `${'x'.repeat(40)}é`];
  // Also what a program makes of a text whose UTF-8 it takes for Latin-1: as many units as the text has bytes.
  const texts = [...new Set(plain.flatMap((text) => [text, Buffer.from(text).toString('latin1')]))];
  const escaped = (text: string) =>
    `"${Array.from(text.split(''), (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
  for (const stored of texts.flatMap((text) => [JSON.stringify(text), escaped(text)]))
    read(`{"list":${stored}}\n`, (row) => {
      const equal = texts.filter((text) => row.isText(layout.at.list, text));
      expect(equal, stored).toEqual([JSON.parse(stored)]);
    });
});

test('stored text is available for records that the accelerator has read', () => {
  const stored = (use: 'always' | 'never') => {
    useAccelerator(use);
    const seen: unknown[] = [];
    read('{"n":1.50}\n', (row) => {
      const { n } = layout.at;
      seen.push(row.stored(n), Buffer.from(row.storedBytes(n)).toString());
    });
    return seen;
  };
  expect([stored('always'), stored('never')]).toEqual([
    ['1.50', '1.50'],
    ['', ''],
  ]);
});

test('without the accelerator any number may be rounded', () => {
  useAccelerator('never');
  const source = RowSource.open(LogForm.stored(layout));
  expect(source.mayRound).toBe(true);
  source.close();
});

test('logs that are read at once have separate texts, however many they are', () => {
  useAccelerator('always');
  const textsOfMany = () => {
    const sources = Array.from({ length: 5 }, () => RowSource.open(LogForm.stored(layout)));
    for (const [at, { row }] of sources.entries()) row.texts.intern(`of ${at}`);
    const texts = sources.map(({ accelerator }) => [accelerator?.size, accelerator?.textOf(0)]);
    for (const source of sources) source.close();
    return texts;
  };
  const own = Array.from({ length: 5 }, (_, at) => [1, `of ${at}`]);
  // The second time some instances are used again.
  expect([textsOfMany(), textsOfMany()]).toEqual([own, own]);
});

describe('texts', () => {
  test('of any kind are restored from their bytes, and no two are equal', () => {
    const texts = ['', 'a', 'é', '€', '😀', '\ufffd', '\ud800', '\udc00\ud800', 'a\ud83dé€😀\ufffd'];
    const bytes = texts.map((text) => encodeText(text));
    expect(bytes.map(decodeText)).toEqual(texts);
    expect(new Set(bytes.map((one) => one.toString('hex'))).size).toBe(texts.length);
  });

  test('have ordinals in their order of insertion', () => {
    const index = new PlainTextIndex();
    expect([index.intern('a'), index.intern('b'), index.intern('a'), index.size]).toEqual([0, 1, 0, 2]);
    expect([index.find('b'), index.find('c'), index.textOf(1), index.textOf(9)]).toEqual([1, -1, 'b', '']);
  });
});

test('growing numbers keep what was set, at any index', () => {
  const numbers = new GrowingNumbers(Int32Array);
  numbers.set(3, 7);
  numbers.set(5_000, 8);
  expect([3, 4, 5_000, 1e9].map((index) => numbers.get(index))).toEqual([7, 0, 8, 0]);
});

describe('the places of the values in a record', () => {
  const placesIn = (index: ValueIndex, base: number) =>
    Array.from({ length: index.size }, (_, value) => {
      const key = index.keyOf(value);
      return [
        index.startOf(value) - base,
        index.endOf(value) - base,
        key === -1 ? -1 : key - base,
        index.after(value),
      ];
    });
  /** As the row finds them, and as the index finds them itself. */
  const bothWays = (records: readonly string[]) => {
    const found: unknown[] = [];
    const right: unknown[] = [];
    const [index, other] = [1, 2].map(() => new ValueIndex(Buffer.from('0'), 0, 1)) as [
      ValueIndex,
      ValueIndex,
    ];
    read(`${records.join('\n')}\n`, (row) => {
      const { bytes, valueStart, valueEnd } = row.record;
      found.push(placesIn(row.index(index), valueStart));
      // It also indexes other texts meanwhile.
      index.read(Buffer.from('[[],{}]'), 0, 7);
      right.push(placesIn(other.read(bytes, valueStart, valueEnd), valueStart));
    });
    return [found, right] as const;
  };

  test('are those of an index that reads the record without the accelerator', () => {
    fc.assert(
      fc.property(fc.array(jsonText, { minLength: 1, maxLength: 4 }), fc.boolean(), (values, isOff) => {
        useAccelerator(isOff ? 'never' : 'always');
        const records = values.map((value, at) => `${' '.repeat(at)}{"list" :${value},"b":${value}}`);
        const [found, right] = bothWays(records);
        expect(found).toEqual(right);
        expect(found).toHaveLength(records.length);
      }),
    );
  });

  test.each([
    ['values', `{"list":[${'1,'.repeat(3000)}1]}`],
    ['levels', `{"list":${'['.repeat(200)}{"a":1}${']'.repeat(200)}}`],
  ])('are found in a record with many %s', (_, record) => {
    const [found, right] = bothWays([record, '{"list":[],"n":1}', record]);
    expect(found).toEqual(right);
    expect(found).toHaveLength(3);
  });
});
