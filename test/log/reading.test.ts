import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Corruption } from '../../src/log/corruption.ts';
import { followLog } from '../../src/log/follow.ts';
import { readLog } from '../../src/log/read.ts';
import { tempDir } from '../support/temp.ts';

function logOf(content: string | Buffer): string {
  const path = join(tempDir(), 'events.jsonl');
  writeFileSync(path, content);
  return path;
}

describe('reading a log', () => {
  test('gives other work its turn while a long one is read', async () => {
    const line = `${JSON.stringify({ text: 'x'.repeat(100_000) })}\n`;
    const path = logOf(line.repeat(200));
    let turns = 0;
    const tick = () => {
      turns += 1;
      next = setImmediate(tick);
    };
    let next = setImmediate(tick);
    const extent = await readLog(path, { record() {}, corrupt() {} });
    clearImmediate(next);
    expect(extent).toMatchObject({ records: 200, corruptions: 0 });
    expect(turns).toBeGreaterThan(0);
  });

  test('finds the first of many bytes that continue nothing', async () => {
    const found: Corruption[] = [];
    const path = logOf(Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(40, 0x80), Buffer.from('"}\n')]));
    await readLog(path, { record() {}, corrupt: (corruption) => found.push(corruption) });
    expect(found).toMatchObject([{ code: 'log/invalid-utf8', line: 1, column: 7, byteStart: 6 }]);
  });
});

test('following a path that leads through a file is an error, not a wait', async () => {
  const path = join(logOf('{}\n'), 'events.jsonl');
  const follower = { record() {}, corrupt() {}, incident() {}, batch() {}, caughtUp: () => true };
  await expect(followLog(path, follower, { signal: new AbortController().signal })).rejects.toThrow(
    'ENOTDIR',
  );
});
