import { expect, test } from 'vitest';
import { linesInARow, recordsOf } from '../../src/select/taken-lines.ts';

test('copied lines are read as records, with or without white space around them', () => {
  const text = '{"id":"a","n":1.0}\n\u00a0{"id":"b","x":{"b":"}"}}\u2003\r\n {"id":"c"} \n';
  const seen = Array.from(recordsOf(linesInARow(Buffer.from(text), 7, 3)), ({ line, value }) => [
    line,
    value,
  ]);
  expect(seen).toEqual([
    [7, { id: 'a', n: 1 }],
    [8, { id: 'b', x: { b: '}' } }],
    [9, { id: 'c' }],
  ]);
});
