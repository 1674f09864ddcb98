import { appendFileSync, truncateSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packTable, unpackTable } from '../../src/log/accelerator/packed-table.ts';
import { linesBackwards } from '../../src/log/backwards.ts';
import { linesForwards } from '../../src/log/forwards.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { iterNumberedEvents } from '../../src/log/read.ts';
import { runHere } from '../support/in-process.ts';
import { times } from '../support/length.ts';
import { tempFile } from '../support/temp.ts';

describe('the lines of a file', () => {
  const piece = fc.oneof(
    fc.constant('\n'),
    fc.string({ maxLength: 5 }),
    fc.nat(200_000).map((size) => 'x'.repeat(size)),
  );

  test('are the same from either end, however long they are', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const path = tempFile(text);
        const lines = text.split('\n');
        // Their texts, without the white space around them.
        expect([...linesBackwards(path)].reverse()).toEqual(lines.map((line) => line.trim()));
        const whole = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
        expect(Array.from(linesForwards(path), String)).toEqual(whole);
      }),
      { numRuns: times(60, 12) },
    );
    for (const text of ['\n', '\na', `${'a'.repeat(300_000)}\nb`, '']) {
      const path = tempFile(text);
      expect([...linesBackwards(path)].reverse()).toEqual(text.split('\n'));
      expect(Array.from(linesForwards(path), String)).toEqual(
        text === '' ? [] : text.replace(/\n$/, '').split('\n'),
      );
    }
  });
});

test('a log that is truncated while its events are read is a failure, not the end of the log', async () => {
  const line = `{"id":"a","text":"${'x'.repeat(1000)}"}\n`;
  const path = tempFile(line.repeat(5000));
  const read = async () => {
    for await (const event of iterNumberedEvents(path, AS_STORED))
      if (event.line === 1) truncateSync(path, 0);
  };
  await expect(read()).rejects.toMatchObject({
    code: 'log-changed',
    message: expect.stringContaining('it was truncated from 5'),
  });
});

test('invalid white space around a record is not printed', async () => {
  const path = tempFile('\f{"id":"a","phase":"act"}\u00a0\n{"id":"b","phase":"act"}\n');
  const { stdout } = await runHere(['events', path, '-j', '--partial']);
  expect(stdout.split('\n')).toContain('{"id":"a","phase":"act"}');
});

test('a table is restored from its text if it was made for the same address', () => {
  const table = { bytes: Buffer.from('a table of bytes'), sets: [64, 128] };
  const text = packTable(table, 4096);
  expect(unpackTable(text, 4096)).toEqual(table);
  expect(unpackTable(text, 8192)).toBeUndefined();
});

test('appended data is read', () => {
  const path = tempFile('a\n');
  const lines = linesForwards(path);
  expect(String(lines.next().value)).toBe('a');
  appendFileSync(path, 'b');
  expect(String(lines.next().value)).toBe('b');
});
