import { spawnSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { VerifyReport } from '../../src/findings/report.ts';
import { BIN } from '../support/cli.ts';
import { episodeIn, GOOD, VETOED } from '../support/episodes.ts';
import { tempDir } from '../support/temp.ts';
import { Damaged } from './cost.ts';

/** So little memory, in MiB, that a document of many values does not fit, and a common one does. */
const HEAP = 64;

test('a thread that runs out of memory is a finding of its episode, and the others are verified', () => {
  const folder = tempDir();
  const greedy = new Damaged(episodeIn(folder, GOOD));
  const other = episodeIn(folder, VETOED);
  greedy.extend('state.json', `"x-a":[${'["a"],'.repeat(900_000)}[]],"x-b":"${'b'.repeat(9_000_000)}"`);
  // From so many bytes on a thread is started, even with --jobs 1.
  writeFileSync(join(greedy.dir, 'artifact.bin'), '');
  truncateSync(join(greedy.dir, 'artifact.bin'), 32 * 1024 * 1024);
  const args = [`--max-old-space-size=${HEAP}`, BIN, 'verify', folder, '-j', '--jobs', '1'];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e8 });
  const { episodes } = JSON.parse(stdout) as VerifyReport;
  const codes = new Map(episodes.map(({ path, findings }) => [path, findings.map(({ code }) => code)]));
  expect(status).toBe(1);
  expect(codes.get(greedy.dir)).toEqual(['verify/internal']);
  expect(codes.get(join(folder, other.id))).toEqual([]);
  expect(JSON.stringify(episodes)).toContain('memory limit');
});
