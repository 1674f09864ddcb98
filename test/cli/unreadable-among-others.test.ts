import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
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
  ['list', ['list']],
  ['list of a folder', ['list', '.']],
  ['stats', ['stats']],
  ['search', ['search', 'e', '.']],
  ['events --all', ['events', '--all', '-q']],
  ['export --format chrome', ['export', '--format', 'chrome']],
  ['export --format otlp', ['export', '--format', 'otlp']],
] as const)('%s names logs that cannot be read, and reads the others', async (_, args) => {
  const { code, stdout, stderr } = await run(...args);
  expect(code).toBe(1);
  for (const name of ['ep_cut/events.jsonl.gz', 'ep_zstd/events.jsonl.zst']) expect(stderr).toContain(name);
  // A link out of the folder is not followed.
  if (args[0] !== 'events') expect(stderr).toMatch(/\.noesis\/episodes\/ep_failing\/events\.jsonl\b.*a link/);
  if (args[0] !== 'stats') expect(stdout).toContain(id.slice(0, 13));
  if (args[0] === 'list') expect(stdout).toContain('ep_whole/events.jsonl.gz');
});

test('stats counts the runs of the others', async () => {
  const { stdout } = await run('stats', '-j');
  expect(JSON.parse(stdout)).toMatchObject({ episodes: 3, runs: { count: 3 } });
});

test.each(['list', 'stats', 'events', 'search'])('%s with only such a log exits with 3', async (command) => {
  const { code, stdout, stderr } = await run(command, ...(command === 'search' ? ['e'] : []), at('ep_cut'));
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toContain('ep_cut/events.jsonl.gz: the compressed data cannot be read');
});

describe('an episode whose files cannot be read', () => {
  // The superuser may read any folder, so the test uses a loop of links instead.
  const { cwd, episodes } = rootWith({ ...GOOD, seed: 3 });
  const dir = join(cwd, '.noesis/episodes/ep_zz');
  mkdirSync(dir);
  symlinkSync('final.json', join(dir, 'final.json'));
  const [{ id }] = episodes;
  const MESSAGE = 'cannot read .noesis/episodes/ep_zz: ';

  test.each([[['list']], [['list', '-q']]])('is named by %j, also for a quiet user', async (args) => {
    const { code, stdout, stderr } = await runHere(args, { cwd });
    expect([code, stdout, stderr]).toEqual([
      1,
      expect.stringContaining(id.slice(0, 11)),
      expect.stringContaining(`error: ${MESSAGE}`),
    ]);
  });

  test.each([[['show', 'latest', '-q']], [['events', 'latest', '-j']], [['read']]])(
    'is not the newest one for %j, which says so',
    async (args) => {
      const { code, stdout, stderr } = await runHere(args, { cwd });
      expect([code, stdout]).toEqual([0, expect.stringContaining(id)]);
      expect(stderr).toContain(MESSAGE);
    },
  );

  test.each([[['verify', 'latest']], [['append', 'latest']], [['seal', 'latest']]])(
    'may be the newest one, so %j refuses',
    async (args) => {
      const { code, stdout, stderr } = await runHere(args, { cwd, input: '{}' });
      expect([code, stdout, stderr]).toEqual([3, '', expect.stringContaining('ep_zz')]);
    },
  );

  test('is an error if there is no other', async () => {
    const root = join(tempDir(), '.noesis/episodes/ep_alone');
    mkdirSync(root, { recursive: true });
    symlinkSync('final.json', join(root, 'final.json'));
    const { code, stderr } = await runHere(['show'], { cwd: join(root, '../../..') });
    expect([code, stderr]).toEqual([3, expect.stringContaining('ep_alone')]);
  });
});
