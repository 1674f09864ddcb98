import { afterEach, expect, test, vi } from 'vitest';
import type { Corruption } from '../../src/log/corruption.ts';
import { feed } from '../../src/log/feed.ts';
import { LogForm } from '../../src/log/log-form.ts';
import { LogParser } from '../../src/log/parser.ts';
import { RowSource } from '../../src/log/row.ts';
import { membersLayout } from '../../src/log/row-layout.ts';

const LINES = 20_000;

const KINDS = [
  ['log/not-object', '1'],
  ['log/invalid-json', '}x'],
  ['log/nul-bytes', '\0'],
  ['log/invalid-utf8', '\xff'],
  ['log/glued-records', '{"a":1}{"a":2}'],
  ['log/non-finite', '{"a":NaN}'],
] as const;

function parse(line: string, wants?: (line: number) => boolean) {
  const described: Corruption[] = [];
  const visitor = {
    corrupt: (found: Corruption) => described.push(found),
    ...(wants && { wants: (_code: string, number: number) => wants(number) }),
  };
  const rows = RowSource.open(LogForm.stored(membersLayout()));
  const parser = new LogParser(rows, visitor);
  feed(parser, Buffer.from(`${line}\n`.repeat(LINES), 'latin1'));
  parser.end();
  rows.close();
  return { described, count: parser.corruptions };
}

afterEach(() => {
  vi.restoreAllMocks();
});

test.each(KINDS)('describes only the requested corrupt lines: %s', (code, line) => {
  const { described, count } = parse(line, (number) => number <= 3);
  expect(described.map((found) => [found.code, found.line])).toEqual([1, 2, 3].map((at) => [code, at]));
  expect(count).toBe(LINES);
});

test.each(KINDS)('searches no line but the corrupt one: %s', (_code, line) => {
  let searched = 0;
  for (const name of ['indexOf', 'lastIndexOf'] as const) {
    const search = Buffer.prototype[name];
    vi.spyOn(Buffer.prototype, name).mockImplementation(function (this: Buffer, ...args) {
      const found = search.apply(this, args);
      const from = typeof args[1] === 'number' ? args[1] : 0;
      searched += name === 'indexOf' ? (found === -1 ? this.length : found) - from : 0;
      searched += name === 'lastIndexOf' ? (args[1] === undefined ? this.length : from) - found : 0;
      return found;
    });
  }
  parse(line, () => false);
  expect(searched).toBeLessThan(LINES * 200);
});
