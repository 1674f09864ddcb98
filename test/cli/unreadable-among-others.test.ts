import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { GOOD, rootWith } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const { cwd, episodes } = rootWith({ ...GOOD, seed: 1 }, { ...GOOD, seed: 2 });
const at = (name: string) => join(cwd, '.noesis/episodes', name);
const [{ id, log }] = episodes;
const packed = gzipSync(readFileSync(log));

for (const name of ['ep_cut', 'ep_whole', 'ep_zstd', 'ep_failing']) mkdirSync(at(name));
writeFileSync(join(at('ep_cut'), 'events.jsonl.gz'), packed.subarray(0, 300));
writeFileSync(join(at('ep_whole'), 'events.jsonl.gz'), packed);
writeFileSync(join(at('ep_zstd'), 'events.jsonl.zst'), 'no zstd');
symlinkSync('/proc/self/mem', join(at('ep_failing'), 'events.jsonl'));

const run = (...args: string[]) => runHere(args, { cwd });

test.each([
  ['list', ['list'], 2],
  ['list of a folder', ['list', '.'], 2],
  ['stats', ['stats'], 3],
  ['search', ['search', 'e', '.'], 3],
  ['events --all', ['events', '--all', '-q'], 3],
  ['export --format chrome', ['export', '--format', 'chrome'], 3],
  ['export --format otlp', ['export', '--format', 'otlp'], 3],
] as const)('%s names logs that cannot be read, and reads the others', async (_, args, count) => {
  const { code, stdout, stderr } = await run(...args);
  expect(code).toBe(1);
  expect(stderr.match(/^error: .*$/gm)).toHaveLength(count);
  for (const name of ['ep_cut/events.jsonl.gz', 'ep_zstd/events.jsonl.zst']) expect(stderr).toContain(name);
  if (count === 3)
    expect(stderr).toContain('cannot read .noesis/episodes/ep_failing/events.jsonl: input/output error');
  if (args[0] !== 'stats') expect(stdout).toContain(id.slice(0, 13));
  if (args[0] === 'list') expect(stdout).toContain('ep_whole/events.jsonl.gz');
});

test('stats counts the runs of the others', async () => {
  const { stdout } = await run('stats', '-j');
  expect(JSON.parse(stdout)).toMatchObject({ episodes: 3, runs: { count: 3 } });
});

test.each(['list', 'stats', 'events', 'search'])('%s of such a log alone is exit code 3', async (command) => {
  const { code, stdout, stderr } = await run(command, ...(command === 'search' ? ['e'] : []), at('ep_cut'));
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toContain('ep_cut/events.jsonl.gz: the compressed data cannot be read');
});

test('list says that it cannot read the folder of an episode', async () => {
  // The superuser may read any folder, so a loop of links stands for one.
  const dir = join(tempDir(), '.noesis/episodes/ep_loop');
  mkdirSync(dir, { recursive: true });
  symlinkSync('final.json', join(dir, 'final.json'));
  const { code, stderr } = await runHere(['list'], { cwd: join(dir, '../../..') });
  expect([code, stderr]).toEqual([0, expect.stringContaining('not read: .noesis/episodes/ep_loop (')]);
});
