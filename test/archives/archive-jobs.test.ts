import { createReadStream, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { entriesOfTar } from '../../src/base/archives/open.ts';
import { ArchiveReader } from '../../src/find/archive.ts';
import type { VerifyTarget } from '../../src/findings/options.ts';
import { DEFAULT_POLICY } from '../../src/findings/policy.ts';
import type { EpisodeReport } from '../../src/findings/report.ts';
import { verifyEpisode } from '../../src/library/verify.ts';
import type { Job } from '../../src/verify/jobs.ts';
import { archiveJobs, fileJobs, wholeArchiveJobs } from '../../src/verify/packed-jobs.ts';
import type { RunSettings } from '../../src/verify/run.ts';
import { type MadeEntry, makeTar } from '../support/archives.ts';
import { tempDir, tempFile } from '../support/temp.ts';

const settings: RunSettings = {
  policy: DEFAULT_POLICY,
  keys: { byKid: new Map(), byVariable: new Map() },
  dialect: undefined,
};
const limits = { maxUnpacked: 1_000_000 };
const BASE = await verifyEpisode(tempFile('{"text":"x"}\n'));

/** An archive of these files, and the folder that it is unpacked to. */
async function archive(...names: readonly string[]) {
  const path = join(tempDir(), 'runs.tar');
  const entries = names.map((name): MadeEntry => ({ name, content: Buffer.from('{"id":"a"}\n') }));
  writeFileSync(path, await makeTar(entries));
  const tmpDir = tempDir();
  const place = { tmpDir, leftovers: new Set<() => void>() };
  const reader = new ArchiveReader(
    {
      label: 'runs.tar',
      again: true,
      entries: (budget) => entriesOfTar(createReadStream(path), undefined, budget),
    },
    { place, limits },
  );
  return { reader, left: () => readdirSync(tmpDir), place };
}

const LOGS = ['logs/b.events.jsonl', 'logs/a.events.jsonl'];

/** The next jobs that have a target, and the wait after them. */
async function pulled(jobs: AsyncGenerator<Job>, count: number) {
  const targets: Extract<Job, { target: VerifyTarget }>[] = [];
  for (let at = 0; at < count; at += 1) {
    const { value } = await jobs.next();
    if (value !== undefined && 'target' in value) targets.push(value);
  }
  return targets;
}

const finish = (job: Extract<Job, { target: VerifyTarget }> | undefined): EpisodeReport | undefined =>
  job?.finish?.({ ...BASE, episode: job.target.name, path: job.target.log ?? '' });

describe('the jobs of an archive', () => {
  test('wait for all reports, and yield them in the order of a folder', async () => {
    const { reader, left } = await archive(...LOGS);
    const jobs = archiveJobs(reader, settings, new AbortController().signal);
    const targets = await pulled(jobs, 2);
    const wait = (await jobs.next()).value as { wait: Promise<void> };
    for (const job of targets.toReversed()) finish(job);
    await wait.wait;
    const told: Job[] = [];
    for await (const job of jobs) told.push(job);
    const reports = told.flatMap((job) => ('known' in job ? [job.known] : []));
    expect(reports.map(({ episode, path }) => [episode, path])).toEqual([
      ['a.events.jsonl', 'runs.tar/logs/a.events.jsonl'],
      ['b.events.jsonl', 'runs.tar/logs/b.events.jsonl'],
    ]);
    expect(left()).toEqual([]);
  });

  test('do not wait for reports after an abort', async () => {
    for (const isLate of [false, true]) {
      const { reader, left } = await archive(...LOGS);
      const stop = new AbortController();
      const jobs = archiveJobs(reader, settings, stop.signal);
      const [first] = await pulled(jobs, 2);
      finish(first);
      if (!isLate) stop.abort();
      const wait = (await jobs.next()).value as { wait: Promise<void> };
      if (isLate) stop.abort();
      await wait.wait;
      await jobs.return(undefined);
      expect(left()).toEqual([]);
    }
  });
});

describe('the jobs of an archive that is unpacked as a whole', () => {
  test('come in the order of a folder, and leave no files behind', async () => {
    const { reader, left } = await archive(...LOGS);
    const jobs = wholeArchiveJobs(reader, settings);
    const targets = await pulled(jobs, 2);
    expect(targets.map(({ target }) => target.name)).toEqual(['a.events.jsonl', 'b.events.jsonl']);
    expect(finish(targets[0])?.path).toBe('runs.tar/logs/a.events.jsonl');
    expect(left()).toHaveLength(1);
    finish(targets[1]);
    expect(left()).toEqual([]);
    expect((await jobs.next()).done).toBe(true);
  });

  test('report an archive that is empty or lacks the wanted path', async () => {
    const { reader, left } = await archive('notes.txt');
    const told: Job[] = [];
    for await (const job of wholeArchiveJobs(reader, settings)) told.push(job);
    expect(told).toEqual([
      { known: expect.objectContaining({ findings: [expect.objectContaining({ code: 'archive/empty' })] }) },
    ]);
    expect(left()).toEqual([]);
  });
});

describe('a file that disappears before it is unpacked', () => {
  const place = () => ({ tmpDir: tempDir(), leftovers: new Set<() => void>() });

  test('is a finding of its episode, and leaves no files behind', async () => {
    const where = place();
    const dir = join(tempDir(), 'ep');
    mkdirSync(dir);
    const packed = { kind: 'file', compression: 'gzip' } as const;
    const target = { name: 'ep', dir, log: join(dir, 'events.jsonl.gz'), packed };
    const jobs = fileJobs(target, settings, { place: where, limits });
    const { value } = await jobs.next();
    const known = value !== undefined && 'known' in value ? value.known : undefined;
    expect(known?.findings).toMatchObject([{ code: 'artifact/unreadable', file: 'events.jsonl.gz' }]);
    expect([readdirSync(where.tmpDir), where.leftovers.size]).toEqual([[], 0]);
  });

  test('is a finding of a document, and leaves no files behind', async () => {
    const where = place();
    const path = join(tempDir(), 'run.json');
    const document = {
      path,
      remark: 'is a document',
      async *lines() {
        yield readFileSync(path, 'utf8');
      },
    };
    const target = { name: 'run.json', dir: undefined, log: path };
    const { value } = await fileJobs(target, settings, { place: where, limits }, async () => document).next();
    const known = value !== undefined && 'known' in value ? value.known : undefined;
    expect(known).toMatchObject({ verdict: 'fail', findings: [{ code: 'artifact/unreadable' }] });
    expect([readdirSync(where.tmpDir), where.leftovers.size]).toEqual([[], 0]);
  });

  test('is not reported as a problem of the archive if it is a document', async () => {
    const where = place();
    const fault = new TypeError('a fault');
    const document = {
      path: join(tempDir(), 'run.json'),
      remark: 'is a document',
      async *lines() {
        yield '{}\n';
        throw fault;
      },
    };
    const target = { name: 'run.json', dir: undefined, log: document.path };
    await expect(
      fileJobs(target, settings, { place: where, limits }, async () => document).next(),
    ).rejects.toBe(fault);
    expect([readdirSync(where.tmpDir), where.leftovers.size]).toEqual([[], 0]);
  });
});
