import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { logOf } from '../../src/find/episode.ts';
import { resolveLog } from '../../src/find/target.ts';
import { makeZip } from '../support/archives.ts';
import { episodeIn } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const RECORD = '{"id":"a","run_id":"r","turn":0,"kind":"k","payload":{}}\n';

const search = (cwd: string, stream?: string) => ({
  cwd,
  home: undefined,
  flag: undefined,
  runsDir: undefined,
  ...(stream !== undefined && { streams: [stream] }),
});

async function failure(cwd: string, ...args: string[]) {
  const { code, stderr } = await runHere([...args, '-j'], { cwd });
  const { error } = JSON.parse(stderr) as { error: Record<'code' | 'message' | 'hint', string> };
  return [code, error.code, error.message, error.hint];
}

describe('a folder that must be one log', () => {
  test('is the one with the requested name', async () => {
    const cwd = writeTree({
      'a.events.jsonl': RECORD,
      'b.events.jsonl': RECORD,
      'c/b.events.jsonl': RECORD,
    });
    const one = await resolveLog('.', search(cwd, 'a'));
    expect(one).toMatchObject({ kind: 'episode', episode: { log: join(cwd, 'a.events.jsonl') } });
    // Of two with the name neither is meant.
    await expect(resolveLog('.', search(cwd, 'b'))).rejects.toThrow(
      `${cwd} contains 2 runs, and this command reads one`,
    );
    await expect(resolveLog('.', search(cwd, 'd'))).rejects.toThrow(`${cwd} has no d.events.jsonl`);
    await expect(resolveLog('.', search(cwd))).rejects.toThrow(
      `${cwd} contains 3 runs, and this command reads one`,
    );
  });

  test('names a replacement', async () => {
    const cwd = writeTree({ 'none/f': '', 'two/a.jsonl': RECORD, 'two/b.jsonl': RECORD });
    const { dir } = episodeIn(join(cwd, 'one/below'), { seed: 3 });
    const place = (message: string, hint: string) => [3, 'log-missing', message, hint];
    expect(await failure(cwd, 'show', 'none')).toEqual([
      3,
      'target-missing',
      'no run below none',
      'give a log, or a folder with logs, such as events.jsonl',
    ]);
    expect(await resolveLog('one', search(cwd))).toMatchObject({ kind: 'episode', episode: { dir } });
    expect(await failure(cwd, 'show', 'two')).toEqual(
      place('two contains 2 runs, and this command reads one', 'give one of its runs, such as two/a.jsonl'),
    );
  });
});

describe('an episode without a log', () => {
  test('has no state to read', async () => {
    const cwd = writeTree({ '.noesis/episodes/ep_empty/f': '' });
    const dir = join(cwd, '.noesis/episodes/ep_empty');
    expect(await failure(cwd, 'events', 'ep_empty')).toEqual([
      3,
      'log-missing',
      `${dir} has no event log`,
      'see what else it contains with',
    ]);
    expect(() => logOf({ name: 'x', dir, log: undefined, unlisted: 'EIO' })).toThrow(
      `cannot read ${dir}: input/output error`,
    );
  });
});

describe('an unknown id', () => {
  test('advises list if the root has no episode', async () => {
    const cwd = writeTree({ '.noesis/episodes/f': '' });
    expect(await failure(cwd, 'events', 'ep_01KJ')).toEqual([
      3,
      'target-missing',
      `no run ep_01KJ under ${join(cwd, '.noesis')}, and no such path`,
      'run noesis list to see the runs',
    ]);
  });
});

describe('a path that does not exist', () => {
  test('suggests similar names', async () => {
    const cwd = writeTree({ 'logs/events.jsonl': RECORD, 'logs/evants.jsonl': RECORD, 'logs/x': '' });
    expect(await failure(cwd, 'events', 'logs/event.jsonl')).toEqual([
      3,
      'target-missing',
      'logs/event.jsonl does not exist',
      'did you mean logs/events.jsonl, logs/evants.jsonl?',
    ]);
    expect(await failure(cwd, 'events', 'logs/no/such/thing')).toEqual([
      3,
      'target-missing',
      'logs/no/such/thing does not exist',
      'logs has no file or folder named "no"',
    ]);
  });

  test('may continue through a file that is not an archive', async () => {
    const cwd = writeTree({ 'x.jsonl.gz': '', 'x.jsonl': RECORD });
    for (const path of ['x.jsonl/a.jsonl', 'x.jsonl.gz/a.jsonl'])
      expect((await failure(cwd, 'events', path)).slice(0, 3)).toEqual([
        3,
        'target-missing',
        `${path} does not exist`,
      ]);
  });
});

test('the folder of a root may hold files, folders of other names, and labels that group some', async () => {
  const cwd = tempDir();
  const folder = join(cwd, '.noesis/episodes');
  writeTree({ 'episodes/readme': '', 'runs/readme': '' }, join(cwd, '.noesis'));
  const inner = episodeIn(join(folder, 'group'), { seed: 3 });
  writeTree(
    { 'demo/events.jsonl': RECORD, 'demo/ep_in_it/events.jsonl': RECORD, 'demo/other/events.jsonl': RECORD },
    folder,
  );
  const older = episodeIn(join(cwd, '.noesis/runs'), { seed: 4 });
  const { stdout } = await runHere(['list', '-j'], { cwd });
  const paths = (JSON.parse(stdout) as { path: string }[]).map(({ path }) => path);
  expect(paths.sort()).toEqual([
    join(folder, 'demo/ep_in_it'),
    `${join(folder, 'demo/events.jsonl')}#r`,
    inner.dir,
    older.dir,
  ]);
  const verified = await runHere(['verify', '-j'], { cwd });
  const { episodes } = JSON.parse(verified.stdout) as { episodes: { path: string }[] };
  // No check passes over what a list does not show.
  expect(episodes.map(({ path }) => path)).toEqual([
    join(folder, 'demo/ep_in_it'),
    join(folder, 'demo'),
    join(folder, 'demo/other'),
    inner.dir,
    older.dir,
  ]);
});

test('standard input cannot be listed', async () => {
  expect(await failure(tempDir(), 'list', '-')).toEqual([
    2,
    'usage',
    'list cannot read standard input',
    'name a folder',
  ]);
});

describe('an archive', () => {
  test.each(['show', 'list', 'verify', 'events'])('that is damaged is refused by %s', async (command) => {
    const cwd = writeTree({ 'runs.zip': 'PK and so on' });
    const { code, stdout, stderr } = await runHere([command, 'runs.zip'], { cwd });
    expect([code > 0, `${stdout}${stderr}`]).toEqual([true, expect.stringContaining('runs.zip')]);
    expect(`${stdout}${stderr}`).toContain('it cannot be read as a zip');
  });

  test.each(['show', 'verify'])('cannot be unpacked by %s if no folder can be created', async (command) => {
    const cwd = writeTree({ 'runs.zip': makeZip([{ name: 'events.jsonl', content: Buffer.from(RECORD) }]) });
    const { code, stderr } = await runHere([command, 'runs.zip'], { cwd, tmpDir: join(cwd, 'nowhere') });
    const message = `cannot write temporary files to ${join(cwd, 'nowhere')}: no such file or folder`;
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});
