import { describe, expect, test } from 'vitest';
import { eachLine } from '../../src/log/stored-lines.ts';

describe('stored lines', () => {
  test('are gone through from newline to newline', () => {
    const bytes = Buffer.from('skipped\n{"a":1}\n\n {"b":"é"}\r\nleft out');
    const lines = [...eachLine(bytes, 8, bytes.length - 8)];
    expect(lines.map(({ start, end }) => bytes.toString('utf8', start, end))).toEqual([
      '{"a":1}',
      '',
      ' {"b":"é"}\r',
    ]);
    expect([...eachLine(bytes, 8, 8)]).toEqual([]);
  });
});
