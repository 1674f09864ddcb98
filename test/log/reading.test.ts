import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Corruption } from '../../src/log/corruption.ts';
import { followLog } from '../../src/log/follow.ts';
import { openIfThere } from '../../src/log/followed-file.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { readLog, requireUnchanged } from '../../src/log/read.ts';
import { tempDir } from '../support/temp.ts';

function logOf(content: string | Buffer): string {
  const path = join(tempDir(), 'events.jsonl');
  writeFileSync(path, content);
  return path;
}

describe('reading a log', () => {
  test('yields to other work while a long one is read', async () => {
    const line = `${JSON.stringify({ text: 'x'.repeat(100_000) })}\n`;
    const path = logOf(line.repeat(200));
    let turns = 0;
    const tick = () => {
      turns += 1;
      next = setImmediate(tick);
    };
    let next = setImmediate(tick);
    const extent = await readLog(path, AS_STORED, { record() {}, corrupt() {} });
    clearImmediate(next);
    expect(extent).toMatchObject({ records: 200, corruptions: 0 });
    expect(turns).toBeGreaterThan(0);
  });

  test('finds the first of many bytes that continue nothing', async () => {
    const found: Corruption[] = [];
    const path = logOf(Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(40, 0x80), Buffer.from('"}\n')]));
    await readLog(path, AS_STORED, { record() {}, corrupt: (corruption) => found.push(corruption) });
    expect(found).toMatchObject([{ code: 'log/invalid-utf8', line: 1, column: 7, byteStart: 6 }]);
  });
});

describe('a log that changes while it is read', () => {
  /** Reads a log of two records and does something to it before the reading ends. */
  const readWhile = async (act: (path: string) => void) => {
    const path = logOf('{"a":1}\n{"b":2}\n');
    let acted = false;
    const extent = await readLog(path, AS_STORED, {
      record() {},
      corrupt() {},
      between() {
        if (!acted) act(path);
        acted = true;
        return undefined;
      },
    });
    return { path, extent };
  };

  test.each([
    ['it was removed', (path: string) => rmSync(path)],
    ['it was truncated from 16 to 8 bytes', (path: string) => truncateSync(path, 8)],
    [
      'another file replaced it',
      (path: string) => {
        writeFileSync(`${path}.new`, '{"c":3}\n');
        renameSync(`${path}.new`, path);
      },
    ],
  ])('is damaged: %s', async (how, act) => {
    const { path, extent } = await readWhile(act);
    expect(extent).toMatchObject({ changed: how, whole: false, records: 2 });
    expect(() => requireUnchanged(path, extent)).toThrow(`${path} changed while it was read: ${how}`);
  });

  test('is intact if it only grew', async () => {
    const { path, extent } = await readWhile((log) => appendFileSync(log, '{"c":3}\n'));
    expect(extent).toMatchObject({ grew: true, whole: true, records: 2 });
    expect(() => requireUnchanged(path, extent)).not.toThrow();
  });
});

test('following a path that leads through a file is an error, not a wait', async () => {
  const path = join(logOf('{}\n'), 'events.jsonl');
  const follower = { record() {}, corrupt() {}, incident() {}, batch() {}, caughtUp: () => true };
  await expect(
    followLog(path, AS_STORED, follower, { signal: new AbortController().signal }),
  ).rejects.toThrow('ENOTDIR');
});

test('a path that is no longer a file when opened is not followed', async () => {
  await expect(openIfThere(tempDir())).rejects.toThrow(/ is not a file, and cannot be followed$/);
});
