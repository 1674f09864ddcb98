import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFiles, readEpisodeFile } from '../../src/base/files/files.ts';
import { findEpisodes } from '../../src/find/find.ts';
import { episodePlaces } from '../../src/find/root-episodes.ts';
import { summarize, summarizeAll } from '../../src/find/summary.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const STATE = '{"episode":{"id":"ep_3"}}';
const MANIFEST = '{"episode_id":"ep_3","files":[]}';

/** The paths of the episodes' directories or logs that are found below a folder. */
async function found(files: Readonly<Record<string, string>>): Promise<string[]> {
  const dir = writeTree(files);
  return (await findEpisodes(dir)).map((episode) => relative(dir, episode.dir ?? episode.log ?? ''));
}

describe('a folder is an episode', () => {
  test.each([
    ['by a manifest with an id', { 'a/manifest.json': MANIFEST }],
    [
      'by a manifest without one that lists hashes',
      { 'a/manifest.json': '{"files":[{"name":"x","sha256":"y"}]}' },
    ],
    ['by a final with an id', { 'a/final.json': MANIFEST }],
    ['by a summary with an id', { 'a/summary.json': MANIFEST }],
    ['by a state with an id', { 'a/state.json': STATE }],
    ['by one artifact of several', { 'a/manifest.json': '{"name":"app"}', 'a/state.json': STATE }],
    ['by a broken artifact next to a log', { 'a/final.json': '{"torn', 'a/events.jsonl': '' }],
  ])('%s', async (_, files) => {
    expect(await found(files)).toEqual(['a']);
  });

  test('by its name, if that is an id of the runtime and the folder is not empty', async () => {
    expect(
      await found({
        'ep_01M813EYTYPHR4JS413PTNGK6F/event-log.jsonl': '',
        'ep_20251104_155501_805857_c5f4_s0/notes.txt': '',
        'ep_12/notes.txt': '',
      }),
    ).toEqual([
      'ep_01M813EYTYPHR4JS413PTNGK6F',
      'ep_01M813EYTYPHR4JS413PTNGK6F/event-log.jsonl',
      'ep_20251104_155501_805857_c5f4_s0',
    ]);
  });

  test.each([
    ['the manifest of a web app', { 'manifest.json': '{"name":"app","icons":[]}' }],
    [
      'a state of something else',
      { 'state.json': '{"episode":7}', 'final.json': '[]', 'summary.json': '{}' },
    ],
    [
      'a list of podcasts',
      { 'state.json': '{"episodes":[{"episode_id":"ep_1"}]}', 'manifest.json': '{"files":["a"]}' },
    ],
    ['artifacts that are broken, without a log', { 'state.json': '{"torn', 'manifest.json': '' }],
  ])('and not by %s, which hides nothing below it', async (_, files) => {
    expect(await found({ ...files, 'ep_1/state.json': STATE })).toEqual(['ep_1']);
  });
});

const LEDGER = '{"id":"a","run_id":"r","turn":0,"kind":"run.started","payload":{}}\n';

describe('the folders below', () => {
  const ep = { 'ep_1/events.jsonl': '', 'ep_1/manifest.json': MANIFEST };

  test.each(['events.jsonl', 'event-log.jsonl', 'ledger.jsonl', 'x.events.jsonl'])(
    'is not hidden by a %s above it',
    async (log) => {
      const text = log === 'ledger.jsonl' ? LEDGER : '';
      expect(await found({ [log]: text, 'ep_1/events.jsonl': '' })).toEqual(['', 'ep_1']);
      expect(await found({ [`label/${log}`]: text, 'label/deep/ep_1/events.jsonl': '' })).toEqual([
        'label',
        'label/deep/ep_1',
      ]);
    },
  );

  test('a log inside an episode is found, and the artifacts of the episode are not episodes', async () => {
    expect(
      await found({
        'events.jsonl': '',
        'state.json': STATE,
        'attachments/ledger.jsonl': LEDGER,
        'checkpoints/chk_1/state.json': STATE,
        'deep/er/ep_1/events.jsonl': '',
        'deep/er/ep_1/manifest.json': MANIFEST,
      }),
    ).toEqual(['', 'attachments', 'deep/er/ep_1']);
  });

  test.each(['node_modules', '.git', '.venv', '__pycache__'])('%s is not searched', async (name) => {
    expect(await found({ [`${name}/ep_1/events.jsonl`]: '', ...ep })).toEqual(['ep_1']);
  });
});

test('a folder that cannot be listed counts as an episode', async () => {
  const dir = writeTree({ 'ep_1/events.jsonl': '' });
  // The path grows beyond what the system takes, one name at a time.
  const name = 'x'.repeat(200);
  const { status } = spawnSync(
    process.execPath,
    ['-e', `for (let n = 0; n < 25; n++) { fs.mkdirSync('${name}'); process.chdir('${name}'); }`],
    { cwd: dir },
  );
  expect(status).toBe(0);
  const [first, ...others] = await findEpisodes(dir);
  expect(first?.name).toBe('ep_1');
  expect(others).toMatchObject([{ name, log: undefined, unlisted: 'ENAMETOOLONG' }]);
  spawnSync('rm', ['-rf', name], { cwd: dir });
});

describe('episodes below a folder', () => {
  test('are found at any depth, sorted by path', async () => {
    const dir = writeTree({
      'b/ep_2/events.jsonl': '',
      'a/deep/er/ep_1/events.jsonl': '',
      'a/deep/er/ep_1/checkpoints/chk_1/state.json': '{}',
      'c/ep_3/state.json': STATE,
      'd/readme.txt': '',
    });
    const found = await findEpisodes(dir);
    expect(found.map((episode) => [relative(dir, episode.dir ?? ''), episode.log !== undefined])).toEqual([
      ['a/deep/er/ep_1', true],
      ['b/ep_2', true],
      ['c/ep_3', false],
    ]);
  });

  test('are not searched for behind symbolic links', async () => {
    const outside = writeTree({ 'ep_9/events.jsonl': '' });
    const dir = writeTree({ 'ep_1/events.jsonl': '' });
    symlinkSync(outside, join(dir, 'link'));
    symlinkSync(dir, join(dir, 'loop'));
    const found = await findEpisodes(dir);
    expect(found.map(({ name, log, link = false }) => [name, log !== undefined, link])).toEqual([
      ['link', false, true],
      ['ep_1', true, false],
    ]);
  });
});

describe('the episodes of a root', () => {
  test('are in the root, below a label, or where older runtimes put them; of two with one name the first counts', async () => {
    const dir = writeTree({
      '.noesis/episodes/ep_flat/events.jsonl': '',
      '.noesis/episodes/label/ep_labelled/events.jsonl': '',
      '.noesis/episodes/demo_incident/events.jsonl': '',
      '.noesis/runs/ep_old/events.jsonl': '',
      'runs/ep_older/events.jsonl': '',
      'runs/ep_flat/events.jsonl': '',
    });
    const places = await episodePlaces({ dir: join(dir, '.noesis'), runsDir: dir });
    expect(places.map(({ name, dir: at }) => [name, relative(dir, at)])).toEqual([
      ['demo_incident', '.noesis/episodes/demo_incident'],
      ['ep_flat', '.noesis/episodes/ep_flat'],
      ['ep_labelled', '.noesis/episodes/label/ep_labelled'],
      ['ep_old', '.noesis/runs/ep_old'],
      ['ep_older', 'runs/ep_older'],
    ]);
  });

  test('do not exist if the root does not exist', async () => {
    expect(await episodePlaces({ dir: '/nonexistent/.noesis' })).toEqual([]);
  });
});

describe('the files of an episode', () => {
  test('are listed by name; a link counts if it stays inside', async () => {
    const outside = writeTree({ secret: 'x' });
    const dir = writeTree({ 'events.jsonl': '12345', 'sub/a.json': '1' });
    symlinkSync('events.jsonl', join(dir, 'inside'));
    symlinkSync(join(outside, 'secret'), join(dir, 'outside'));
    symlinkSync('nowhere', join(dir, 'dangling'));
    expect(listFiles(dir)).toEqual({
      files: [
        { name: 'dangling', inside: false },
        { name: 'events.jsonl', inside: true },
        { name: 'inside', inside: true },
        { name: 'outside', inside: false },
        { name: 'sub/a.json', inside: true },
      ],
      others: [],
    });
  });

  test('are read, and a link out of the episode is not', async () => {
    const outside = writeTree({ secret: 'x' });
    const dir = writeTree({ a: 'text' });
    symlinkSync(join(outside, 'secret'), join(dir, 'leak'));
    symlinkSync('a', join(dir, 'inside'));
    expect(await readEpisodeFile(dir, 'a')).toEqual({ kind: 'read', bytes: Buffer.from('text') });
    expect(await readEpisodeFile(dir, 'inside')).toMatchObject({ kind: 'read' });
    expect(await readEpisodeFile(dir, 'b')).toEqual({ kind: 'missing' });
    expect(await readEpisodeFile(dir, 'a/b')).toEqual({ kind: 'missing' });
    expect(await readEpisodeFile(dir, 'leak')).toEqual({
      kind: 'unreadable',
      reason: 'a symlink out of the folder of the run',
    });
    expect(await readEpisodeFile(dir, '.')).toEqual({ kind: 'unreadable', reason: 'EISDIR' });
  });

  test('are not opened if that could block', async () => {
    const dir = tempDir();
    execFileSync('mkfifo', [join(dir, 'fifo')]);
    symlinkSync('fifo', join(dir, 'events.jsonl'));
    symlinkSync('fifo', join(dir, 'state.json'));
    expect(listFiles(dir)).toEqual({ files: [], others: ['events.jsonl', 'fifo', 'state.json'] });
    expect(await findEpisodes(dir)).toEqual([]);
    mkdirSync(join(dir, 'folder'));
    symlinkSync('folder', join(dir, 'manifest.json'));
    expect(await findEpisodes(dir)).toEqual([]);
    expect(readEpisodeFile(dir, 'fifo')).toEqual({
      kind: 'unreadable',
      reason: 'neither a file nor a folder',
    });
    expect(summarize('ep_1', dir)).toMatchObject({ episode: 'ep_1', sealed: false });
  });

  test('has one line in a list if it has neither log nor state', async () => {
    const dir = writeTree({ 'manifest.json': '{}' });
    expect(await summarizeAll({ name: 'ep_1', dir, log: undefined })).toEqual([summarize('ep_1', dir)]);
  });
});

describe('what a list shows of an episode', () => {
  const log = [
    '{"phase":"start","timestamp":"2026-03-02T09:00:00Z","payload":{"task":"from the log"}}',
    '{"phase":"terminate","payload":{"status":"error"}}',
    '',
  ].join('\n');

  test('comes from state.json, but the times from the log', () => {
    const state = {
      episode: { started_at: '2026-03-02T10:00:00Z' },
      goal: { task: 'from the state' },
      outcomes: { status: 'ok' },
    };
    const dir = writeTree({ 'state.json': JSON.stringify(state), 'events.jsonl': log, 'final.json': '' });
    expect(summarize('ep_1', dir)).toEqual({
      episode: 'ep_1',
      path: dir,
      dialect: 'noesis',
      started_at: '2026-03-02T09:00:00Z',
      written_at: '2026-03-02T09:00:00Z',
      task: 'from the state',
      status: 'ok',
      tone: 'good',
      log_bytes: log.length,
      sealed: true,
    });
  });

  test.each(['', '[]', '{"episode":', 'null'])('comes from the log if state.json is %j', (state) => {
    const dir = writeTree({ 'state.json': state, 'events.jsonl': log });
    expect(summarize('ep_1', dir)).toMatchObject({
      started_at: '2026-03-02T09:00:00Z',
      task: 'from the log',
      status: 'error',
      sealed: false,
    });
  });

  test('is short if little is known', () => {
    const dir = writeTree({ 'events.jsonl': 'rubbish\n' });
    expect(summarize('ep_1', dir)).toEqual({
      episode: 'ep_1',
      path: dir,
      dialect: 'noesis',
      log_bytes: 8,
      sealed: false,
    });
    expect(summarize('ep_2', join(dir, 'nowhere'))).toMatchObject({ episode: 'ep_2', sealed: false });
  });
});

describe('a link', () => {
  const linksBelow = async (dir: string) =>
    (await findEpisodes(dir)).filter(({ link }) => link).map(({ name }) => name);

  test('is reported if it leads to an episode, or is broken and has the name of one', async () => {
    const outside = writeTree({
      'ep_9/events.jsonl': '',
      'label/ep_8/events.jsonl': '',
      'none/deep/f': '',
      'none/f': '',
    });
    const dir = writeTree({ 'ep_1/events.jsonl': '' });
    for (const name of ['ep_9', 'label', 'none']) symlinkSync(join(outside, name), join(dir, name));
    symlinkSync('nowhere', join(dir, 'ep_01M813EYTYPHR4JS413PTNGK6F'));
    symlinkSync('nowhere', join(dir, 'dangling'));
    expect(await linksBelow(dir)).toEqual(['ep_01M813EYTYPHR4JS413PTNGK6F', 'ep_9', 'label']);
  });
});
