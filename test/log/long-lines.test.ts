import { describe, expect, test } from 'vitest';
import { MAX_LINE_BYTES } from '../../src/log/limits.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { LogParser } from '../../src/log/parser.ts';

const MIB = 1024 * 1024;

/** Feeds a first line of a given length without holding it, and then the rest. */
function parseAfterLine(length: number, rest: string) {
  const said: unknown[] = [];
  const parser = new LogParser(AS_STORED, {
    record: ({ line, byteStart, byteEnd }) => said.push([line, byteStart, byteEnd]),
    corrupt: ({ code, line, column, byteStart, byteEnd, excerpt }) =>
      said.push([code, line, column, byteStart, byteEnd, excerpt.slice(0, 8)]),
  });
  const feed = (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; ) {
      const count = bytes.copy(parser.room(), 0, at);
      parser.filled(count);
      at += count;
    }
  };
  feed(Buffer.from('{"s":"'));
  const piece = Buffer.alloc(MIB, 'x');
  for (let left = length - '{"s":""}'.length; left > 0; left -= MIB) feed(piece.subarray(0, left));
  const room = parser.room().length;
  feed(Buffer.from(`"}${rest}`));
  parser.end();
  return { said, room, lines: parser.lines, bytes: parser.bytes, pending: parser.pending };
}

describe('a very long line', () => {
  test('of 3 MiB is a record like any other', () => {
    const { said } = parseAfterLine(3 * MIB, '\n{"n":1}\n');
    expect(said).toEqual([
      [1, 0, 3 * MIB],
      [2, 3 * MIB + 1, 3 * MIB + 8],
    ]);
  });

  test('is accepted up to the limit', () => {
    expect(parseAfterLine(MAX_LINE_BYTES, '\n').said).toEqual([[1, 0, MAX_LINE_BYTES]]);
  });

  test('is refused beyond the limit, and reading continues after it', () => {
    for (const length of [MAX_LINE_BYTES + 1, 67 * MIB]) {
      const { said, lines, bytes } = parseAfterLine(length, '\n{"n":1}\n');
      expect(said).toEqual([
        ['log/line-too-long', 1, 1, 0, length, '{"s":"xx'],
        [2, length + 1, length + 8],
      ]);
      expect([lines, bytes]).toEqual([2, length + 9]);
    }
  });

  test('is dropped when it is too long, and its memory is freed', () => {
    const { said, room } = parseAfterLine(200 * MIB, '\n{"n":1}\n');
    expect(said).toHaveLength(2);
    expect(room).toBeLessThanOrEqual(MIB);
  });

  test('is refused at the end of a log as well', () => {
    const { said, pending } = parseAfterLine(67 * MIB, '');
    expect(said).toEqual([['log/line-too-long', 1, 1, 0, 67 * MIB, '{"s":"xx']]);
    expect(pending).toBe(0);
  });
});
