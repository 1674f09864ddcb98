import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

// Commands that write open a log, its lock and its manifest. Anything but a regular file in their place would let them
// wait for ever, or change a file elsewhere.

const KINDS: Readonly<Record<string, (path: string, log: string) => void>> = {
  'a FIFO': (path) => execFileSync('mkfifo', [path]),
  'a device': (path) => symlinkSync('/dev/zero', path),
  'a dangling symlink': (path) => symlinkSync('nowhere', path),
  'a looping symlink': (path) => symlinkSync(path, path),
  'a symlink to a log elsewhere': (path, log) => symlinkSync(log, path),
  'a folder': (path) => mkdirSync(path),
};

const COMMANDS: readonly (readonly [file: string, args: readonly string[]])[] = [
  ['events.jsonl.lock', ['append', '--wait', '1']],
  ['events.jsonl', ['append', '--wait', '1']],
  ['events.jsonl.lock', ['seal', '--force']],
  ['events.jsonl', ['seal', '--force']],
  ['manifest.json', ['seal', '--force']],
  ['final.json', ['seal', '--force']],
  ['summary.json', ['seal', '--force']],
  ['learn.jsonl', ['seal', '--force']],
  ['manifest.json', ['sign', '--key', 'a=secret']],
];

const EVENT = '{"phase":"insight","payload":{"text":"a new insight"}}\n';

test.each(Object.entries(KINDS))(
  'a writer that finds %s in place of a file says so and ends',
  async (kind, put) => {
    for (const [file, [command = '', ...options]] of COMMANDS) {
      const cwd = writeTree({ secret: 'a secret of these tests, of 32 bytes and more' });
      const outside = join(cwd, 'outside.jsonl');
      const { dir } = episodeIn(cwd, GOOD);
      for (const name of ['manifest.json', 'final.json', file]) {
        if (name === 'events.jsonl') execFileSync('mv', [join(dir, name), outside]);
        else rmSync(join(dir, name), { force: true });
      }
      if (file !== 'events.jsonl') execFileSync('cp', [join(dir, 'events.jsonl'), outside]);
      put(join(dir, file), outside);
      const [names, foreign] = [readdirSync(dir), readFileSync(outside)];
      const since = performance.now();
      const { code, stderr } = await runHere([command, dir, ...options], { cwd, input: EVENT });
      const told = { kind, file, command, code, stderr };
      // 1: it could not be written; 3: it could not be read.
      expect([1, 3], JSON.stringify(told)).toContain(code);
      expect(stderr.match(/^error: /gm), JSON.stringify(told)).toHaveLength(1);
      expect(stderr).toContain(file === 'events.jsonl' && kind === 'a folder' ? dir : file);
      expect(stderr).toMatch(/a FIFO|a symlink|a folder|not a regular file/);
      expect([readdirSync(dir), readFileSync(outside)]).toEqual([names, foreign]);
      expect(performance.now() - since).toBeLessThan(20_000);
    }
  },
  60_000,
);

test('a log behind a symlink that the user named is written to', async () => {
  const cwd = writeTree({});
  const { dir } = episodeIn(cwd, GOOD);
  for (const name of ['manifest.json', 'final.json']) rmSync(join(dir, name), { force: true });
  symlinkSync(join(dir, 'events.jsonl'), join(cwd, 'link.jsonl'));
  const { code, stderr } = await runHere(['append', 'link.jsonl'], { cwd, input: EVENT });
  expect([code, stderr]).toEqual([0, '']);
});
