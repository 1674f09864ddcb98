import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockOf, ownerLine } from '../../src/write/lock-file.ts';
import { systemProcesses } from '../../src/write/processes.ts';
import { EXAMPLES, LAUNCH, noesis, unprivileged } from '../support/cli.ts';
import { tempDir } from '../support/temp.ts';

// Places that a machine has: folders that one may not write to, disks that are full or read-only.

const OPEN = join(EXAMPLES, '.noesis/episodes/ep_01KJQ38XW0B21102BHVMR95HBJ');
const SEALED = join(EXAMPLES, '.noesis/episodes/ep_01KJPWD6M0GKJVH2GKEFTDNN55');
const KEY = join(EXAMPLES, 'keys/ops-1.key');
const EVENT = '{"phase":"reason","payload":{"text":"x"}}';

/** The reason that a failed command prints once. */
const failureIn = (stderr: string): string =>
  (JSON.parse(stderr) as { error: { message: string } }).error.message;

/** All files below a folder. */
const contentOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      return `${name} ${statSync(path).isFile() ? readFileSync(path, 'utf8') : ''}`;
    });

/** Each command that writes, for a copy of the examples in a folder, and its error message. */
const COMMANDS: readonly [what: string, source: string, args: (dir: string) => readonly string[]][] = [
  ['append to', OPEN, (dir) => ['append', dir, '--event', EVENT]],
  ['seal', OPEN, (dir) => ['seal', dir, '--force']],
  ['sign', SEALED, (dir) => ['sign', dir, '--key', `ops-1=${KEY}`]],
  ['write', OPEN, (dir) => ['salvage', dir, '-o', join(dir, '../copy')]],
];

describe.each(COMMANDS)('a command that is to %s', (what, source, args) => {
  test('reports the refusal once, ends with 1, or 2 for a named output, and changes nothing', async () => {
    const folder = tempDir();
    const dir = join(folder, basename(source));
    cpSync(source, dir, { recursive: true });
    const who = unprivileged(folder);
    for (const path of [dir, folder]) chmodSync(path, 0o555);
    const before = contentOf(folder);
    const { code, stdout, stderr } = await noesis([...args(dir), '-j'], who);
    expect(failureIn(stderr)).toMatch(new RegExp(`^cannot ${what} .*permission denied`));
    expect([code, stdout, contentOf(folder)]).toEqual([what === 'write' ? 2 : 1, '', before]);
    for (const path of [folder, dir]) chmodSync(path, 0o755);
  });

  test('reports an unreadable folder, and ends with 3 if it has to read it first', async () => {
    const folder = tempDir();
    const dir = join(folder, basename(source));
    cpSync(source, dir, { recursive: true });
    const who = unprivileged(folder);
    if (who.user) chownSync(folder, who.user.uid, who.user.gid);
    chmodSync(dir, 0);
    const { code, stdout, stderr } = await noesis([...args(dir), '-j'], who);
    chmodSync(dir, 0o755);
    expect(failureIn(stderr)).toMatch(/^cannot .*permission denied/);
    expect([code, stdout]).toEqual([what === 'append to' ? 1 : 3, '']);
  });
});

/** Runs a script where it may mount what nobody else sees. */
const apart = (script: string, words: readonly string[]) =>
  spawnSync('unshare', ['--mount', '--map-root-user', 'sh', '-euc', script, ...words], {
    encoding: 'utf8',
    input: '',
    env: { ...process.env, COLUMNS: '80' },
  });
const place = tempDir();
const canMount = apart('mount -t tmpfs none "$0"', [place]).status === 0;
if (!canMount) console.log('nothing can be mounted here: disks that are full or read-only are left out');

const BROKEN = {
  'has no space left': ['head -c 1m /dev/zero > "$0/fill" 2> /dev/null || true', 'no space left'],
  'is read-only': ['mount -o remount,bind,ro "$0"', 'the file system is read-only'],
} as const;

describe.skipIf(!canMount).each(Object.entries(BROKEN))(
  'a disk that %s (where it can be mounted)',
  (_name, [breaks, reason]) => {
    test.each(COMMANDS)('a command that is to %s says so once and changes nothing', (what, source, args) => {
      const dir = join(place, basename(source));
      const sums = 'find "$0" -type f ! -name fill -exec cksum {} + | sort';
      const script = `
      mount -t tmpfs -o size=64k none "$0"
      cp -r "${source}" "$0"
      ${breaks}
      before=$(${sums})
      code=0
      ${LAUNCH} "$@" || code=$?
      [ "$before" = "$(${sums})" ] || echo CHANGED
      exit $code`;
      const { status, stdout, stderr } = apart(script, [place, ...args(dir), '-j']);
      expect(failureIn(stderr)).toMatch(new RegExp(`^cannot ${what} .*${reason}`));
      expect([status, stdout]).toEqual([1, '']);
    });
  },
);

/** A copy of an episode whose log this process has locked. */
function heldEpisode(): string {
  const dir = join(tempDir(), basename(OPEN));
  cpSync(OPEN, dir, { recursive: true });
  const lock = lockOf(join(dir, 'events.jsonl'));
  writeFileSync(lock, ownerLine({ noesis: 'lock/1', token: 'mine', ...systemProcesses.self }));
  return dir;
}

test('a log that a living process has locked is not written to, and its lock is not taken', async () => {
  const dir = heldEpisode();
  const before = contentOf(dir);
  const { code, stdout, stderr } = await noesis(['append', dir, '--event', EVENT, '--wait', '0', '-j']);
  expect(failureIn(stderr)).toMatch(/^process \d+ on .* is writing to .*: nothing was written$/);
  expect([code, stdout, contentOf(dir)]).toEqual([1, '', before]);
});

test('a waiting writer reports the holder of the lock once', async () => {
  const { code, stderr } = await noesis(['append', heldEpisode(), '--event', EVENT, '--wait', '2']);
  expect(stderr).toMatch(
    /^waiting for process \d+ on \S+, which holds the lock of this log\nerror: process \d+ on/,
  );
  expect(code).toBe(1);
});

test('a log with another name is not appended to: that one may be of a sealed episode', async () => {
  const folder = tempDir();
  const log = join(SEALED, 'events.jsonl');
  cpSync(log, join(folder, 'sealed.jsonl'));
  linkSync(join(folder, 'sealed.jsonl'), join(folder, 'events.jsonl'));
  const { code, stderr } = await noesis(['append', join(folder, 'events.jsonl'), '--event', EVENT, '-j']);
  expect([code, failureIn(stderr)]).toEqual([1, expect.stringContaining('hard links')]);
  expect(readFileSync(join(folder, 'sealed.jsonl'), 'utf8')).toBe(readFileSync(log, 'utf8'));
});
