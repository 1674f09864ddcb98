import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type EpisodeReport, type VerifyReport, verifyEpisode } from '../../src/library/index.ts';
import { type MadeEntry, makeTar } from '../support/archives.ts';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { tempDir, writeTree } from '../support/temp.ts';

// No way of naming a target may end with 0 while a log that `find` sees was neither verified nor named.

/** A repeated id: each line is a record, but the log is faulty. */
const LEDGER = '{"id":"a","run_id":"r","turn":0,"kind":"run.started","payload":{}}\n'.repeat(2);

/** Changes to a folder with two intact episodes; `other` is one of them. */
type Fault = (folder: string, other: string) => void;

const FAULTS: Readonly<Record<string, Fault>> = {
  damaged: (_, other) => appendFileSync(join(other, 'events.jsonl'), '{"torn'),
  tampered: (_, other) => {
    const log = join(other, 'events.jsonl');
    writeFileSync(log, readFileSync(log, 'utf8').replace(/"timestamp":"20/, '"timestamp":"19'));
  },
  foreign: (folder) => writeTree({ 'foreign/any-name.jsonl': LEDGER }, folder),
  'next to an intact log': (_, other) => writeTree({ 'any-name.jsonl': LEDGER }, other),
  'hidden below an intact episode': (_, other) => writeTree({ 'a/b/any-name.jsonl': LEDGER }, other),
  'hidden by artifacts above': (folder, other) => {
    appendFileSync(join(other, 'events.jsonl'), '{"torn');
    const above = episodeIn(tempDir(), { ...GOOD, seed: 7 });
    for (const name of ['events.jsonl', 'state.json']) cpSync(join(above.dir, name), join(folder, name));
  },
  compressed: (folder) =>
    writeTree({ 'packed/any-name.jsonl.gz': gzipSync(LEDGER), 'packed/notes.txt': 'x' }, folder),
  'compressed inside an episode': (_, other) => {
    const log = join(other, 'events.jsonl');
    writeFileSync(`${log}.gz`, gzipSync(readFileSync(log, 'utf8').repeat(2)));
  },
  linked: (folder) => {
    const outside = writeTree({ 'a/b/ep_b/any-name.jsonl': LEDGER });
    symlinkSync(outside, join(folder, 'link'));
  },
  'a link that leads nowhere': (_, other) => {
    const log = join(other, 'events.jsonl');
    renameSync(log, `${log}.gone`);
    symlinkSync('nowhere.jsonl', log);
  },
  'a folder in place of a log': (_, other) => {
    rmSync(join(other, 'events.jsonl'));
    mkdirSync(join(other, 'events.jsonl'));
  },
  'a pipe in place of a log': (_, other) => {
    rmSync(join(other, 'events.jsonl'));
    execFileSync('mkfifo', [join(other, 'events.jsonl')]);
  },
  'a log that gives input/output errors': (_, other) => {
    rmSync(join(other, 'events.jsonl'));
    symlinkSync('/proc/self/mem', join(other, 'events.jsonl'));
  },
  // The superuser may read everything.
  ...(process.getuid?.() !== 0 && {
    'without permission': (_: string, other: string) => chmodSync(join(other, 'events.jsonl'), 0),
  }),
  'a link to a log outside': (folder) => {
    const outside = writeTree({ 'any-name.jsonl': LEDGER });
    mkdirSync(join(folder, 'ep_linked'));
    symlinkSync(join(outside, 'any-name.jsonl'), join(folder, 'ep_linked', 'a.jsonl'));
  },
  'of no known format': (folder) => writeTree({ 'unknown/any.jsonl': '{"any":1}\n' }, folder),
};

/** Names are bytes. Those that are not valid UTF-8 cannot be given to a command as they are. */
const STRANGE_NAMES: Readonly<Record<string, Fault>> = {
  'in a folder whose name is not valid UTF-8': (folder, other) => {
    renameSync(other, Buffer.concat([Buffer.from(`${folder}/ep_`), Buffer.from([0xff])]));
  },
  'in such a folder, next to one with the name that it seems to have': (folder, other) => {
    const strange = Buffer.concat([Buffer.from(`${folder}/ep_`), Buffer.from([0xff])]);
    cpSync(other, join(folder, 'ep_\uFFFD'), { recursive: true });
    appendFileSync(join(other, 'events.jsonl'), '{"torn');
    renameSync(other, strange);
  },
  'in a file whose name is not valid UTF-8': (folder) => {
    mkdirSync(join(folder, 'ep_strange'));
    const name = Buffer.concat([Buffer.from(`${folder}/ep_strange/a`), Buffer.from([0xff])]);
    writeFileSync(Buffer.concat([name, Buffer.from('.jsonl')]), LEDGER);
  },
};

/** Paths below a folder as `find -L -type f` prints them that are named like logs. */
function logsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink() && !entry.name.endsWith('.jsonl'))
      return logsBelow(resolve(folder, readlinkSync(path))).map((log) =>
        join(path, relative(readlinkSync(path), log)),
      );
    if (entry.isDirectory()) return logsBelow(path);
    return /\.jsonl(?:\.gz)?$/.test(entry.name) && !/^(?:learn|prompts)\./.test(entry.name) ? [path] : [];
  });
}

/** Whether a report speaks of a log: as an episode, as the log of one, or by the file of a finding. */
function speaksOf(log: string, { path, findings }: EpisodeReport): boolean {
  const names = [path, join(path, 'events.jsonl'), join(path, 'events.jsonl.gz')];
  for (const { file } of findings) names.push(join(path, file), join(dirname(path), file));
  const isLink = findings.some(({ code }) => code === 'verify/unfollowed-link');
  // The one log of a folder is the log of the episode that is called after the folder.
  return names.includes(log) || path === dirname(log) || (isLink && log.startsWith(`${path}/`));
}

interface Told {
  readonly code: number;
  readonly episodes: readonly EpisodeReport[];
}

/** A way to name all episodes below the folder `runs` of a working directory. `before` runs while all is intact. */
interface Way {
  readonly before?: (cwd: string) => Promise<void>;
  readonly verify: (cwd: string) => Promise<Told>;
}

async function told(cwd: string, args: readonly string[], input?: Uint8Array): Promise<Told> {
  const { code, stdout } = await runHere(['verify', ...args, '-j'], { cwd, input });
  const report = (stdout === '' ? { episodes: [] } : JSON.parse(stdout)) as VerifyReport;
  return { code, episodes: report.episodes };
}

const topLevel = (cwd: string): string[] => readdirSync(join(cwd, 'runs')).map((name) => join('runs', name));

function entriesWithLinks(folder: string, prefix: string): MadeEntry[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): MadeEntry[] => {
    const path = join(folder, entry.name);
    const name = `${prefix}${entry.name}`;
    if (entry.isSymbolicLink()) return [{ name, type: 'symlink', linkname: readlinkSync(path) }];
    if (entry.isDirectory())
      return [{ name: `${name}/`, type: 'directory' }, ...entriesWithLinks(path, `${name}/`)];
    if (entry.isFIFO()) return [{ name, type: 'fifo' }];
    return [{ name, content: readFileSync(path) }];
  });
}

/** Reports on episodes under another path, as on those under `to`. */
const movedTo = (to: string, from: string, { code, episodes }: Told): Told => ({
  code,
  episodes: episodes.map((one) =>
    one.path.startsWith(from) ? { ...one, path: join(to, one.path.slice(from.length)) } : one,
  ),
});

const ACTION = resolve('action/verify.sh');

const WAYS: Readonly<Record<string, Way>> = {
  paths: { verify: (cwd) => told(cwd, topLevel(cwd)) },
  'a folder': { verify: (cwd) => told(cwd, ['runs']) },
  'the working directory': { verify: (cwd) => told(join(cwd, 'runs'), ['.']) },
  'a root': {
    verify: async (cwd) => {
      mkdirSync(join(cwd, '.noesis'));
      renameSync(join(cwd, 'runs'), join(cwd, '.noesis', 'episodes'));
      const found = await told(cwd, ['--root', '.noesis']);
      renameSync(join(cwd, '.noesis', 'episodes'), join(cwd, 'runs'));
      const runs = movedTo(join(cwd, 'runs'), join(cwd, '.noesis', 'episodes'), found);
      // Skipped files below the root are named.
      return movedTo(join(cwd, 'runs'), join(cwd, '.noesis'), {
        ...runs,
        episodes: runs.episodes.map((one) => ({
          ...one,
          findings: one.findings.map((finding) => ({
            ...finding,
            file: finding.file.replace(/^episodes\//, ''),
          })),
        })),
      });
    },
  },
  'an archive': {
    verify: async (cwd) => {
      writeFileSync(join(cwd, 'all.tar'), await makeTar(entriesWithLinks(join(cwd, 'runs'), 'runs/')));
      return movedTo(cwd, join(cwd, 'all.tar'), await told(cwd, ['all.tar']));
    },
  },
  'a tar on standard input': {
    verify: async (cwd) => {
      const tar = await makeTar(entriesWithLinks(join(cwd, 'runs'), 'runs/'));
      return movedTo(cwd, '-', await told(cwd, ['--tar', '-'], tar));
    },
  },
  'a list': {
    verify: async (cwd) => told(cwd, ['--targets', '-'], Buffer.from(topLevel(cwd).join('\n'))),
  },
  shards: {
    verify: async (cwd) => {
      const parts = [
        await told(cwd, ['runs', '--shard', '1/2']),
        await told(cwd, ['runs', '--shard', '2/2']),
      ];
      return {
        code: Math.max(...parts.map(({ code }) => (code === 3 ? 0 : code))),
        episodes: parts.flatMap(({ episodes }) => episodes),
      };
    },
  },
  'a cache': {
    before: async (cwd) => {
      await told(cwd, ['runs', '--cache', 'cache']);
    },
    verify: (cwd) => told(cwd, ['runs', '--cache', 'cache']),
  },
  subsets: {
    verify: async (cwd) => {
      const parts: Told[] = [];
      for (let n = 0; n < 6; n += 1)
        parts.push(await told(cwd, ['runs', '--cache', 'cache', '--subset', '50%']));
      return {
        code: Math.max(...parts.map(({ code }) => (code === 3 ? 0 : code))),
        episodes: parts.flatMap(({ episodes }) => episodes),
      };
    },
  },
  'an attestation': {
    before: async (cwd) => {
      await runHere(['keygen', 'k'], { cwd });
      await told(cwd, ['runs', '--attest', 'a.json', '--attest-key', 'k.key']);
    },
    verify: async (cwd) => {
      const attested = (await told(cwd, ['runs'])).episodes.filter(({ path }) => path.includes('/ep_'));
      const args = ['verify', 'runs', '--attestation', 'a.json', '--trust', 'k.pub', '-j'];
      const { code, stdout } = await runHere(args, { cwd });
      const { not_verified: named } = JSON.parse(stdout) as { not_verified: string[] };
      const [one] = attested;
      if (one === undefined) return { code, episodes: [] };
      const passedOver = named.map((name) => ({ ...one, path: join(cwd, 'runs', name) }));
      return { code, episodes: [...attested, ...passedOver] };
    },
  },
  'the action': {
    verify: async (cwd) => {
      const env = { ...process.env, NOESIS_TARGETS: 'runs', GITHUB_OUTPUT: join(cwd, 'output') };
      const { status, stdout } = spawnSync('bash', [ACTION], { cwd, env, encoding: 'utf8' });
      expect(readFileSync(join(cwd, 'output'), 'utf8')).toContain(status === 0 ? 'verdict=ok' : 'verdict=');
      const { episodes } = await told(cwd, ['runs']);
      const isNamed = ({ findings }: EpisodeReport) => findings.every(({ code }) => stdout.includes(code));
      return { code: status ?? 70, episodes: episodes.filter(isNamed) };
    },
  },
  'the library, with what it names': {
    verify: async (cwd) => {
      const { stdout } = await runHere(['list', 'runs', '-j'], { cwd });
      const paths = (JSON.parse(stdout) as { path: string }[]).map(({ path }) => path);
      const { episodes: search } = await told(cwd, ['runs']);
      const episodes = await Promise.all(
        [...new Set(paths)].map((path) => verifyEpisode(path).catch((): undefined => undefined)),
      );
      const reports = episodes.flatMap((report) => report ?? []);
      const failed = reports.length < episodes.length || reports.some(({ verdict }) => verdict === 'fail');
      return { code: failed ? 1 : 0, episodes: [...reports, ...search.filter(({ events }) => events === 0)] };
    },
  },
};

describe.each(Object.entries(WAYS))('%s', (_, { before, verify }) => {
  test.each(sampled(Object.entries(FAULTS), 3))('does not skip a log silently: %s', async (_, fault) => {
    const cwd = tempDir();
    const runs = join(cwd, 'runs');
    episodeIn(runs, GOOD);
    const other = episodeIn(runs, { ...GOOD, seed: 4 });
    await before?.(cwd);
    fault(runs, other.dir);
    const { code, episodes } = await verify(cwd);
    if (code !== 0) return expect([1, 3]).toContain(code);
    const silent = logsBelow(runs).filter((log) => !episodes.some((episode) => speaksOf(log, episode)));
    expect(silent.map((log) => relative(runs, log))).toEqual([]);
  });
});

test.each(
  [
    'a folder',
    'the working directory',
    'a root',
    'shards',
    'a cache',
    'subsets',
    'an attestation',
    'the action',
  ].flatMap((way) => Object.entries(STRANGE_NAMES).map(([name, fault]) => ({ way, name, fault }))),
)('$way: a log $name fails the verification', async ({ way, fault }) => {
  const cwd = tempDir();
  const runs = join(cwd, 'runs');
  episodeIn(runs, GOOD);
  const other = episodeIn(runs, { ...GOOD, seed: 4 });
  await WAYS[way]?.before?.(cwd);
  fault(runs, other.dir);
  expect((await WAYS[way]?.verify(cwd))?.code).toBe(1);
});

test('each defect fails the verification, or is reported', async () => {
  const codes: Record<string, number> = {};
  for (const [name, fault] of Object.entries(FAULTS)) {
    const runs = join(tempDir(), 'runs');
    episodeIn(runs, GOOD);
    fault(runs, episodeIn(runs, { ...GOOD, seed: 4 }).dir);
    codes[name] = (await told(dirname(runs), ['runs'])).code;
  }
  const passing = ['linked', 'of no known format', 'a link to a log outside'];
  expect(codes).toEqual(
    Object.fromEntries(Object.keys(FAULTS).map((name) => [name, passing.includes(name) ? 0 : 1])),
  );
});
