import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findConfiguration } from '../../src/find/configuration.ts';
import { findRoot, rootOf } from '../../src/find/root.ts';
import { tempDir, writeTree } from '../support/temp.ts';

describe('a runs_dir becomes a root by the five rules of noesis.md §1.1', () => {
  test.each<[rule: string, runsDir: string, files: string[], root: string]>([
    ['1: episodes in .noesis', 'x/.noesis/episodes', [], 'x/.noesis'],
    [
      '1: though it holds a .noesis of its own',
      '.noesis/episodes',
      ['.noesis/episodes/.noesis/f'],
      '.noesis',
    ],
    ['2: .noesis itself', 'x/.noesis', [], 'x/.noesis'],
    ['2: though it holds another', '.noesis', ['.noesis/.noesis/f'], '.noesis'],
    ['3: a .noesis in it', 'runs', ['runs/.noesis/f', 'runs/episodes/f'], 'runs/.noesis'],
    ['4: episodes in it', 'runs', ['runs/episodes/f'], 'runs'],
    ['5: an empty one', 'runs', ['runs/f'], 'runs/.noesis'],
    ['5: none at all', 'runs', [], 'runs/.noesis'],
    [
      '5: episodes whose parent is not .noesis',
      'srv/episodes',
      ['srv/episodes/ep_1/f'],
      'srv/episodes/.noesis',
    ],
  ])('rule %s', async (_, runsDir, files, root) => {
    const dir = writeTree(Object.fromEntries(files.map((name) => [name, ''])));
    expect(await rootOf(join(dir, runsDir))).toBe(join(dir, root));
  });
});

describe('the root is found', () => {
  const search = (cwd: string, more: { flag?: string; runsDir?: string; home?: string } = {}) =>
    findRoot({ cwd, home: more.home, flag: more.flag, runsDir: more.runsDir });

  test('by the flag before the environment, that before the configuration, that before the folders', async () => {
    const dir = writeTree({ 'noesis.toml': 'runs_dir = "configured"\n', '.noesis/f': '' });
    const root = (name: string) => join(dir, name, '.noesis');
    expect((await search(dir, { flag: 'flag', runsDir: 'environment' })).dir).toBe(root('flag'));
    expect((await search(dir, { runsDir: 'environment' })).dir).toBe(root('environment'));
    expect((await search(dir, { runsDir: '' })).dir).toBe(root('configured'));
    expect((await search(dir)).dir).toBe(root('configured'));
  });

  test('in the nearest .noesis of the folder or above it', async () => {
    const dir = writeTree({ '.noesis/f': '', 'a/.noesis/f': '', 'a/b/c/f': '' });
    expect((await search(join(dir, 'a/b/c'))).dir).toBe(join(dir, 'a/.noesis'));
    expect((await search(dir)).dir).toBe(join(dir, '.noesis'));
  });

  test('with ~ for the home folder', async () => {
    const dir = tempDir();
    expect((await search('/', { flag: '~/runs', home: dir })).dir).toBe(join(dir, 'runs/.noesis'));
    expect((await search(dir, { flag: '~runs', home: '/home' })).dir).toBe(join(dir, '~runs/.noesis'));
  });

  test.each<[string, string]>([
    ['the table [noesis]', '[noesis]\nruns_dir = "there"\n'],
    ['the file itself, where there is no such table', 'runs_dir = "there"\ntimeout_sec = 1\n'],
    ['the table, though the file has one too', 'runs_dir = "elsewhere"\n[noesis]\nruns_dir = "there"\n'],
  ])('through %s', async (_, toml) => {
    const dir = writeTree({ 'noesis.toml': toml });
    expect((await search(dir)).dir).toBe(join(dir, 'there/.noesis'));
  });

  test('through a configuration above, from the folder of the runtime or next to it', async () => {
    const dir = writeTree({
      '.noesis.toml': 'runs_dir = "runs"\n',
      'runs/f': '',
      'sub/f': '',
      'other/runs/f': '',
    });
    expect((await search(join(dir, 'sub'))).dir).toBe(join(dir, 'runs/.noesis'));
    expect((await search(join(dir, 'other'))).dir).toBe(join(dir, 'other/runs/.noesis'));
  });

  test('not found, and then the error has the folders that were searched', async () => {
    const dir = tempDir();
    const found = search(dir);
    await expect(found).rejects.toMatchObject({ code: 'root-missing' });
    await expect(found).rejects.toMatchObject({
      searched: [{ what: 'noesis', folders: expect.arrayContaining([join(dir, '.noesis')]) }],
    });
  });
});

describe('a configuration', () => {
  test('is noesis.toml before .noesis.toml, and the nearest one', async () => {
    const config = (n: number) => `runs_dir = "${n}"`;
    const dir = writeTree({
      'noesis.toml': config(1),
      '.noesis.toml': config(2),
      'sub/.noesis.toml': config(3),
    });
    expect((await findConfiguration({ cwd: dir }))?.runsDir).toBe('1');
    expect((await findConfiguration({ cwd: join(dir, 'sub/below') }))?.runsDir).toBe('3');
  });

  test.each<[string, string, object]>([
    ['is no TOML', 'a = \n', { code: 'config-invalid', place: { line: 1 } }],
    ['has a runs_dir that is not a text', 'runs_dir = 1\n', { code: 'config-invalid' }],
    ['has an empty runs_dir', 'runs_dir = ""\n', { code: 'config-invalid' }],
    [
      'is longer than any',
      '#'.repeat(1024 * 1024 + 1),
      { message: /1048577 bytes: it cannot be a configuration$/ },
    ],
  ])('that %s is a failure', async (_, toml, failure) => {
    const dir = writeTree({ 'noesis.toml': toml });
    await expect(
      findRoot({ cwd: dir, home: undefined, flag: undefined, runsDir: undefined }),
    ).rejects.toMatchObject(failure);
  });
});
