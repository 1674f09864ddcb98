import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keepCompiledCode } from '../../bin/compiled-code.ts';
import { tempDir } from '../support/temp.ts';

const root = tempDir();
const user = process.getuid?.();

/** Where the code would be kept; undefined where it would not. */
function keptIn(
  home: string,
  more: { env?: Record<string, string>; user?: number } = {},
): string | undefined {
  let folder: string | undefined;
  const enable = (path: string) => {
    folder = path;
  };
  keepCompiledCode({ env: {}, home, user, enable, ...more });
  return folder;
}

const newHome = () => mkdtempSync(join(root, 'home-'));

describe.skipIf(user === undefined)('compiled code is kept', () => {
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

  test('never if others can write there, in the folder of another user, or through a link', () => {
    for (const name of ['.cache/noesis', '.cache/noesis/code'])
      for (const mode of [0o770, 0o707]) {
        const home = newHome();
        mkdirSync(join(home, name), { recursive: true });
        chmodSync(join(home, name), mode);
        expect(keptIn(home), `${name} ${mode}`).toBeUndefined();
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

  test('not without a home directory, on a system without users, or with an old Node', () => {
    expect(keptIn(join(root, 'missing'))).toBeUndefined();
    expect(existsSync(join(root, 'missing'))).toBe(false);
    const home = newHome();
    keepCompiledCode({ env: {}, home, user, enable: undefined });
    keepCompiledCode({ env: {}, home, user: undefined, enable: () => expect.unreachable() });
    expect(existsSync(join(home, '.cache'))).toBe(false);
  });
});
