import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FileSystem, systemFiles } from '../../src/base/files/port.ts';
import { type SealOptions, sealEpisode, signEpisode } from '../../src/write/seal.ts';
import { realSystem } from '../../src/write/system.ts';
import { logToWrite } from '../../src/write/target.ts';
import { runHere } from '../support/in-process.ts';
import { realEpisodes } from '../support/runtime-episodes.ts';
import { tempDir, tempFile } from '../support/temp.ts';
import { fileError } from './support/memory-files.ts';
import { type Call, watchedFiles } from './support/watched-files.ts';

const episodeNamed = (wanted: string): string =>
  realEpisodes().find(({ name }) => name === wanted)?.dir ?? '';
const SAMPLE = episodeNamed('produced/ok-minimal-planner');

/** A copy of a real episode without some of its files. */
function copyOf(source: string, ...without: string[]): string {
  const dir = join(tempDir(), basename(source));
  cpSync(source, dir, { recursive: true });
  for (const name of without) rmSync(join(dir, name));
  return dir;
}

const contentOf = (dir: string) =>
  Object.fromEntries(
    readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(dir, name), 'utf8')]),
  );

const edit = (dir: string, name: string, change: (text: string) => string): void =>
  writeFileSync(join(dir, name), change(readFileSync(join(dir, name), 'utf8')));

const KEY = { kid: 'ops', alg: 'HS256', key: Buffer.from('a secret of thirty-two bytes, ok') };

const found = (target: string) =>
  logToWrite(target, { cwd: '/', home: undefined, flag: undefined, runsDir: undefined }, {});

/** A file system whose calls fail where a function says so. */
const failing = (fails: (call: Call) => boolean): FileSystem =>
  watchedFiles(systemFiles, (call, make) => {
    if (fails(call)) throw fileError('EIO', call.name);
    return make();
  });

async function seal(dir: string, options: SealOptions = {}, files: FileSystem = systemFiles) {
  const target = await found(dir);
  return sealEpisode(target, options, { ...realSystem, files }).catch((error: unknown) => error);
}

describe('a seal is refused', () => {
  test('if the format has none, and if the log is named in place of its folder', async () => {
    const log = tempFile('{"text":"x"}\n');
    const { code, stderr } = await runHere(['seal', log, '--dialect', 'generic']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not sealed')]);
    const dir = copyOf(SAMPLE, 'final.json', 'manifest.json');
    expect((await runHere(['seal', join(dir, 'events.jsonl')])).code).toBe(0);
    expect(existsSync(join(dir, 'manifest.json'))).toBe(true);
  });

  test('if verification fails, with the number of errors', async () => {
    const dir = copyOf(SAMPLE, 'final.json', 'manifest.json');
    edit(dir, 'state.json', (text) => text.replace('"status":"ok"', '"status":"error"'));
    const before = contentOf(dir);
    const one = await seal(dir);
    expect(String(one)).toMatch(/verification fails with \S+ \(.*\)(?:, and \d+ more)?$/);
    edit(dir, 'events.jsonl', (text) =>
      text.replace('"phase":"act"', '"phase":7').replace('"phase":"plan"', '"phase":7'),
    );
    expect(String(await seal(dir))).toMatch(/verification fails with \S+ \(.*\), and \d+ more$/);
    expect({ ...contentOf(dir), 'events.jsonl': '' }).toEqual({ ...before, 'events.jsonl': '' });
    expect(await seal(dir, { force: true })).toMatchObject({ written: ['final.json', 'manifest.json'] });
  });

  test('if it would not be valid, unless forced: a name that a manifest must not have', async () => {
    const dir = copyOf(SAMPLE, 'final.json', 'manifest.json');
    writeFileSync(join(dir, 'a\\b.txt'), 'x');
    const before = contentOf(dir);
    expect(String(await seal(dir))).toContain('after sealing it would fail with manifest/unsafe-path');
    expect(contentOf(dir)).toEqual(before);
    expect(await seal(dir, { force: true })).toMatchObject({ report: { verdict: 'fail' } });
  });

  test('if there is one, and names the command that adds a signature', async () => {
    const failure = await seal(copyOf(SAMPLE), { key: KEY });
    expect(failure).toMatchObject({
      code: 'log-sealed',
      hint: 'run noesis sign to add a signature to a seal without one',
    });
    expect(await seal(copyOf(SAMPLE))).toMatchObject({ hint: 'noesis verify checks the seal' });
  });
});

describe('a seal that fails', () => {
  const signed = episodeNamed('produced/signed-hs256');

  test('leaves an existing manifest unchanged, and an unreadable one too', async () => {
    // Without final.json the manifest alone seals nothing, and a new one takes its place.
    const dir = copyOf(signed, 'final.json');
    const before = contentOf(dir);
    let renames = 0;
    const files = failing(({ name, path }) => {
      if (name === 'rename' && path.startsWith(dir) && !path.includes('.lock')) renames += 1;
      return name === 'syncFolder' && renames === 2;
    });
    expect(await seal(dir, { force: true }, files)).toMatchObject({ code: 'unwritable' });
    expect(renames).toBeGreaterThanOrEqual(2);
    expect(contentOf(dir)['manifest.json']).toBe(before['manifest.json']);

    const other = copyOf(SAMPLE, 'final.json', 'manifest.json');
    mkdirSync(join(other, 'manifest.json'));
    expect(await seal(other, { force: true })).toMatchObject({ code: 'unwritable' });
    expect(readdirSync(other)).not.toContain('final.json');
  });

  test('is reported once if it cannot be removed either and the lock stays', async () => {
    const dir = copyOf(SAMPLE, 'final.json', 'manifest.json');
    let isBroken = false;
    const files = failing(({ name, path }) => {
      isBroken ||= name === 'rename' && path.includes('tmp');
      return isBroken && name !== 'close';
    });
    expect(await seal(dir, {}, files)).toMatchObject({ code: 'unwritable' });
    expect(readdirSync(dir)).toContain('events.jsonl.lock');
    // Whoever comes next is of the same process, which lives: the lock has to go first.
    rmSync(join(dir, 'events.jsonl.lock'));
    expect(await seal(dir)).toMatchObject({ written: expect.arrayContaining(['manifest.json']) });
  });
});

describe('a signature is refused', () => {
  const sign = async (dir: string, files: FileSystem = systemFiles) =>
    signEpisode(await found(dir), KEY, { ...realSystem, files }).catch((error: unknown) => error);

  test('if there is only a manifest, or none', async () => {
    const dir = copyOf(SAMPLE, 'final.json');
    edit(dir, 'manifest.json', (text) => {
      const manifest = JSON.parse(text) as { files: { name: string }[] };
      const files = manifest.files.filter(({ name }) => name !== 'final.json');
      return JSON.stringify({ ...manifest, files });
    });
    expect(String(await sign(dir))).toContain('a manifest alone is not a seal');
    for (const text of ['{}', 'no JSON']) {
      writeFileSync(join(dir, 'manifest.json'), text);
      expect(String(await sign(dir))).toContain('manifest.json was not changed: it is not a manifest');
      expect(readFileSync(join(dir, 'manifest.json'), 'utf8')).toBe(text);
    }
  });

  test('if it cannot be written, and the manifest stays', async () => {
    const dir = copyOf(SAMPLE);
    const before = contentOf(dir);
    expect(
      await sign(
        dir,
        failing(({ name }) => name === 'rename'),
      ),
    ).toMatchObject({
      code: 'unwritable',
      message: expect.stringContaining(`cannot sign ${dir}`),
    });
    expect(contentOf(dir)).toEqual(before);
  });
});

test('the sealed bytes match the manifest', async () => {
  const dir = copyOf(SAMPLE, 'final.json', 'manifest.json');
  await seal(dir, { key: KEY });
  const { files } = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as {
    files: { name: string; sha256: string }[];
  };
  for (const { name, sha256 } of files)
    expect(sha256).toBe(
      `sha256:${createHash('sha256')
        .update(readFileSync(join(dir, name)))
        .digest('hex')}`,
    );
});
