import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noesis, unprivileged } from '../support/cli.ts';
import { episodeIn, GOOD, PAUSED, rootWith, VETOED } from '../support/episodes.ts';
import { runHere, type World } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const { cwd, episodes } = rootWith(GOOD, PAUSED, VETOED);
const [good, paused, vetoed] = episodes;

/** The first line that events gives of a target. */
async function firstLine(target: string, args: string[] = [], options: World = { cwd }): Promise<string> {
  const { code, stdout, stderr } = await runHere(['events', target, '-j', '--limit', '1', ...args], options);
  expect([stderr, code]).toEqual(['', 0]);
  return stdout.trimEnd();
}

async function failure(args: string[], options: World = { cwd }) {
  const { code, stdout, stderr } = await runHere([...args, '-j'], options);
  expect(stdout).toBe('');
  const { error } = JSON.parse(stderr) as {
    error: { code: string; message: string; hint?: string; searched?: { folders: string[] }[] };
  };
  return { exit: code, ...error };
}

describe('a target is', () => {
  test.each<[string, () => string]>([
    ['the directory of an episode', () => relative(cwd, good.dir)],
    ['its absolute path', () => good.dir],
    ['its path with a slash behind', () => `${relative(cwd, good.dir)}/`],
    ['the log', () => relative(cwd, good.log)],
    ['the id', () => good.id],
    ['a prefix of the id that fits no other', () => good.id.slice(0, 9)],
    ['the same without ep_', () => good.id.slice(3, 9)],
  ])('%s', async (_, target) => {
    expect(await firstLine(target())).toBe(good.lines[0]);
  });

  test('latest, which is the one that started last', async () => {
    expect(await firstLine('latest')).toBe(vetoed.lines[0]);
  });

  test('a path, in preference to an id', async () => {
    const dir = tempDir();
    cpSync(join(cwd, '.noesis'), join(dir, '.noesis'), { recursive: true });
    cpSync(paused.dir, join(dir, good.id), { recursive: true });
    expect(await firstLine(good.id, [], { cwd: dir })).toBe(paused.lines[0]);
  });

  test('an episode below a label, or behind a link', async () => {
    const dir = tempDir();
    const labelled = episodeIn(join(dir, '.noesis/episodes/team'), { seed: 5 });
    expect(await firstLine(labelled.id, [], { cwd: dir })).toBe(labelled.lines[0]);
    symlinkSync(labelled.dir, join(dir, 'link'));
    expect(await firstLine('link', [], { cwd: dir })).toBe(labelled.lines[0]);
  });

  test('a link has the id of the folder behind it, unless its own name is another id', async () => {
    const dir = tempDir();
    const { dir: folder } = episodeIn(join(dir, '.noesis/episodes'), GOOD);
    for (const name of ['manifest.json', 'final.json', 'summary.json']) rmSync(join(folder, name));
    symlinkSync(folder, join(dir, 'current'));
    symlinkSync(folder, join(dir, 'ep_other'));
    for (const [command, target, code] of [
      ['seal', 'current', 0],
      ['verify', 'current', 0],
      ['verify', 'ep_other', 1],
    ] as const)
      expect([command, target, (await runHere([command, target], { cwd: dir })).code]).toEqual([
        command,
        target,
        code,
      ]);
  });

  test.each(['events.jsonl', 'today.jsonl'])('a link to a log, which means its episode: %s', async (name) => {
    const dir = tempDir();
    const episode = episodeIn(dir, GOOD);
    const link = join(writeTree({ 'notes.txt': '' }), name);
    symlinkSync(episode.log, link);
    symlinkSync(episode.log, join(dir, name));
    const state = join(episode.dir, 'state.json');
    writeFileSync(state, readFileSync(state, 'utf8').replace(/"task":\s*"/, '$&not '));
    for (const target of [link, join(dir, name)]) {
      const { code, stdout } = await runHere(['verify', target], {});
      expect([target, code, stdout.includes(episode.id)]).toEqual([target, 1, true]);
      expect((await runHere(['state', target], {})).stdout).toContain(episode.id);
    }
  });

  test('a link to a log with other files next to it, which are then read for every dialect', async () => {
    const dir = tempDir();
    cpSync('test/samples/exarchos', join(dir, 'real'), { recursive: true });
    const state = join(dir, 'real/demo-feature.state.json');
    writeFileSync(state, readFileSync(state, 'utf8').replace('"completed"', '"ideate"'));
    cpSync('test/samples/claude-code/projects/-home-usr-w-330-sub', join(dir, 'real'), { recursive: true });
    const { stdout } = await runHere(['verify', 'real/demo-feature.events.jsonl'], { cwd: dir });
    expect(stdout).toContain('phase is "ideate"');
    for (const [name, ...commands] of [
      ['demo-feature.events.jsonl', 'verify', 'show', 'list'],
      ['adbbd5d8-3c62-4646-ba0f-a2ac4ab64cc1.jsonl', 'verify', 'show', 'list', 'stats', 'calls'],
    ] as const) {
      symlinkSync(join('real', name), join(dir, name));
      for (const command of commands) {
        const outputs: unknown[] = [];
        for (const target of [join('real', name), name]) {
          const run = await runHere([command, target], { cwd: dir });
          outputs.push([command, run.code, run.stdout.replace(/\b\d+(?:\.\d+)? m?s\b/g, 'TIME')]);
        }
        expect(outputs[1]).toEqual(outputs[0]);
      }
    }
  });

  test('a deleted file that is still open, which only its descriptor names', async () => {
    const dir = writeTree({ 'log.jsonl': `${good.lines[0]}\n` });
    const file = openSync(join(dir, 'log.jsonl'), 'r');
    rmSync(join(dir, 'log.jsonl'));
    expect(await firstLine(`/proc/self/fd/${file}`)).toBe(good.lines[0]);
    closeSync(file);
  });

  test('a log of any name', async () => {
    const dir = writeTree({ 'renamed.txt': `${good.lines[0]}\n` });
    expect(await firstLine(join(dir, 'renamed.txt'))).toBe(good.lines[0]);
  });

  test('a named pipe only through -', async () => {
    const pipe = join(tempDir(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const command of ['events', 'verify', 'state', 'tail']) {
      const { exit, message, hint } = await failure([command, pipe]);
      expect([exit, message]).toEqual([3, `${pipe} is neither a file nor a folder`]);
      expect(hint).toContain('-');
    }
  });
});

describe('no such target', () => {
  test('names the root that was searched and the nearest ids, exit 3', async () => {
    const typo = `${good.id.slice(0, -1)}x`;
    const { exit, code, message, hint } = await failure(['events', typo]);
    expect([exit, code]).toEqual([3, 'target-missing']);
    expect(message).toContain(join(cwd, '.noesis'));
    expect(hint).toContain(good.id);
  });

  test.each(['verify', 'state', 'project', 'tail', 'list', 'insight'])(
    'is exit 3 for %s',
    async (command) => {
      expect(await failure([command, 'nowhere'])).toMatchObject({ exit: 3, code: 'target-missing' });
    },
  );

  test('also does so for an id prefix', async () => {
    const dir = tempDir();
    const other = `ep_${good.id.slice(3, 9)}ZZZZ`;
    for (const name of [good.id, `${other}1`, `${other}2`, `${other}3`])
      cpSync(good.dir, join(dir, '.noesis/episodes', name), { recursive: true });
    const { hint } = await failure(['events', `${good.id.slice(0, 12)}~`], { cwd: dir });
    expect(hint).toContain(`did you mean ${good.id}, `);
  });

  test('names no id that is not similar', async () => {
    for (const text of ['nowhere', 'ep_99', 'README'])
      expect((await failure(['events', text])).hint).toBe('run noesis list to see the runs');
    const swapped = `${good.id.slice(3, 7)}${good.id[8]}${good.id[7]}${good.id.slice(9, 15)}`;
    expect((await failure(['events', `ep_${swapped}`])).hint).toContain(`did you mean ${good.id}`);
    expect((await failure(['events', swapped])).hint).toContain(`did you mean ${good.id}`);
  });

  test('says why a path cannot be looked up, instead of that it does not exist', async () => {
    const dir = tempDir();
    symlinkSync('loop', join(dir, 'loop'));
    for (const command of ['events', 'show', 'verify', 'list'])
      expect(await failure([command, 'loop/events.jsonl'], { cwd: dir })).toMatchObject({
        exit: 3,
        code: 'unreadable',
        message: 'cannot read loop/events.jsonl: too many links',
      });
  });

  test('says what a link to nothing leads to, not to use the link', async () => {
    const dir = writeTree({ 'logs/other.jsonl': '' });
    symlinkSync('logs/othr.jsonl', join(dir, 'a.jsonl'));
    symlinkSync('a.jsonl', join(dir, 'b'));
    symlinkSync('c.json', join(dir, 'c.jsonl'));
    for (const command of ['events', 'show', 'verify', 'list', 'stats']) {
      for (const name of ['a.jsonl', 'b'])
        expect(await failure([command, name], { cwd: dir })).toMatchObject({
          exit: 3,
          code: 'target-missing',
          message: `${name} is a link to logs/othr.jsonl, which does not exist`,
          hint: 'did you mean logs/other.jsonl?',
        });
      expect((await failure([command, 'c.jsonl'], { cwd: dir })).hint).not.toContain('c.jsonl');
    }
  });

  test('says if a prefix is too short', async () => {
    const { exit, hint } = await failure(['events', 'ep_0']);
    expect([exit, hint]).toEqual([3, 'give at least 4 characters after ep_']);
  });

  test('reads an id that a table cut', async () => {
    const { stdout } = await runHere(['list', '-q'], { cwd });
    const [id = ''] = stdout.split('\n');
    const { code, stdout: shown } = await runHere(['show', `${id.slice(0, -6)}…`, '2'], { cwd });
    expect([code, shown]).toEqual([0, expect.stringMatching(/^Line +2\n/)]);
    expect((await failure(['show', '…'])).exit).toBe(3);
  });

  test('exits with 2 if a prefix fits several, and names them', async () => {
    const dir = tempDir();
    cpSync(join(cwd, '.noesis'), join(dir, '.noesis'), { recursive: true });
    cpSync(good.dir, join(dir, '.noesis/episodes', `${good.id}b`), { recursive: true });
    const { exit, code, message } = await failure(['events', good.id.slice(0, 12)], { cwd: dir });
    expect([exit, code]).toEqual([2, 'target-ambiguous']);
    expect(message).toContain(`${good.id}, ${good.id}b`);
    // A whole id is one, though another begins with it.
    expect(await firstLine(good.id, [], { cwd: dir })).toBe(good.lines[0]);
  });

  test('refuses an empty word, and one that leads out of the folder', async () => {
    expect((await failure(['events', ''])).exit).toBe(3);
    expect((await failure(['events', '../../nowhere/at/all'])).exit).toBe(3);
  });

  test('exits with 3 without a root, with the folders that were searched', async () => {
    const dir = tempDir();
    for (const args of [['events', 'ep_01KJ'], ['events', 'latest'], ['list'], ['verify']]) {
      const { exit, code, searched } = await failure(args, { cwd: dir });
      expect([exit, code]).toEqual([3, 'root-missing']);
      expect(searched?.[0]?.folders[0]).toBe(join(dir, '.noesis'));
    }
    const world = { cwd: dir, home: tempDir() };
    const { searched } = await failure(['list', '--dialect', 'opencode'], world);
    const folders = searched?.flatMap((one) => one.folders.map((folder) => basename(folder)));
    expect(folders).toEqual(expect.arrayContaining(['opencode.db', 'storage']));
  });
});

test('a root that is a file', async () => {
  const { exit, message } = await failure(['list', '--root', good.log]);
  expect([exit, message]).toEqual([3, `${good.log} is not a folder`]);
});

describe('a directory without a log', () => {
  test('is exit 3', async () => {
    const dir = tempDir();
    for (const command of ['events', 'project', 'tail', 'verify', 'list']) {
      expect((await failure([command, dir])).exit).toBe(3);
    }
  });

  test('is a finding of verify if it has other files of an episode', async () => {
    const dir = tempDir();
    cpSync(good.dir, join(dir, good.id), { recursive: true });
    rmSync(join(dir, good.id, 'events.jsonl'));
    const { code, stdout } = await runHere(['verify', join(dir, good.id), '-j']);
    expect(code).toBe(1);
    expect(stdout).toContain('"log/missing"');
    expect(await failure(['events', join(dir, good.id)])).toMatchObject({ exit: 3, code: 'log-missing' });
  });

  test('means the episodes below it in verify and list, and is refused elsewhere', async () => {
    const verified = await runHere(['verify', '.', '-j'], { cwd });
    const paths = (JSON.parse(verified.stdout) as { episodes: { path: string }[] }).episodes.map(
      ({ path }) => path,
    );
    expect(paths).toEqual([good.dir, paused.dir, vetoed.dir].toSorted());
    const listed = await runHere(['list', '.', '-q'], { cwd });
    expect(listed.stdout).toBe(`${vetoed.id}\n${paused.id}\n${good.id}\n`);
    const { exit, message } = await failure(['show', '.']);
    expect(exit).toBe(3);
    expect(message).toContain('contains 3 runs');
    expect((await failure(['tail', '.', '-f'])).exit).toBe(3);
  });
});

describe('the root', () => {
  const moved = tempDir();
  mkdirSync(join(moved, 'below/deep'), { recursive: true });
  const other = episodeIn(join(moved, 'runs/.noesis/episodes'), { seed: 77 });
  const list = async (args: string[], options: World) =>
    (await runHere(['list', '-q', ...args], options)).stdout;

  test('is reported as missing after the missing target', async () => {
    const { code, stderr } = await noesis(['verify', 'traces'], { cwd: tempDir() });
    expect(code).toBe(3);
    expect(stderr).toContain('traces does not exist, and there is no .noesis folder here or above');
    expect(stderr).toContain('--root');
  });

  test('is --root, else NOESIS_RUNS_DIR, else noesis.toml, else a .noesis folder', async () => {
    const env = { NOESIS_RUNS_DIR: join(moved, 'runs') };
    expect(await list([], { cwd })).toContain(good.id);
    expect(await list([], { cwd, env })).toBe(`${other.id}\n`);
    expect(await list(['--root', '.noesis'], { cwd, env })).toContain(good.id);
    expect(await list(['--root', '.noesis/episodes'], { cwd, env })).toContain(good.id);
    expect(await list(['--root', '.'], { cwd, env })).toContain(good.id);
    const configured = writeTree({
      'noesis.toml': `[noesis]\nruns_dir = "${join(moved, 'runs')}"\n`,
      'sub/f': '',
    });
    expect(await list([], { cwd: join(configured, 'sub') })).toBe(`${other.id}\n`);
    expect(await list([], { cwd: configured, env: { NOESIS_RUNS_DIR: cwd } })).toContain(good.id);
  });

  test('may begin with ~, and is searched for above the working directory', async () => {
    const env = { NOESIS_RUNS_DIR: '~/runs' };
    expect(await list([], { cwd: tempDir(), env, home: moved })).toBe(`${other.id}\n`);
    expect(await list([], { cwd: join(cwd, '.noesis/episodes', good.id) })).toContain(good.id);
  });

  test('without episodes: list prints nothing with 0, verify fails with 3', async () => {
    const dir = writeTree({ '.noesis/episodes/readme': '' });
    expect(await runHere(['list'], { cwd: dir })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'found no runs\n',
    });
    expect(await runHere(['list', '-j'], { cwd: dir })).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(await failure(['verify'], { cwd: dir })).toMatchObject({ exit: 3, code: 'target-missing' });
    expect(await failure(['events', 'latest'], { cwd: dir })).toMatchObject({ exit: 3 });
  });

  test('exits with 2 if the configuration is invalid', async () => {
    const dir = writeTree({ 'noesis.toml': 'runs_dir = 7\n' });
    expect(await failure(['list'], { cwd: dir })).toMatchObject({ exit: 2, code: 'config-invalid' });
    expect(basename((await failure(['list'], { cwd: dir })).message)).toContain('noesis.toml');
  });
});

test('a log that may not be read is exit 3', async () => {
  const dir = tempDir();
  const locked = episodeIn(dir, { seed: 3 });
  const options = { cwd: dir, ...unprivileged(dir) };
  chmodSync(locked.log, 0);
  for (const command of ['events', 'verify', 'project', 'tail']) {
    const { code, stdout, stderr } = await noesis([command, locked.dir, '-j'], options);
    expect([code, stdout]).toEqual([3, '']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unreadable' } });
  }
});
