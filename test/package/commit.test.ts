import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commitOf } from '../../scripts/commit.mjs';
import { tempDir } from '../support/temp.ts';

test('a build of changed sources has another commit than one of the committed sources', () => {
  const folder = tempDir();
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });
  expect(commitOf(folder)).toBeUndefined();
  mkdirSync(join(folder, 'src'));
  write('src/a.ts', '1');
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'one');
  const clean = commitOf(folder);
  expect(clean).toMatch(/^[0-9a-f]{12}$/);
  write('notes.txt', 'no source');
  expect(commitOf(folder)).toBe(clean);
  const seen = new Set([clean]);
  for (const [name, text] of [
    ['src/a.ts', '2'],
    ['src/a.ts', '3'],
    ['src/b.ts', '1'],
    ['src/b.ts', '2'],
  ] as const) {
    write(name, text);
    const commit = commitOf(folder);
    expect(commit).toMatch(new RegExp(`^${clean}-dirty-[0-9a-f]{12}$`));
    seen.add(commit);
    expect(commitOf(folder)).toBe(commit);
  }
  expect(seen.size).toBe(5);
});
