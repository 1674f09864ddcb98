import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../support/in-process.ts';
import { simulateEpisode, writeEpisode } from '../support/simulator/episode.ts';
import { tempDir } from '../support/temp.ts';

test('a pipe that an option names is refused instead of waited for', async () => {
  const cwd = tempDir();
  const dir = writeEpisode(cwd, simulateEpisode({ seed: 8 }));
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  const run = (...args: string[]) => runHere(args, { cwd });
  expect((await run('keygen', 'k')).code).toBe(0);
  expect((await run('checkpoint', dir, '--key', 'k.key', '-o', 'then')).code).toBe(0);
  rmSync(join(cwd, 'then.leaves'));
  execFileSync('mkfifo', [join(cwd, 'then.leaves')]);
  expect(readFileSync(join(cwd, 'then'), 'utf8')).not.toBe('');
  for (const args of [
    ['verify', dir, '--baseline', 'pipe'],
    ['verify', dir, '--attestation', 'pipe', '--trust', 'k.pub'],
    ['checkpoint', dir, '--verify', 'pipe', '--trust', 'k.pub'],
    ['checkpoint', dir, '--verify', 'then', '--trust', 'k.pub'],
    ['merge', 'pipe'],
  ]) {
    const { code, stderr } = await run(...args);
    expect([args.join(' '), code]).toEqual([args.join(' '), 3]);
    expect(stderr).toContain('not a regular file');
  }
  const { code, stderr } = await run('verify', dir, '--attestation', 'missing', '--trust', 'k.pub');
  expect([code, stderr.includes('cannot read')]).toEqual([3, true]);
});
