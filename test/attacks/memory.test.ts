import { spawnSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { VerifyReport } from '../../src/findings/report.ts';
import type { SalvageEntry } from '../../src/library/index.ts';
import { BIN } from '../support/cli.ts';
import { episodeIn, GOOD, VETOED } from '../support/episodes.ts';
import { outputIn } from '../support/json.ts';
import { testOnce, times } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';
import { cost, Damaged } from './cost.ts';

/** So little memory, in MiB, that a document of many values does not fit, and a common one does. */
const HEAP = 64;

testOnce('a thread that runs out of memory is a finding of its episode, and the others are verified', () => {
  const folder = tempDir();
  const greedy = new Damaged(episodeIn(folder, GOOD));
  const other = episodeIn(folder, VETOED);
  greedy.extend('state.json', `"x-a":[${'["a"],'.repeat(900_000)}[]],"x-b":"${'b'.repeat(9_000_000)}"`);
  // From this size on a thread is started, even with --jobs 1.
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

/** The memory of a command for a short log, in MiB, and the amount that a long log may add. */
const FEW = 70;
const MORE = 40;

/** The lines of a long log. */
const LINES = times(500_000, 150_000);

test('checkpoint needs no more memory for a long log, to write a checkpoint or to compare with it', () => {
  const dir = tempDir();
  const [log, key] = [join(dir, 'events.jsonl'), join(dir, 'ops.key')];
  writeFileSync(log, '\n'.repeat(LINES));
  expect(cost(['keygen', join(dir, 'ops')]).code).toBe(0);
  const options = ['--dialect', 'noesis'];
  const taken = cost(['checkpoint', log, '-o', join(dir, 'ckpt'), '--key', key, ...options]);
  expect([taken.code, taken.stderr]).toEqual([0, '']);
  expect(taken.memory).toBeLessThan(FEW + MORE);
  writeFileSync(log, `${'\n'.repeat(LINES - 1)}changed\n`);
  const trust = ['--trust', join(dir, 'ops.pub')];
  const compared = cost(['checkpoint', log, '--verify', join(dir, 'ckpt'), ...trust, ...options]);
  expect([compared.code, compared.stdout]).toEqual([1, expect.stringContaining(`line ${LINES} has changed`)]);
  expect(compared.memory).toBeLessThan(FEW + MORE);
});

test('salvage needs no more memory for many corrupt lines, and accounts for each of them', () => {
  const dir = tempDir();
  const log = join(dir, 'events.jsonl');
  writeFileSync(log, '1\n'.repeat(LINES));
  const run = cost(['salvage', log, '-j', '-o', join(dir, 'out')], [`--max-old-space-size=${HEAP}`]);
  expect([run.code, run.stderr]).toEqual([0, '']);
  expect(run.memory).toBeLessThan(FEW + MORE);
  expect(run.cpu).toBeLessThan(30);
  const entries = run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => outputIn(line) as SalvageEntry);
  const lost = entries.flatMap((entry) => (entry.kind === 'lost' ? [entry] : []));
  expect(lost.length).toBeLessThan(2000);
  expect(lost.reduce((sum, { lines = 1 }) => sum + lines, 0)).toBe(LINES);
  expect(entries.at(-1)).toMatchObject({ kind: 'summary', lost: LINES, lostBytes: LINES });
});

test.each([
  [
    'a session',
    'b25638d7-b104-4f06-a797-70ac33d069ed.jsonl',
    { type: 'user', uuid: 'a', sessionId: 's', message: {} },
  ],
  ['an episode', 'events.jsonl', { id: 'a', phase: 'start', payload: {}, episode_id: 'e', evidence_ids: [] }],
])('list does not hold a line that is longer than a record may be: %s', (_, name, record) => {
  const log = join(tempDir(), name);
  writeFileSync(
    log,
    `${JSON.stringify({ ...record, parentUuid: null, timestamp: '2026-03-02T09:00:00Z' })}\n`,
  );
  truncateSync(log, times(600, 300) * 1024 * 1024);
  const run = cost(['list', log]);
  expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('2026-03-02')]);
  expect(run.memory).toBeLessThan(FEW + MORE + 128);
  expect(run.cpu).toBeLessThan(10);
});
