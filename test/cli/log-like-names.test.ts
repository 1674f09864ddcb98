import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { VerifyReport } from '../../src/findings/report.ts';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const BAD = '{"id":"a","phase":"start","payload":{},"episode_id":"ep_b"}\n'.repeat(2);

const COMPRESSED = 'noesis cannot read this compression';
const NAME = 'logs with such names are not read';
const file = (text: string | Uint8Array) => (path: string) => writeFileSync(path, text);
const folder = (path: string) => mkdirSync(path);
const fifo = (path: string) => void execFileSync('mkfifo', [path]);

/** Files that may hide a log, how they are made, and why they are not read. */
const HIDING: readonly (readonly [string, (path: string) => void, string])[] = [
  ['events.jsonl.xz', file('\u00fd7zXZ'), COMPRESSED],
  ['events.jsonl.bz2', file('BZh9'), COMPRESSED],
  ['events.jsonl.bak', file(BAD), NAME],
  ['events.jsonl~', file(BAD), NAME],
  ['events.jsonl ', file(BAD), NAME],
  ['events.jsonl.1', file(BAD), NAME],
  ['.events.jsonl.swp', file(BAD), NAME],
  ['events.log', file(BAD), NAME],
  ['events.json', file('{"any":1}\n'), NAME],
  ['events.txt', file(BAD), NAME],
  ['events', file(BAD), NAME],
  ['events.backup', file(BAD), NAME],
  ['events.GZ', file(gzipSync(BAD)), NAME],
  ['event-log.txt', file(BAD), NAME],
  ['other.jsonl', file('{"any":1}\n'), 'its dialect is not known'],
  ['other.tar', file('no tar'), 'archives in a folder are not opened'],
  ['other.jsonl', folder, 'it is a folder with the name of a log'],
  ['event-log.jsonl', fifo, 'it is not a regular file'],
];

/** In place of the log of an episode. */
const INSTEAD: readonly (readonly [string, (path: string) => void, string])[] = [
  ...HIDING,
  ['events.jsonl', folder, 'it is a folder with the name of a log'],
  ['events.jsonl', fifo, 'it is not a regular file'],
];

/** An episode that nothing has sealed. */
function openEpisode(folder: string) {
  const episode = episodeIn(folder, GOOD);
  for (const name of ['final.json', 'manifest.json']) rmSync(join(episode.dir, name));
  return episode;
}

async function verified(cwd: string, ...args: string[]) {
  const { code, stdout } = await runHere(['verify', '.', '-j', ...args], { cwd });
  const report = JSON.parse(stdout) as VerifyReport;
  const findings = report.episodes.flatMap((episode) => episode.findings);
  return { code, report, named: findings.filter((finding) => finding.code === 'verify/not-verified') };
}

describe('a name that may belong to a log', () => {
  test.each(HIDING)('is reported next to a log: %j', async (name, make, why) => {
    const cwd = tempDir();
    const { dir, id } = openEpisode(cwd);
    make(join(dir, name));
    const { code, named } = await verified(cwd);
    expect(named.map(({ message, file, severity }) => [message, file, severity])).toEqual([
      [`${why}: nothing in it was verified`, `${id}/${name}`, 'info'],
    ]);
    expect(code).toBe(0);
    const strict = await verified(cwd, '--strict', '--rule', 'seal/missing=off');
    expect([strict.code, strict.named.map(({ severity }) => severity)]).toEqual([1, ['warn']]);
    for (const command of ['list', 'stats']) {
      const { stderr } = await runHere([command, '.'], { cwd });
      expect([command, stderr]).toEqual([command, expect.stringContaining(`${name} (${why})`)]);
    }
  });

  test.each(INSTEAD)('is reported in place of a log: %j', async (name, make, why) => {
    const cwd = tempDir();
    const { dir, log } = openEpisode(join(cwd, '.noesis/episodes'));
    renameSync(log, join(tempDir(), 'away'));
    make(join(dir, name));
    const { code, named, report } = await verified(cwd);
    expect(named.map(({ message }) => message)).toEqual([`${why}: nothing in it was verified`]);
    expect([code, report.verdict]).toEqual([1, 'fail']);
    for (const args of [['list', '.'], ['list'], ['export', '.', '--format', 'otlp']]) {
      const { stderr } = await runHere(args, { cwd });
      expect([args, stderr]).toEqual([args, expect.stringContaining(`${name} (${why})`)]);
    }
  });

  test.each(INSTEAD)('is reported if it is alone: %j', async (name, make, why) => {
    const cwd = tempDir();
    make(join(cwd, name));
    for (const command of ['verify', 'list']) {
      const { code, stderr } = await runHere([command, '.'], { cwd });
      expect([command, code, stderr]).toEqual([command, 3, expect.stringContaining(`${name} (${why})`)]);
    }
  });

  test.each([
    'events.jsonl.lock',
    'events.jsonl.sha256',
    'events.jsonl.asc',
    'my-events.md',
    'eventslog',
    'events.ts',
  ])('is not %s', async (name) => {
    const cwd = tempDir();
    const { dir } = openEpisode(cwd);
    writeFileSync(join(dir, name), 'x');
    expect((await verified(cwd)).named).toEqual([]);
    expect((await runHere(['list', '.'], { cwd })).stderr).not.toContain('not read');
  });

  test('is not one that the manifest lists: its bytes are verified', async () => {
    const cwd = tempDir();
    const { dir } = openEpisode(cwd);
    writeFileSync(join(dir, 'other.jsonl'), '{"any":1}\n');
    expect((await runHere(['seal', dir])).code).toBe(0);
    const { code, named } = await verified(cwd, '--strict');
    expect([code, named]).toEqual([0, []]);
    writeFileSync(join(dir, 'events.jsonl.bak'), BAD);
    expect((await verified(cwd, '--strict')).code).toBe(1);
  });

  test('is counted if there are many', async () => {
    const cwd = tempDir();
    const { dir } = openEpisode(cwd);
    for (let index = 1; index <= 7; index += 1) writeFileSync(join(dir, `events.jsonl.${index}`), BAD);
    expect((await runHere(['list', '.'], { cwd })).stderr).toContain('such names are not read), 2 more');
  });
});
