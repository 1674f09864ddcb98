import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { VerifyReport } from '../../src/findings/report.ts';
import { type CacheMode, VerdictCache } from '../../src/verify/cache.ts';
import { start } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { outputIn } from '../support/json.ts';
import { simulateEpisode, writeEpisode } from '../support/simulator/episode.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const MINUTE = 60_000;

/** Sets a clock forward for what asks whether files are young: nobody can set back when they were made. */
async function later<Result>(work: () => Promise<Result>): Promise<Result> {
  const real = Date.now;
  Date.now = () => real() + MINUTE;
  try {
    return await work();
  } finally {
    Date.now = real;
  }
}

const cwd = tempDir();
const verifyInto = (cache: string, ...args: string[]) =>
  later(() => runHere(['verify', 'eps', '--cache', cache, '-j', ...args], { cwd }));
const verify = (...args: string[]) => verifyInto('kept', ...args);

interface Told {
  readonly report: VerifyReport;
  readonly used: number;
  readonly read: number;
  readonly left: number;
}

const told = (...args: string[]): Promise<Told> => toldInto('kept', ...args);

async function toldInto(folder: string, ...args: string[]): Promise<Told> {
  const { stdout, stderr } = await verifyInto(folder, ...args);
  if (stdout === '') throw new Error(stderr);
  const { cache, ...report } = outputIn(stdout) as VerifyReport;
  return { report, used: cache?.used ?? -1, read: cache?.read ?? -1, left: cache?.left ?? -1 };
}

const COUNT = 12;
let plain: VerifyReport;

beforeAll(async () => {
  for (let seed = 1; seed <= COUNT; seed += 1)
    writeEpisode(join(cwd, 'eps'), simulateEpisode({ seed, ending: seed % 4 ? 'ok' : 'running' }));
  plain = outputIn((await later(() => runHere(['verify', 'eps', '-j'], { cwd }))).stdout) as VerifyReport;
});

describe('a cache of verdicts', () => {
  test.each<CacheMode>(['stat', 'hash'])('gives what a reading gives (%s)', async (mode) => {
    const first = await told('--cache-mode', mode);
    expect(first).toEqual({ report: plain, used: 0, read: COUNT, left: 0 });
    const again = await told('--cache-mode', mode);
    expect(again).toEqual({ report: plain, used: COUNT, read: 0, left: 0 });
  });

  test('never answers for another policy or other keys', async () => {
    await told();
    expect((await told('--strict')).used).toBe(0);
    expect((await told('--rule', 'seal/open=warn')).used).toBe(0);
    writeFileSync(join(cwd, 'ops.key'), 'x'.repeat(40));
    expect((await told('--key', 'ops-1=ops.key')).used).toBe(0);
    expect((await told()).used).toBe(COUNT);
  });

  test('reads changed files again, even if their times are unchanged', async () => {
    await told();
    const [name = ''] = readdirSync(join(cwd, 'eps'));
    const log = join(cwd, 'eps', name, 'events.jsonl');
    const before = readFileSync(log);
    const { atime, mtime } = statSync(log);
    const changed = Buffer.from(before);
    changed[20] = (changed[20] ?? 0) ^ 1;
    writeFileSync(log, changed);
    utimesSync(log, atime, mtime);
    const { used, read, report } = await told();
    expect([used, read]).toEqual([COUNT - 1, 1]);
    expect(report.verdict).toBe('fail');
    writeFileSync(log, before);
    // A file that is new counts as a change too.
    writeFileSync(join(cwd, 'eps', name, 'extra.txt'), 'x');
    expect((await told()).read).toBe(1);
    expect((await told()).read).toBe(0);
    renameSync(join(cwd, 'eps', name, 'extra.txt'), join(cwd, 'eps', name, 'other.txt'));
    expect((await told()).read).toBe(1);
  });

  test('never answers for a build of another commit', async () => {
    await told();
    // The sources that run here do not know their commit; the program does if it was built in a checkout.
    const about = JSON.parse((await start(['--version', '-j']).finished()).stdout) as { commit?: string };
    const { stdout } = await start(['verify', 'eps', '--cache', 'kept', '-j'], { cwd }).finished();
    const { cache } = outputIn(stdout) as VerifyReport;
    expect(cache).toMatchObject(
      about.commit === undefined ? { used: COUNT, read: 0 } : { used: 0, read: COUNT },
    );
  });

  test('ignores damaged entries', async () => {
    const before = await told();
    const cache = join(cwd, 'kept');
    const entries = readdirSync(cache, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /^[0-9a-f]{2}.[0-9a-f]{62}$/.test(path),
    );
    expect(entries.length).toBeGreaterThanOrEqual(COUNT);
    for (const [at, path] of entries.entries()) {
      const text = readFileSync(join(cache, path), 'utf8');
      // Cut, emptied, or with a verdict that somebody made better.
      const edits = [text.slice(0, -7), '', text.replace('"verdict":"', '"verdict" :"')];
      writeFileSync(join(cache, path), edits[at % edits.length] ?? '');
    }
    const after = await told();
    expect(after.used).toBe(0);
    expect(after.report).toEqual(before.report);
  });

  test('is used by two at once', async () => {
    const [one, other] = await later(() =>
      Promise.all([
        runHere(['verify', 'eps', '--cache', 'both', '-j'], { cwd }),
        runHere(['verify', 'eps', '--cache', 'both', '-j'], { cwd }),
      ]),
    );
    expect(one.code).toBe(other.code);
    const again = outputIn(
      (await later(() => runHere(['verify', 'eps', '--cache', 'both', '-j'], { cwd }))).stdout,
    ) as VerifyReport;
    expect(again.cache?.used).toBe(COUNT);
  });

  test('that is invalid, of another version, or open to everybody, is ignored', async () => {
    mkdirSync(join(cwd, 'mine'));
    writeFileSync(join(cwd, 'mine', 'letter.txt'), 'keep me');
    mkdirSync(join(cwd, 'old'));
    writeFileSync(join(cwd, 'old', 'noesis-cache.json'), '{"schema":"noesis.cache/0"}\n');
    mkdirSync(join(cwd, 'open'));
    chmodSync(join(cwd, 'open'), 0o777);
    for (const name of ['mine', 'old', 'open']) {
      const run = await runHere(['verify', 'eps', '--cache', name, '-j'], { cwd });
      expect(run.stderr).toContain('is ignored');
      expect(JSON.parse(run.stdout)).not.toHaveProperty('cache');
    }
    expect(readdirSync(join(cwd, 'mine'))).toEqual(['letter.txt']);
    writeFileSync(join(cwd, 'file'), '');
    for (const [name, why] of [
      ['file', 'it is not a folder'],
      ['file/below', 'it cannot be used (a part of the path is not a folder)'],
    ] as const) {
      const { code, stderr } = await runHere(['verify', 'eps', '--cache', name, '-j'], { cwd });
      expect([code, stderr]).toEqual([0, `the cache ${name} is ignored: ${why}\n`]);
    }
    const inside = await runHere(
      ['verify', 'eps', '--cache', join('eps', readdirSync(join(cwd, 'eps'))[0] ?? '', 'c')],
      { cwd },
    );
    expect(inside.code).toBe(2);
  });

  const entriesUsed = async (): Promise<number | undefined> => (await toldInto('entries')).used;
  const entriesIn = (dir: string): string[] =>
    readdirSync(join(cwd, dir), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /^..\/[0-9a-f]+$/.test(name),
    );

  /** A folder that `spoil` makes a doubtful one, and an entry of another cache. */
  async function isNotBelieved(name: string, why: string, spoil: (path: string) => void): Promise<void> {
    mkdirSync(join(cwd, name), { mode: 0o700 });
    spoil(join(cwd, name));
    const run = await runHere(['verify', 'eps', '--cache', name, '-j'], { cwd });
    expect(run.stderr).toContain(`is ignored: ${why}`);
    await entriesUsed();
    expect(await entriesUsed()).toBe(COUNT);
    spoil(join(cwd, 'entries', entriesIn('entries')[0] ?? ''));
    expect(await entriesUsed()).toBe(COUNT - 1);
  }

  test('never waits for a FIFO in the place of its files', async () => {
    await entriesUsed();
    const pipe = (name: string) => {
      rmSync(join(cwd, 'entries', name), { force: true });
      execFileSync('mkfifo', ['-m', '600', join(cwd, 'entries', name)]);
    };
    pipe(entriesIn('entries')[0] ?? '');
    expect(await entriesUsed()).toBe(COUNT - 1);
    pipe('turn-2');
    expect((await toldInto('entries', '--subset', '50%')).read).toBeGreaterThan(0);
    pipe('noesis-cache.json');
    const run = await runHere(['verify', 'eps', '--cache', 'entries', '-j'], { cwd });
    expect(run.stderr).toContain('is ignored: its noesis-cache.json is not a regular file');
    rmSync(join(cwd, 'entries'), { recursive: true });
  });

  test('is not used if the group could have written to it', () =>
    isNotBelieved('group', 'others may write to it', (path) => chmodSync(path, 0o770)));

  test('is not used if another user could have written to it', async ({ skip }) => {
    if (process.getuid?.() !== 0) skip('only root can give a file to another user');
    await isNotBelieved('foreign', 'it belongs to another user', (path) => chownSync(path, 12_345, 12_345));
  });

  test('of a shard is counted in the merged report', async () => {
    const parts = tempDir();
    for (const index of [1, 2, 3])
      await verify('--shard', `${index}/3`, '-f', 'ndjson', '-o', join(parts, `${index}.ndjson`));
    const merged = outputIn((await runHere(['merge', parts, '-j'], { cwd })).stdout) as VerifyReport;
    expect((merged.cache?.used ?? 0) + (merged.cache?.read ?? 0)).toBe(COUNT);
  });
});

describe('a rolling part', () => {
  test('verifies every episode in turn, and uses known verdicts for the others', async () => {
    const run = async () => {
      const { stdout } = await later(() =>
        runHere(['verify', 'eps', '--cache', 'rolling', '--subset', '25%', '-j'], { cwd }),
      );
      return outputIn(stdout) as VerifyReport;
    };
    let known = 0;
    for (let turn = 1; turn <= 4; turn += 1) {
      const { cache, episodes } = await run();
      expect(cache?.used).toBe(known);
      known += cache?.read ?? 0;
      expect([episodes.length, cache?.left]).toEqual([known, COUNT - known]);
    }
    expect(known).toBe(COUNT);
    const fifth = await run();
    expect(fifth.cache?.left).toBe(0);
    expect((fifth.cache?.used ?? 0) + (fifth.cache?.read ?? 0)).toBe(COUNT);
    expect(fifth.cache?.read).toBeLessThan(COUNT);
  });

  test('begins with the first part if the next one is unknown', async () => {
    const args = ['verify', 'eps', '--cache', 'turns', '--subset', '50%', '-j'];
    const run = () => later(() => runHere(args, { cwd }));
    await run();
    const names = readdirSync(join(cwd, 'turns'));
    const turn = join(cwd, 'turns', names.find((name) => name.startsWith('turn')) ?? '');
    await run();
    expect(readFileSync(turn, 'utf8')).toBe('2\n');
    for (const text of ['soon', '-1']) {
      writeFileSync(turn, text);
      await run();
      expect(readFileSync(turn, 'utf8')).toBe('1\n');
    }
  });

  test('needs a cache, and a share', async () => {
    expect((await runHere(['verify', 'eps', '--subset', '10%'], { cwd })).code).toBe(2);
    for (const share of ['0%', '101%', '10', 'x']) expect((await verify('--subset', share)).code).toBe(2);
    expect((await runHere(['verify', 'eps', '--subset', '10%', '--cache', 'mine'], { cwd })).code).toBe(2);
  });
});

describe('no change is hidden', () => {
  const report = { ...({} as VerifyReport['episodes'][number]) };

  test.each<CacheMode>(['hash', 'stat'])('every byte flipped, size and time kept (%s)', async (mode) => {
    const dir = writeTree({
      'events.jsonl': '{"id":"a"}\n'.repeat(6),
      'state.json': '{"a":1}',
      'sub/x.bin': 'bytes',
    });
    const target = { name: 'ep', dir, log: join(dir, 'events.jsonl') };
    const cache = new VerdictCache({ dir: tempDir(), mode, basis: 'b' });
    const good = plain.episodes[0] ?? report;
    await later(() => cache.verify(target, async () => good));
    expect(cache.lookUp(target)).toEqual(good);
    for (const name of ['events.jsonl', 'state.json', 'sub/x.bin']) {
      const path = join(dir, name);
      const bytes = readFileSync(path);
      const { atime, mtime } = statSync(path);
      for (let at = 0; at < bytes.length; at += 1) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
        writeFileSync(path, changed);
        utimesSync(path, atime, mtime);
        expect(cache.lookUp(target)).toBeUndefined();
      }
      writeFileSync(path, bytes);
      utimesSync(path, atime, mtime);
    }
    // A restored file: its bytes are the same, the times of its inode are not.
    if (mode === 'hash') expect(cache.lookUp(target)).toEqual(good);
  });

  test.each<CacheMode>(['hash', 'stat'])(
    'the target of a link, and something that is not a file (%s)',
    async (mode) => {
      const dir = writeTree({ 'events.jsonl': '{}\n', 'linked.bin': 'one' });
      symlinkSync('linked.bin', join(dir, 'link'));
      const target = { name: 'ep', dir, log: join(dir, 'events.jsonl') };
      const cache = new VerdictCache({ dir: tempDir(), mode, basis: 'b' });
      const good = plain.episodes[0] ?? report;
      const isKnown = async (change: () => void) => {
        await later(() => cache.verify(target, async () => good));
        expect(cache.lookUp(target)).toEqual(good);
        change();
        return cache.lookUp(target) !== undefined;
      };
      expect(await isKnown(() => writeFileSync(join(dir, 'linked.bin'), 'two'))).toBe(false);
      expect(
        await isKnown(() => {
          rmSync(join(dir, 'link'));
          symlinkSync('events.jsonl', join(dir, 'link'));
        }),
      ).toBe(false);
      expect(await isKnown(() => execFileSync('mkfifo', [join(dir, 'pipe')]))).toBe(false);
      expect(await isKnown(() => rmSync(join(dir, 'pipe')))).toBe(false);
    },
  );

  test('a temporary verdict is not cached, nor one of a folder that is gone, nor in a read-only cache', async () => {
    const dir = writeTree({ 'events.jsonl': '{}\n' });
    const target = { name: 'ep', dir, log: join(dir, 'events.jsonl') };
    const folder = tempDir();
    const cache = new VerdictCache({ dir: folder, mode: 'stat', basis: 'b' });
    const good = plain.episodes[0] ?? report;
    const unreadable = { code: 'artifact/unreadable', severity: 'error', message: 'm', file: 'f' } as const;
    const passing = { ...good, findings: [unreadable] };
    expect(await later(() => cache.verify(target, async () => passing))).toBe(passing);
    expect(readdirSync(folder)).toEqual([]);
    const gone = { ...target, dir: join(dir, 'gone') };
    expect(await later(() => cache.verify(gone, async () => good))).toBe(good);
    expect(readdirSync(folder)).toEqual([]);
    await later(() => cache.verify(target, async () => good));
    const [part = ''] = readdirSync(folder);
    rmSync(join(folder, part), { recursive: true });
    writeFileSync(join(folder, part), 'in its place');
    expect(await later(() => cache.verify(target, async () => good))).toBe(good);
    expect(readdirSync(folder)).toEqual([part]);
    expect(cache.lookUp(target)).toBeUndefined();
    // A folder has the name of the entry, so the temporary file next to it is removed.
    rmSync(join(folder, part));
    await later(() => cache.verify(target, async () => good));
    const [entry = ''] = readdirSync(join(folder, part));
    rmSync(join(folder, part, entry));
    mkdirSync(join(folder, part, entry, 'inner'), { recursive: true });
    expect(await later(() => cache.verify(target, async () => good))).toBe(good);
    expect(readdirSync(join(folder, part))).toEqual([entry]);
  });

  test('an entry without a report, or of another target, is ignored', async () => {
    const dir = writeTree({ 'events.jsonl': '{}\n' });
    const target = { name: 'ep', dir, log: join(dir, 'events.jsonl') };
    const folder = tempDir();
    const cache = new VerdictCache({ dir: folder, mode: 'hash', basis: 'b' });
    const good = plain.episodes[0] ?? report;
    await later(() => cache.verify(target, async () => good));
    const [path = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) =>
      one.includes('/'),
    );
    const entry = JSON.parse(readFileSync(join(folder, path), 'utf8').slice(65)) as object;
    const edited = (members: object) => {
      const body = JSON.stringify({ ...entry, ...members });
      writeFileSync(join(folder, path), `${hash('sha256', body, 'hex')}\n${body}`);
      return cache.lookUp(target);
    };
    expect(edited({})).toEqual(good);
    for (const members of [{ report: { verdict: 'ok' } }, { name: 'other' }, { basis: 'c' }, { schema: 'x' }])
      expect(edited(members)).toBeUndefined();
  });

  test('recently changed files are not cached', async () => {
    const dir = writeTree({ 'events.jsonl': '{}\n' });
    const target = { name: 'ep', dir, log: join(dir, 'events.jsonl') };
    const cache = new VerdictCache({ dir: tempDir(), mode: 'stat', basis: 'b' });
    const good = plain.episodes[0] ?? report;
    await cache.verify(target, async () => good);
    expect(cache.lookUp(target)).toBeUndefined();
    await later(() =>
      cache.verify(target, async () => {
        writeFileSync(join(dir, 'late.txt'), 'x');
        return good;
      }),
    );
    expect(cache.lookUp(target)).toBeUndefined();
    await later(() => cache.verify({ ...target, dir: undefined }, async () => good));
    expect(cache.lookUp({ ...target, dir: undefined })).toBeUndefined();
  });
});
