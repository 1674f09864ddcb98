import { expect, test } from 'vitest';
import { AS_STORED } from '../../src/log/log-form.ts';
import { LastLines, recordsOf } from '../../src/read/select/taken-lines.ts';

test('copied lines are read as records, with or without white space around them', () => {
  const text = '{"id":"a","n":1.0}\n\u00a0{"id":"b","x":{"b":"}"}}\u2003\r\n {"id":"c"} \n';
  const seen = Array.from(
    recordsOf({ bytes: Buffer.from(text), count: 3, line: (index) => 7 + index }, AS_STORED),
    ({ line, value }) => [line, value],
  );
  expect(seen).toEqual([
    [7, { id: 'a', n: 1 }],
    [8, { id: 'b', x: { b: '}' } }],
    [9, { id: 'c' }],
  ]);
});

test.each([0, 1, 3, 10])('the last %i of many lines are kept', (most) => {
  const last = new LastLines(most);
  const lines = Array.from({ length: 8 }, (_, index) => ({
    bytes: Buffer.from(`${index}\n`),
    line: index + 1,
  }));
  for (const [index, line] of lines.entries()) {
    last.add(line);
    const seen = lines.slice(0, index + 1);
    expect(last.take()).toEqual(most === 0 ? [] : seen.slice(-most));
  }
});
