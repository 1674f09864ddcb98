import { appendFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AS_STORED } from '../../src/log/log-form.ts';
import { LogParser } from '../../src/log/parser.ts';
import { readLog } from '../../src/log/read.ts';
import { field, type LogRecord } from '../../src/log/record.ts';
import { jsonText, oracle } from '../support/json.ts';
import { times } from '../support/length.ts';
import { tempFile } from '../support/temp.ts';

function withRecord<T>(line: string, look: (record: LogRecord) => T): T {
  const seen: T[] = [];
  const parser = new LogParser(AS_STORED, { record: (record) => seen.push(look(record)), corrupt: () => {} });
  parser.filled(parser.room().write(`${line}\n`));
  expect(seen).toHaveLength(1);
  return seen[0] as T;
}

describe('the members of a record', () => {
  test('are what JSON.parse gives', () => {
    const names = ['a', 'b', '', '__proto__', 'é'].map(field);
    const member = fc.tuple(
      fc.constantFrom('"a"', '"b"', '"\\u0061"', '""', '"\\u00e9"', '"é"', '"\\\\"'),
      jsonText,
    );
    fc.assert(
      fc.property(fc.array(member, { maxLength: 6 }), (members) => {
        const line = `{${members.map(([key, value]) => `${key}:${value}`).join(',')}}`;
        fc.pre(line.length < 100_000);
        const value = oracle(line)?.value as Record<string, unknown>;
        withRecord(line, (record) => {
          expect(record.value).toEqual(value);
          for (const name of names) {
            const wanted = Object.hasOwn(value, name.name) ? value[name.name] : undefined;
            expect(record.string(name)).toBe(typeof wanted === 'string' ? wanted : undefined);
            const kind = Array.isArray(wanted) ? 'array' : wanted === null ? 'null' : typeof wanted;
            expect(record.kind(name)).toBe(wanted === undefined ? undefined : kind);
          }
        });
      }),
      { numRuns: times(500, 100) },
    );
  });

  test('are read from the current record, not from the one before it', () => {
    const id = field('id');
    const ids: (string | undefined)[] = [];
    const parser = new LogParser(AS_STORED, {
      record: (record) => ids.push(record.string(id)),
      corrupt: () => {},
    });
    parser.filled(parser.room().write('{"id":"1"}\n{}\n{"id":3}\n{"x":1,"id":"4"}\n'));
    expect(ids).toEqual(['1', undefined, undefined, '4']);
  });
});

test('a record knows its repeated keys and unsafe integers', () => {
  const kinds = (line: string) =>
    withRecord(line, (record) => Array.from(record.notices(), ({ kind }) => kind));
  expect(kinds('{"a":1}')).toEqual([]);
  expect(kinds('{"a":{"b":1,"b":12345678901234567890}}')).toEqual(['duplicate-key', 'unsafe-integer']);
  const many = Array.from({ length: 200 }, (_, n) => `"k${n}":0`).join(',');
  expect(kinds(`{${many}}`)).toEqual([]);
  expect(kinds(`{${many},"k7":1}`)).toEqual(['duplicate-key']);
});

describe('reading a file', () => {
  test('passes on its bytes and counts its contents', async () => {
    const content = '{"a":1}\n\n{"b"\n{"c":"é"}';
    const chunks: Buffer[] = [];
    const extent = await readLog(tempFile(content), AS_STORED, {
      record: () => {},
      corrupt: () => {},
      bytes: (chunk) => chunks.push(Buffer.from(chunk)),
    });
    expect(Buffer.concat(chunks).toString()).toBe(content);
    expect(extent).toMatchObject({
      bytes: Buffer.byteLength(content),
      lines: 4,
      blankLines: 1,
      records: 2,
      corruptions: 1,
      missingFinalNewline: true,
      grew: false,
      whole: false,
    });
    expect(extent).not.toHaveProperty('changed');
  });

  test('that grows meanwhile is read up to its first length, where a torn line is not damage', async () => {
    const path = tempFile('{"a":1}\n{"b":');
    let grown = false;
    const codes: string[] = [];
    const extent = await readLog(path, AS_STORED, {
      record: () => {},
      corrupt: ({ code }) => codes.push(code),
      between: () => {
        if (!grown) appendFileSync(path, '2}\n{"c":3}\n');
        grown = true;
        return undefined;
      },
    });
    expect(extent).toMatchObject({ grew: true, records: 1, bytes: 13 });
    expect(codes).toEqual([]);
  });

  test('ends when the visitor asks for it', async () => {
    const path = tempFile('{"a":1}\n'.repeat(500_000));
    const { records, bytes } = await readLog(path, AS_STORED, {
      record: () => {},
      corrupt: () => {},
      between: () => false,
    });
    expect(records).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(4_000_000);
  });

  test('fails like the file system if it is missing or a directory', async () => {
    const visitor = { record: () => {}, corrupt: () => {} };
    await expect(readLog('/nonexistent/log', AS_STORED, visitor)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(readLog('/', AS_STORED, visitor)).rejects.toMatchObject({ code: 'EISDIR' });
  });
});
