import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pageName } from '../../src/show/page/page-name.ts';
import { EXAMPLES, noesis, noesisSync } from '../support/cli.ts';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { tempDir } from '../support/temp.ts';

const RUN = join(EXAMPLES, '.noesis', 'episodes', 'ep_01KJQ6PSG0DGB6DN0XWB2R05AD');

describe('view', () => {
  test('writes to a temporary file, and prints its path', async () => {
    const TMPDIR = tempDir();
    const { stdout, stderr } = await noesis(['view', RUN], { env: { TMPDIR } });
    const path = stdout.trimEnd();
    expect(path.startsWith(TMPDIR)).toBe(true);
    expect(path.endsWith('ep_01KJQ6PSG0DGB6DN0XWB2R05AD.html')).toBe(true);
    expect(readFileSync(path, 'utf8')).toMatch(/^<!doctype html>\n/);
    expect(stderr).toBe('');
    const json = await noesis(['view', RUN, '-j'], { env: { TMPDIR } });
    expect(existsSync(JSON.parse(json.stdout).page)).toBe(true);
  });

  test('names -o if the path of the page goes to a file, where the page may have been expected', () => {
    const dir = tempDir();
    const redirected = (...options: string[]) => {
      const to = openSync(join(dir, 'out'), 'w');
      const { stderr } = noesisSync(['view', RUN, ...options], { stdio: ['ignore', to, 'pipe'] });
      closeSync(to);
      return { written: readFileSync(join(dir, 'out'), 'utf8'), stderr };
    };
    const { written, stderr } = redirected();
    expect(written).toMatch(/ep_01KJQ6PSG0DGB6DN0XWB2R05AD\.html\n$/);
    expect(stderr).toBe(
      'printed only the path of the page: add -o FILE to write the page itself (-: standard output)\n',
    );
    const page = redirected('-o', '-');
    expect(page.written).toMatch(/^<!doctype html>\n/);
    for (const options of [['-o', '-'], ['-o', join(dir, 'run.html')], ['-j']])
      expect(redirected(...options).stderr).toBe('');
  });

  test('prints the page to the requested place, the same each time', async () => {
    const log = readFileSync(join(RUN, 'events.jsonl'));
    const [one, two] = await Promise.all(
      [1, 2].map(() => noesis(['view', '-', '-o', '-', '--dialect', 'noesis'], { input: log })),
    );
    expect(one?.stdout).toMatch(/<\/html>\n$/);
    expect(one?.stdout).toBe(two?.stdout);
  });

  test('says so if no program opens pages', async () => {
    const file = join(tempDir(), 'run.html');
    const { code, stderr } = await noesis(['view', RUN, '-o', file, '--open'], { env: { PATH: '' } });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'no browser could be started: open the file yourself\n',
    });
  });

  test('writes nothing into an episode, and nothing if two runs cannot be compared', async () => {
    const { dir } = episodeIn(tempDir(), GOOD);
    const before = readdirSync(dir);
    const inside = await noesis(['view', dir, '-o', join(dir, 'page.html')]);
    expect(inside.code).toBe(2);
    expect(readdirSync(dir)).toEqual(before);
    const file = join(tempDir(), 'two.html');
    const damaged = join(EXAMPLES, 'damaged', 'bad-json', 'ep_01KJPWD6M0GKJVH2GKEFTDNN55');
    expect((await noesis(['view', RUN, damaged, '-o', file])).code).toBe(1);
    expect(existsSync(file)).toBe(false);
  });

  test('pages next to a report need a report that links to them', async () => {
    const views = join(tempDir(), 'views');
    const { code, stderr } = await noesis(['verify', RUN, '--views', views]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: --views needs -f html\nhelp: add -f html\n',
    });
    expect(existsSync(views)).toBe(false);
  });
});

test('the name of a page is one that every file system takes', () => {
  expect(pageName('../../etc/passwd')).toBe('_.._etc_passwd.html');
  expect(pageName('a\u202eb\n<c>')).toBe('a_b_c_.html');
  expect(pageName('')).toBe('log.html');
  expect(pageName('x'.repeat(500))).toHaveLength(105);
});
