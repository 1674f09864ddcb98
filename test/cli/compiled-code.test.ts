import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { codeFolder, type Surroundings } from '../../bin/code-folder.ts';
import { embeddedLoader } from '../../bin/embedded.ts';
import { keepingLoader } from '../../bin/kept-code.ts';
import { BIN, IS_SCRIPT } from '../support/cli.ts';
import { tempDir, tempFile, writeTree } from '../support/temp.ts';

/** The files in the executable. */
const assets = vi.hoisted(() => new Map<string, Buffer>());
vi.mock('node:sea', () => ({
  getRawAsset: (name: string) => {
    const code = 'ERR_SINGLE_EXECUTABLE_APPLICATION_ASSET_NOT_FOUND';
    if (!assets.has(name)) throw Object.assign(new Error(name), { code });
    return assets.get(name);
  },
}));

const root = tempDir();
const user = process.getuid?.();

/** Where the code would be kept; undefined where it would not. */
const keptIn = (home: string, more: Partial<Surroundings> = {}): string | undefined =>
  codeFolder({ env: {}, home, user, ...more });

const newHome = () => mkdtempSync(join(root, 'home-'));

describe.skipIf(user === undefined)('compiled code is kept (where users have ids)', () => {
  test('in a folder of the home directory that nobody else can read or write', () => {
    const home = newHome();
    const folder = join(home, '.cache/noesis/code');
    expect(keptIn(home)).toBe(folder);
    for (const path of [folder, join(folder, '..')]) expect(lstatSync(path).mode & 0o777).toBe(0o700);
    expect(keptIn(home)).toBe(folder);
  });

  test('in XDG_CACHE_HOME, unless that is a relative path', () => {
    const home = newHome();
    const cache = join(home, 'own-cache');
    expect(keptIn(home, { env: { XDG_CACHE_HOME: cache } })).toBeUndefined();
    mkdirSync(cache);
    expect(keptIn(home, { env: { XDG_CACHE_HOME: cache } })).toBe(join(cache, 'noesis/code'));
    expect(keptIn(home, { env: { XDG_CACHE_HOME: 'here' } })).toBe(join(home, '.cache/noesis/code'));
  });

  test('never if others can write to it, in the folder of another user, or through a link', () => {
    for (const name of ['.cache/noesis', '.cache/noesis/code'])
      for (const mode of [0o770, 0o707]) {
        const home = newHome();
        mkdirSync(join(home, name), { recursive: true });
        chmodSync(join(home, name), mode);
        expect(keptIn(home), `${name} ${mode}`).toBeUndefined();
      }
    for (const above of ['.', '.cache', 'caches']) {
      const home = newHome();
      for (const name of ['.cache', 'caches/own']) mkdirSync(join(home, name), { recursive: true });
      const env = above === 'caches' ? { XDG_CACHE_HOME: join(home, 'caches/own') } : {};
      expect(keptIn(home, { env }), above).toBeDefined();
      chmodSync(join(home, above), 0o777);
      expect(keptIn(home, { env }), above).toBeUndefined();
      // In such a folder only the owner of a file can rename it.
      chmodSync(join(home, above), 0o1777);
      expect(keptIn(home, { env }) !== undefined, above).toBe(above === 'caches');
    }
    const home = newHome();
    expect(keptIn(home, { user: (user ?? 0) + 1 })).toBeUndefined();
    // Nothing is made in the home of another.
    expect(existsSync(join(home, '.cache'))).toBe(false);
    mkdirSync(join(home, '.cache'));
    mkdirSync(join(home, 'elsewhere'));
    symlinkSync(join(home, 'elsewhere'), join(home, '.cache/noesis'));
    expect(keptIn(home)).toBeUndefined();
  });

  test('in the folder that links lead to, which others cannot change afterwards', () => {
    const home = newHome();
    mkdirSync(join(home, 'real/caches'), { recursive: true });
    symlinkSync('real', join(home, 'link'));
    const env = { XDG_CACHE_HOME: join(home, 'link/caches') };
    expect(keptIn(home, { env })).toBe(join(home, 'real/caches/noesis/code'));
    chmodSync(join(home, 'real'), 0o777);
    expect(keptIn(home, { env })).toBeUndefined();
  });

  test('not below the working directory if the home directory is a relative path', () => {
    const here = process.cwd();
    try {
      process.chdir(newHome());
      mkdirSync('home');
      for (const home of ['home', '.', '']) expect(keptIn(home), home).toBeUndefined();
      expect(readdirSync('home')).toEqual([]);
    } finally {
      process.chdir(here);
    }
  });

  test('is not stored if NODE_DISABLE_COMPILE_CACHE is set', () => {
    const home = newHome();
    expect(keptIn(home, { env: { NODE_DISABLE_COMPILE_CACHE: '1' } })).toBeUndefined();
    expect(existsSync(join(home, '.cache'))).toBe(false);
  });

  test('not without a home directory, and not on a system without users', () => {
    expect(keptIn(join(root, 'missing'))).toBeUndefined();
    expect(existsSync(join(root, 'missing'))).toBe(false);
    const home = newHome();
    expect(keptIn(home, { user: undefined })).toBeUndefined();
    expect(existsSync(join(home, '.cache'))).toBe(false);
  });
});

test.skipIf(!IS_SCRIPT)('threads find every file of a build in a folder of any name', () => {
  const renamed = join(tempDir(), 'renamed');
  cpSync(join(BIN, '../..'), renamed, { recursive: true });
  const chunks = join(renamed, 'chunks');
  const users = readdirSync(chunks).filter((name) =>
    /zod\.cjs"|"#zod"/.test(readFileSync(join(chunks, name), 'utf8')),
  );
  expect(users).not.toEqual([]);
  // A thread loads files as Node does, without the loader.
  const script = users.map((name) => `require(${JSON.stringify(join(chunks, name))})`).join(';');
  expect(spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
});

describe('the loader', () => {
  const bundle = writeTree({
    'start.cjs': `const { twice } = require('./parts/twice.cjs');
      module.exports = { four: twice(2), again: require('./parts/twice.cjs').twice === twice, __filename };`,
    'parts/twice.cjs': `module.exports = { twice: (n) => 2 * n, name: require('node:path').basename(__filename) };`,
    'other.cjs': 'exports.other = require("./other.cjs") === exports;',
  });
  const storeIn = (folder: string, build = 'a') => ({ folder, build, command: 'show' });
  const machine = `${process.version}-${process.platform}-${process.arch}`;
  const fileIn = (folder: string, build = 'a') => join(folder, `${build}-${machine}`, 'show');

  /** Runs a file of the bundle and keeps the code; whether the file with the code was written. */
  function ran(path: string, folder: string, build?: string): { exports: unknown; wrote: boolean } {
    const file = fileIn(folder, build);
    const inode = () => lstatSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
    const before = inode();
    const { load, keep } = keepingLoader(bundle, storeIn(folder, build));
    const exports = load(path);
    keep();
    expect(readdirSync(join(file, '..'))).toEqual(['show']);
    return { exports, wrote: inode() !== before };
  }

  const exported = { four: 4, again: true, __filename: join(bundle, 'start.cjs') };

  test('keeps compiled code for the next run, and adds the code of further files', () => {
    const folder = newHome();
    expect(ran('start.cjs', folder)).toEqual({ exports: exported, wrote: true });
    expect(ran('start.cjs', folder)).toEqual({ exports: exported, wrote: false });
    expect(ran('other.cjs', folder)).toEqual({ exports: { other: true }, wrote: true });
    expect(ran('start.cjs', folder).wrote).toBe(false);
    expect(lstatSync(fileIn(folder)).mode & 0o777).toBe(0o600);
  });

  test('does not run code of another build, and never damaged code', () => {
    const folder = newHome();
    ran('start.cjs', folder);
    const whole = readFileSync(fileIn(folder));
    for (let at = 0; at < whole.length; at += 97) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      writeFileSync(fileIn(folder), damaged);
      expect(ran('start.cjs', folder), `byte ${at}`).toEqual({ exports: exported, wrote: true });
    }
    expect(ran('start.cjs', folder, 'b').wrote).toBe(true);
  });

  test('does not run the code of a source that was changed, also if it is as long as before', () => {
    const folder = newHome();
    const changed = writeTree({ 'start.cjs': 'module.exports = 1;' });
    const run = () => {
      const { load, keep } = keepingLoader(changed, storeIn(folder));
      const exports = load('start.cjs');
      keep();
      return exports;
    };
    expect([run(), run()]).toEqual([1, 1]);
    writeFileSync(join(changed, 'start.cjs'), 'module.exports = 2;');
    expect([run(), run()]).toEqual([2, 2]);
  });

  test('deletes the code of builds that are a month old when a new build begins', () => {
    const folder = newHome();
    for (const build of ['old', 'new']) ran('start.cjs', folder, build);
    const aMonthAgo = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
    utimesSync(join(fileIn(folder, 'old'), '..'), aMonthAgo, aMonthAgo);
    ran('start.cjs', folder, 'newest');
    expect(readdirSync(folder).sort()).toEqual([`new-${machine}`, `newest-${machine}`]);
  });

  test('loads without a folder for the code, and where it cannot write', () => {
    const { load, keep } = keepingLoader(bundle, undefined);
    expect(load('start.cjs')).toEqual(exported);
    keep();
    const nowhere = keepingLoader(bundle, storeIn(join(bundle, 'start.cjs')));
    expect(nowhere.load('start.cjs')).toEqual(exported);
    nowhere.keep();
  });

  test('of the executable runs the code of the command, or else of events, or else compiles', () => {
    // V8 runs the code of any source that is as long, but remembers what it has compiled.
    const loaded = (command: string, source: string) => {
      assets.set('start.cjs', Buffer.from(source));
      return embeddedLoader(command)('start.cjs');
    };
    const codeOf = (source: string) => {
      const folder = newHome();
      const { load, keep } = keepingLoader(writeTree({ 'start.cjs': source }), storeIn(folder));
      load('start.cjs');
      keep();
      return readFileSync(fileIn(folder));
    };
    expect(loaded('show', 'module.exports = 1;')).toBe(1);
    assets.set('code/events', codeOf('module.exports = 2;'));
    assets.set('code/show', codeOf('module.exports = 3;'));
    expect(loaded('show', 'module.exports = 4;')).toBe(3);
    expect(loaded('append', 'module.exports = 5;')).toBe(2);
    assets.set('code/show', Buffer.from('damaged'));
    expect(() => loaded('show', 'module.exports = 6;')).toThrow(SyntaxError);
    expect(() => embeddedLoader('events')('missing.cjs')).toThrow('missing.cjs');
  });
});

test.skipIf(!IS_SCRIPT || user === undefined)(
  'a command keeps its code in the home directory, and an unknown command keeps nothing',
  () => {
    const home = newHome();
    const log = tempFile('{"type":"note"}\n', 'log.jsonl');
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [BIN, ...args], {
        encoding: 'utf8',
        timeout: 120_000,
        env: { HOME: home, PATH: process.env['PATH'], NO_COLOR: '1' },
      });
    const first = run('events', log);
    expect(first.status).toBe(0);
    const code = join(home, '.cache/noesis/code');
    const [build = ''] = readdirSync(code);
    const file = join(code, build, 'events');
    const { ino } = lstatSync(file);
    expect(run('events', log).stdout).toBe(first.stdout);
    expect(lstatSync(file).ino).toBe(ino);
    expect(run('nocommand').status).toBe(2);
    expect(readdirSync(join(code, build))).toEqual(['events']);
    // A named pipe would wait for somebody to write to it.
    rmSync(file);
    execFileSync('mkfifo', [file]);
    expect(run('events', log).stdout).toBe(first.stdout);
    expect(lstatSync(file).isFile()).toBe(true);
    // Help needs little of the code of a command. Without a command, there is nothing else to print.
    expect(run().status).toBe(2);
    expect(readdirSync(join(code, build))).toEqual(['events', 'help']);
    expect([run('show', '--help'), run('read', '-h')].map(({ status }) => status)).toEqual([0, 0]);
    expect(readdirSync(join(code, build))).toEqual(['events', 'help']);
    // A long run changes how V8 compiles, and changes it back before the code is kept.
    const long = tempFile('{"type":"note"}\n'.repeat(300_000), 'long.jsonl');
    const kept = join(code, build, 'stats');
    expect(run('stats', long).status).toBe(0);
    const inode = lstatSync(kept).ino;
    expect(run('stats', long).status).toBe(0);
    expect(lstatSync(kept).ino).toBe(inode);
  },
);
