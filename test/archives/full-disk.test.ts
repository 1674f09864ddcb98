import * as fs from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeTar } from '../support/archives.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const { isFull } = vi.hoisted(() => ({ isFull: { now: false } }));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  const writeSync = (...args: Parameters<typeof real.writeSync>) => {
    if (isFull.now) throw Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' });
    return real.writeSync(...args);
  };
  return { ...real, writeSync };
});

test('an archive for which the disk has no room has no fault, and leaves no files behind', async () => {
  const [cwd, tmpDir] = [tempDir(), tempDir()];
  fs.writeFileSync(
    join(cwd, 'runs.tar'),
    await makeTar([{ name: 'a/events.jsonl', content: Buffer.from('{}\n') }]),
  );
  isFull.now = true;
  const { code, stdout, stderr } = await runHere(['verify', 'runs.tar'], { cwd, tmpDir });
  isFull.now = false;
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    `error: cannot write temporary files to ${tmpDir}: no space left\nhelp: make room there, or set TMPDIR to another folder\n`,
  ]);
  expect(fs.readdirSync(tmpDir)).toEqual([]);
});
