import { cpSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
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
  ['read'],
  ['export', '--format', 'otlp'],
  ['sql', 'select count(*) as n from events'],
  ['diff', 'SAME'],
  ['view', '-o', '-'],
  ['salvage', '--dry-run'],
  ['append', '--event', '{}', '--expect-sequence', '999'],
  ['redact', '-o', 'COPY'],
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

/** Output without the names of folders that were made. */
const withoutFolder = (text: string): string =>
  text.replaceAll(/"output": "[^"]*"/g, '').replaceAll(/noesis-\w{6}\//g, '');

/** Each command gives for what `list -q` prints what it gives for the path that `list -j` has. */
async function expectSame(lists: readonly string[], world: World, options: readonly string[] = []) {
  const names = await listed([...lists, ...options], world);
  const paths = await pathsIn([...lists, ...options], world);
  expect(names).toHaveLength(paths.length);
  for (const [index, name] of names.entries())
    for (const [command = '', ...args] of COMMANDS) {
      const rest = [...args, ...options, '-j'];
      const given = (target: string) => {
        const words = rest.map((word) =>
          word === 'SAME' ? target : word === 'COPY' ? join(tempDir(), 'copy') : word,
        );
        return command === 'sql'
          ? [command, words[0] ?? '', target, ...words.slice(1)]
          : [command, target, ...words];
      };
      const byName = await runHere(given(name), world);
      const byPath = await runHere(given(paths[index] ?? ''), world);
      const where = `${command} ${name}`;
      const [named, found] = [byName, byPath].map(({ code, stdout }) => [where, code, withoutFolder(stdout)]);
      expect(named).toEqual(found);
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

/** Commands that read one run, as they take it: by `--stream`, or by a path in place of TARGET. */
const WITH_STREAM = [
  ['show', 'TARGET'],
  ['show', 'TARGET', '1'],
  ['read', 'TARGET'],
  ['timeline', 'TARGET'],
  ['project', 'TARGET'],
  ['state', 'TARGET'],
  ['view', 'TARGET', '-o', '-'],
  ['diff', 'TARGET', 'TARGET'],
  ['redact', 'TARGET', '-o', 'COPY'],
  ['salvage', 'TARGET', '--dry-run'],
  ['events', 'TARGET'],
  ['tail', 'TARGET'],
  ['export', 'TARGET', '--format', 'otlp'],
  ['sql', 'select count(*) as n from events', 'TARGET'],
  ['stats', 'TARGET'],
];

/** A folder of two streams, each with its state; b was written to last. */
function twoStreams(): string {
  const cwd = tempDir();
  const log = readFileSync(join(SAMPLES, 'exarchos/demo-feature.events.jsonl'), 'utf8');
  const state = readFileSync(join(SAMPLES, 'exarchos/demo-feature.state.json'), 'utf8');
  for (const [index, id] of ['aaaa', 'bbbb'].entries()) {
    const path = join(cwd, `${id}.events.jsonl`);
    writeFileSync(path, log.replaceAll('demo-feature', id));
    utimesSync(path, index + 1, index + 1);
    writeFileSync(join(cwd, `${id}.state.json`), state.replaceAll('demo-feature', id));
  }
  return cwd;
}

test.each(WITH_STREAM.map((args) => [args.join(' '), args] as const))(
  '--stream picks one of a folder: %s',
  async (_, args) => {
    const cwd = twoStreams();
    const run = (target: string | undefined, copy: string, ...rest: string[]) =>
      runHere(
        [
          ...args.flatMap((word) =>
            word === 'TARGET' ? (target ?? []) : word === 'COPY' ? join(tempDir(), copy) : word,
          ),
          ...rest,
          ...(args[0] === 'view' ? [] : ['-j']),
        ],
        { cwd },
      );
    const shown = ({ code, stdout }: { code: number; stdout: string }) => [code, withoutFolder(stdout)];
    const byPath = shown(await run('aaaa.events.jsonl', 'c'));
    expect(byPath).toEqual([0, expect.stringMatching(/./)]);
    expect(shown(await run('.', 'c', '--stream', 'aaaa'))).toEqual(byPath);
    expect(shown(await run('aaaa.events.jsonl', 'c', '--stream', 'aaaa'))).toEqual(byPath);
    // In the folder, the stream is enough.
    expect(shown(await run('latest', 'c', '--stream', 'aaaa'))).toEqual(byPath);
    expect((await run('.', 'c', '--stream', 'cccc')).code).not.toBe(0);
    if (!['events', 'tail', 'timeline'].includes(args[0] ?? ''))
      expect((await run('bbbb.events.jsonl', 'c', '--stream', 'aaaa')).code).not.toBe(0);
  },
);

test('--stream needs no target in the folder of the streams', async () => {
  const cwd = twoStreams();
  for (const command of ['show', 'read', 'timeline', 'project', 'state', 'stats'])
    expect([command, (await runHere([command, '--stream', 'aaaa', '-j'], { cwd })).code]).toEqual([
      command,
      0,
    ]);
  const onInput = await runHere(['show', '-', '--stream', 'aaaa'], { cwd, input: Buffer.from('{}\n') });
  expect([onInput.code, onInput.stderr]).toEqual([3, expect.stringContaining('standard input is not')]);
});

test('latest is the stream that was written to last, in a folder without a root and with --root', async () => {
  const cwd = twoStreams();
  const last = await runHere(['show', 'bbbb.events.jsonl', '-j'], { cwd });
  expect((await runHere(['show', 'latest', '-j'], { cwd })).stdout).toBe(last.stdout);
  expect((await runHere(['show', 'latest', '-j', '--root', cwd], { cwd: tempDir() })).stdout).toBe(
    last.stdout,
  );
});
