import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { asNobody } from '../support/cli.ts';
import { episodeIn } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

/** A folder that everybody may list, so that only its locked contents are inaccessible. */
function openTree(files: Readonly<Record<string, string>>): string {
  const dir = writeTree(files);
  chmodSync(dir, 0o755);
  return dir;
}

async function failure(cwd: string, ...args: string[]) {
  const { code, stderr } = await asNobody(() => runHere([...args, '-j'], { cwd }));
  const { error } = JSON.parse(stderr) as { error: Record<'code' | 'message' | 'hint', string> };
  return { exit: code, ...error };
}

test('an unreadable configuration is a failure, and is not skipped', async () => {
  const cwd = openTree({ 'noesis.toml': '[verify]\nstrict = true\n', 'x.jsonl': '{"id":"a"}\n' });
  chmodSync(join(cwd, 'noesis.toml'), 0);
  expect(await failure(cwd, 'verify', 'x.jsonl')).toMatchObject({
    exit: 3,
    code: 'unreadable',
    message: `cannot read ${join(cwd, 'noesis.toml')}: permission denied`,
  });
});

test('a folder that cannot be listed is reported, because it may contain a log', async () => {
  const cwd = openTree({ 'locked/f': '' });
  chmodSync(join(cwd, 'locked'), 0);
  expect(await failure(cwd, 'events', 'locked')).toMatchObject({
    exit: 3,
    code: 'unreadable',
    message: `cannot read ${join(cwd, 'locked')}: permission denied`,
    hint: 'it may contain a log: make it readable',
  });
  expect(await failure(cwd, 'events', './locked/x.jsonl')).toMatchObject({
    exit: 3,
    code: 'unreadable',
    message: 'cannot read ./locked/x.jsonl: permission denied',
  });
});

test('a log in a folder that cannot be listed is read, without its other files', async () => {
  const RECORD =
    '{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","message":{},"timestamp":"2026-03-02T09:00:00Z"}\n';
  const name = 'b25638d7-b104-4f06-a797-70ac33d069ed.jsonl';
  const cwd = openTree({ [`locked/${name}`]: RECORD });
  chmodSync(join(cwd, 'locked'), 0o711);
  expect(await asNobody(() => runHere(['events', `locked/${name}`, '-j'], { cwd }))).toEqual({
    code: 0,
    stdout: RECORD,
    stderr: '',
  });
});

test('a folder of older runtimes that may not be listed is a finding of the root', async () => {
  const cwd = tempDir();
  chmodSync(cwd, 0o755);
  const { dir } = episodeIn(join(cwd, '.noesis/episodes'), { seed: 3 });
  const locked = join(cwd, '.noesis/runs');
  mkdirSync(locked, { mode: 0 });
  const { code, stdout } = await asNobody(() => runHere(['verify', '-j'], { cwd }));
  const { episodes } = JSON.parse(stdout) as { episodes: { path: string; findings: { code: string }[] }[] };
  expect([code, episodes.map(({ path, findings }) => [path, findings.map((one) => one.code)])]).toEqual([
    1,
    [
      [dir, []],
      [locked, ['verify/unreadable-folder']],
    ],
  ]);
});

describe('in the home', () => {
  const RECORD =
    '{"type":"user","uuid":"a","parentUuid":null,"sessionId":"b25638d7-b104-4f06-a797-70ac33d069ed","message":{},"timestamp":"2026-03-02T09:00:00Z"}\n';
  const NAME = 'b25638d7-b104-4f06-a797-70ac33d069ed.jsonl';
  const home = openTree({
    [`.claude/projects/open/${NAME}`]: RECORD,
    [`.claude/projects/open/${NAME}.xz`]: 'x',
    '.claude/projects/locked/f': '',
  });
  const locked = join(home, '.claude/projects/locked');
  chmodSync(locked, 0);
  const cwd = openTree({});
  const run = (...args: string[]) => asNobody(() => runHere(args, { cwd, home }));

  test('a folder that may not be listed fails verify', async () => {
    const { code, stdout } = await run('verify', '-j');
    const { episodes } = JSON.parse(stdout) as { episodes: { findings: { code: string }[] }[] };
    const codes = episodes.flatMap(({ findings }) => findings.map((finding) => finding.code));
    expect([code, codes]).toEqual([1, expect.arrayContaining(['verify/unreadable-folder'])]);
    expect(codes).toContain('verify/not-verified');
  });

  test.each([['list'], ['stats'], ['search', 'user']])('%s names it', async (...args) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringContaining(`cannot read ${locked}: permission denied`),
    ]);
  });

  test('latest is a session that can be read', async () => {
    const { stdout, stderr } = await run('events', 'latest', '-j');
    expect([stdout, stderr]).toEqual([RECORD, expect.stringContaining(`cannot read ${locked}: `)]);
  });

  test('an unreadable home directory does not count as empty', async () => {
    chmodSync(join(home, '.claude'), 0);
    const { code, stdout } = await run('verify', '-j');
    const list = await run('list');
    chmodSync(join(home, '.claude'), 0o755);
    expect([code, stdout]).toEqual([1, expect.stringContaining('verify/unreadable-folder')]);
    expect([list.code, list.stderr]).toEqual([3, expect.stringContaining('cannot read ')]);
    expect(list.stderr).toContain('error: no .noesis folder');
  });
});

test('a packed database or text in UTF-16 is refused by its own name, not by that of a copy', async () => {
  const database = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4080)]);
  const wide = Buffer.from('\ufeff{"a":1}\n', 'utf16le');
  const cwd = writeTree({ 'one.db.gz': gzipSync(database), 'wide.jsonl.gz': gzipSync(wide) });
  for (const command of ['show', 'read', 'events', 'stats', 'state', 'timeline', 'project'])
    for (const name of ['one.db.gz', 'wide.jsonl.gz']) {
      const { code, stderr } = await runHere([command, name], { cwd });
      expect([command, name, code]).toEqual([command, name, 3]);
      const paths = [...stderr.matchAll(/\/[^\s'":]+/g)].map(([path]) => path);
      expect(paths.filter((path) => path !== join(cwd, name))).toEqual([]);
      expect(stderr).toContain(name);
    }
});
