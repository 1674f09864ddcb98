import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { verifyEpisode } from '../../src/library/verify.ts';
import { episode } from './cost.ts';

test.each(['fifo', 'a link to a device'])(
  '%s in a sealed episode is a finding, and is not opened',
  async (kind) => {
    const it = episode();
    if (kind === 'fifo') execFileSync('mkfifo', [it.path('tool-output.json')]);
    else symlinkSync('/dev/zero', it.path('tool-output.json'));
    const reason = kind === 'fifo' ? 'neither a file nor a folder' : 'a symlink out of the folder of the run';
    const { verdict, findings } = await verifyEpisode(it.dir);
    expect(verdict).toBe('fail');
    expect(findings).toContainEqual({
      code: 'artifact/unreadable',
      severity: 'error',
      message: `cannot be read (${reason})`,
      file: 'tool-output.json',
    });
  },
);

test('a FIFO next to an open run belongs to its tools and is not reported', async () => {
  const it = episode();
  for (const name of ['manifest.json', 'final.json']) rmSync(it.path(name), { force: true });
  execFileSync('mkfifo', [it.path('tool.pipe')]);
  const { findings } = await verifyEpisode(it.dir);
  expect(findings.filter(({ file }) => file === 'tool.pipe')).toEqual([]);
});
