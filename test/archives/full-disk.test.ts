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

test('reports an archive that does not fit on the disk, and leaves no files behind', async () => {
  const [cwd, tmpDir] = [tempDir(), tempDir()];
  fs.writeFileSync(
    join(cwd, 'runs.tar'),
    await makeTar([{ name: 'a/events.jsonl', content: Buffer.from('{}\n') }]),
  );
  isFull.now = true;
  const { stdout } = await runHere(['verify', 'runs.tar', '-j'], { cwd, tmpDir });
  isFull.now = false;
  const { episodes } = JSON.parse(stdout) as {
    episodes: { findings: { code: string; message: string }[] }[];
  };
  const found = episodes.flatMap(({ findings }) => findings.map(({ code, message }) => [code, message]));
  expect(found).toEqual([['archive/corrupt', expect.stringContaining('cannot be unpacked (no space left)')]]);
  expect(fs.readdirSync(tmpDir)).toEqual([]);
});
