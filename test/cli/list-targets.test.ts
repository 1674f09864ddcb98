import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { runHere, type World } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const SAMPLES = fileURLToPath(new URL('../samples/', import.meta.url));

const SAMPLE_OF: Readonly<Record<string, string>> = {
  'claude-code': 'claude-code/projects/-home-usr-w-128-kill2/122dc2f1-4ba8-48b1-9969-ca57dfee01ee.jsonl',
  codex: 'codex/damaged/ordinals.jsonl',
  copilot: 'copilot/damaged/lost-and-twice.jsonl',
  coordinator: 'coordinator/nested-two-sessions.jsonl',
  exarchos: 'exarchos/side-demo.after-merge.events.jsonl',
};

const TWO_RUNS = ['r1', 'r2']
  .map((run) => `{"id":"${run}","run_id":"${run}","turn":0,"kind":"run.started","payload":{}}\n`)
  .join('');

/** Logs of all dialects below a folder. */
function logsOfAll(folder: string): void {
  for (const [dialect, path] of Object.entries(SAMPLE_OF))
    cpSync(join(SAMPLES, path), join(folder, dialect, basename(path)));
  writeTree({ 'fishbowl/ledger.jsonl': TWO_RUNS, 'packed/other.jsonl.gz': gzipSync(TWO_RUNS) }, folder);
  episodeIn(join(folder, 'noesis'), GOOD);
}

/** Commands that take a target, with options that keep their output short. */
const COMMANDS = [
  ['verify'],
  ['show'],
  ['events', '--limit', '1'],
  ['timeline', '--skip-corrupt'],
  ['tail', '-n', '1'],
  ['stats'],
  ['project'],
  ['state'],
  ['checkpoint'],
  ['list'],
];

async function listed(args: readonly string[], world: World): Promise<string[]> {
  const { code, stdout } = await runHere(['list', '-q', ...args], world);
  expect(code).toBe(0);
  return stdout.trimEnd().split('\n');
}

async function pathsIn(args: readonly string[], world: World): Promise<string[]> {
  const { stdout } = await runHere(['list', '-j', ...args], world);
  return (JSON.parse(stdout) as { path: string }[]).map(({ path }) => path);
}

/** Each command gives for what `list -q` prints what it gives for the path that `list -j` has. */
async function expectSame(lists: readonly string[], world: World, options: readonly string[] = []) {
  const names = await listed([...lists, ...options], world);
  const paths = await pathsIn([...lists, ...options], world);
  expect(names).toHaveLength(paths.length);
  for (const [index, name] of names.entries())
    for (const [command = '', ...args] of COMMANDS) {
      const rest = [...args, ...options, '-j'];
      const byName = await runHere([command, name, ...rest], world);
      const byPath = await runHere([command, paths[index] ?? '', ...rest], world);
      const where = `${command} ${name}`;
      expect([where, byName.code, byName.stdout]).toEqual([where, byPath.code, byPath.stdout]);
      expect(byName.stderr, where).not.toMatch(/"(?:target-missing|root-missing|target-ambiguous)"/);
    }
  return names;
}

test('what list prints of a folder names the same episode in every command, for every dialect', async () => {
  const cwd = tempDir();
  logsOfAll(join(cwd, 'runs'));
  const names = await expectSame(['runs'], { cwd });
  expect(names).toHaveLength(10);
  const input = Buffer.from(`${names.join('\n')}\n`);
  const { stdout } = await runHere(['verify', '--targets', '-', '-j'], { cwd, input });
  expect((JSON.parse(stdout) as { summary: { episodes: number } }).summary.episodes).toBe(names.length);
}, 60_000);

test('what list prints of a root does so too, in the same folder and with --root', async () => {
  const cwd = tempDir();
  logsOfAll(join(cwd, '.noesis', 'episodes'));
  await expectSame([], { cwd });
  await expectSame([], { cwd: tempDir() }, ['--root', cwd]);
}, 60_000);

test('an id is printed where it means that episode, else a path', async () => {
  const cwd = tempDir();
  const { id, dir } = episodeIn(join(cwd, '.noesis/episodes'), GOOD);
  expect(await listed([], { cwd })).toEqual([id]);
  expect(await listed(['latest'], { cwd })).toEqual([id]);
  cpSync(dir, join(cwd, 'copies', id), { recursive: true });
  expect(await listed(['copies'], { cwd })).toEqual([join('copies', id)]);
  // A path wins over an id.
  cpSync(dir, join(cwd, id), { recursive: true });
  expect(await listed([], { cwd })).toEqual([join('.noesis/episodes', id)]);
  cpSync(dir, join(cwd, 'apart', 'latest'), { recursive: true });
  expect(await listed(['.'], { cwd: join(cwd, 'apart') })).toEqual(['./latest']);
});

test('a stream is named by its id and by the beginning of it, in the folder and with --root', async () => {
  const log = readFileSync(join(SAMPLES, SAMPLE_OF['exarchos'] ?? ''));
  const cwd = writeTree({ 'demo-cancel.events.jsonl': log, 'demo-merge.events.jsonl': log });
  const path = await runHere(['show', join(cwd, 'demo-cancel.events.jsonl'), '-j'], { cwd });
  for (const [where, root] of [
    [cwd, []],
    [tempDir(), ['--root', cwd]],
  ] as const)
    for (const name of ['demo-cancel', 'demo-c', join(cwd, 'demo-cancel.events.jsonl')]) {
      const found = await runHere(['show', name, '-j', ...root], { cwd: where });
      expect([name, found.code, found.stdout]).toEqual([name, path.code, path.stdout]);
    }
  const several = await runHere(['show', 'demo'], { cwd });
  expect([several.code, several.stderr]).toEqual([2, expect.stringContaining('demo-cancel, demo-merge')]);
});
