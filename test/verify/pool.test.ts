import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { NoesisError } from '../../src/base/errors.ts';
import type { VerifyTarget } from '../../src/findings/options.ts';
import { DEFAULT_POLICY } from '../../src/findings/policy.ts';
import { acceleratorUse, useAccelerator } from '../../src/log/accelerator/use.ts';
import { usefulJobs } from '../../src/verify/pool.ts';
import { type RunSettings, verifyOneOfMany } from '../../src/verify/run.ts';
import { unreadableReport } from '../../src/verify/verify-episode.ts';
import { bundledWorker } from '../support/bundle.ts';
import { simulateEpisode, writeEpisode } from '../support/simulator/episode.ts';
import { tempDir, tempFile } from '../support/temp.ts';
import { verifyAll } from '../support/verify-all.ts';

const settings: RunSettings = {
  policy: DEFAULT_POLICY,
  keys: { byKid: new Map(), byVariable: new Map() },
  dialect: undefined,
};

const root = tempDir();
const targets: VerifyTarget[] = Array.from({ length: 6 }, (_, index) => {
  const episode = simulateEpisode({
    seed: 60 + index,
    acts: index % 3,
    ending: index % 2 ? 'running' : 'ok',
  });
  const dir = writeEpisode(root, episode);
  return { name: episode.id, dir, log: join(dir, 'events.jsonl') };
});
const gone: VerifyTarget = { name: 'gone', dir: join(root, 'gone'), log: join(root, 'gone', 'events.jsonl') };

const worker = bundledWorker('src/verify/worker.ts');

/** Verifies with this number of workers. Returns the progress with the reports. */
async function verify(
  list: readonly VerifyTarget[],
  jobs: number,
  signal = new AbortController().signal,
  url?: URL,
) {
  const progress: number[] = [];
  const onProgress = (done: number) => progress.push(done);
  const workerUrl = url ?? worker;
  return { reports: await verifyAll(list, settings, { jobs, workerUrl, signal, onProgress }), progress };
}

describe('how many workers are worth starting', () => {
  test.each([
    [8, 1, 0, 0],
    [8, 95, 0, 0],
    [1, 47, 0, 0],
    [1, 1000, 0, 1],
    [8, 1, 64 * 1024 * 1024, 0],
    [1, 2, 64 * 1024 * 1024, 1],
    [8, 2, 31 * 1024 * 1024, 0],
    [8, 2, 32 * 1024 * 1024, 1],
    [8, 96, 0, 1],
    [2, 1000, 0, 1],
    [2, 1000, 64 * 1024 * 1024, 2],
    [2, 3000, 0, 2],
    [8, 6000, 0, 4],
    [8, 2, 64 * 1024 * 1024, 2],
    [8, 1000, 1e12, 8],
    [0, 0, 0, 0],
  ])('%i jobs for %i targets of %i bytes: %i', async (jobs, count, bytes, wanted) => {
    expect(await usefulJobs(jobs, count, () => bytes)).toBe(wanted);
  });
});

describe('verifying many', () => {
  test('counts every finding, however many a worker has', async () => {
    const log = join(root, 'garbage.jsonl');
    writeFileSync(log, '{"torn":\n'.repeat(5000));
    const bad: VerifyTarget = { name: 'garbage', dir: undefined, log };
    const { reports } = await verify([bad, bad], 2);
    for (const report of reports) {
      const lines = report.findings.map(({ line }) => line);
      expect(lines).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
      expect(report.omitted).toEqual([{ code: 'log/invalid-json', severity: 'error', count: 4000 }]);
    }
  });

  test('gives the same reports in the same order, in this thread and in workers', async () => {
    const here = await verify(targets, 1);
    expect(here.reports.map(({ episode }) => episode)).toEqual(targets.map(({ name }) => name));
    expect(here.progress).toEqual(targets.map((_, index) => index + 1));
    const warned = vi.fn();
    process.on('warning', warned);
    for (const jobs of [2, 10]) expect(await verify(targets, jobs)).toEqual(here);
    await new Promise(setImmediate);
    process.off('warning', warned);
    expect(warned).not.toHaveBeenCalled();
    const plain = {
      jobs: 4,
      workerUrl: undefined,
      signal: new AbortController().signal,
      onProgress: () => {},
    };
    expect(await verifyAll(targets, settings, plain)).toEqual(here.reports);
  });

  test('reports an unreadable log as a finding, and continues', async () => {
    for (const jobs of [1, 2]) {
      const { reports } = await verify([gone, ...targets.slice(0, 1)], jobs);
      expect(reports[0]).toMatchObject({
        episode: 'gone',
        verdict: 'fail',
        findings: [{ code: 'artifact/unreadable' }],
      });
      expect(reports[1]?.verdict).toBe('ok');
    }
  });

  test.each([1, 2])('stops on request (%i jobs)', async (jobs) => {
    const stop = new AbortController();
    stop.abort(new Error('enough'));
    await expect(verify(targets, jobs, stop.signal)).rejects.toThrow('enough');
  });

  test('stops in the middle', async () => {
    const stop = new AbortController();
    const options = { jobs: 2, workerUrl: worker, signal: stop.signal };
    const onProgress = () => stop.abort(new Error('enough'));
    await expect(verifyAll(targets, settings, { ...options, onProgress })).rejects.toThrow('enough');
  });

  /** A worker that does to itself what the name of a target says, and else reports. */
  function fragile(): URL {
    const source = `
      import { parentPort } from 'node:worker_threads';
      const deeds = {
        exits: () => process.exit(3),
        throws: () => { throw new Error('thrown in the thread'); },
        answers: () => ({ error: 'it said so' }),
      };
      parentPort.on('message', (items) => parentPort.postMessage(items.map(({ index, target }) => ({
        index, ...(deeds[target.name]?.() ?? { verified: { report: { episode: target.name, findings: [] } } }),
      }))));`;
    return new URL(`file://${tempFile(source, 'worker.mjs')}`);
  }

  test('reports each target that kills a worker as a finding, and continues with the others', {
    timeout: 300_000,
  }, async () => {
    const names = Array.from({ length: 60 }, (_, index) => `ep_${index}`);
    names.splice(0, 1, 'exits');
    names.splice(7, 1, 'throws');
    names.splice(30, 1, 'answers');
    names.splice(59, 1, 'exits');
    const list = names.map((name) => ({ name, dir: undefined, log: name }));
    for (const jobs of [1, 3]) {
      const { reports, progress } = await verify(list, jobs, undefined, fragile());
      expect(reports.map(({ episode }) => episode)).toEqual(names);
      const failed = reports.filter(({ findings }) => findings.length > 0);
      expect(failed.map(({ episode }) => episode)).toEqual(['exits', 'throws', 'answers', 'exits']);
      for (const { verdict, findings } of failed)
        expect([verdict, findings.map(({ code }) => code)]).toEqual(['fail', ['verify/internal']]);
      expect(failed[1]?.findings[0]?.message).toContain('thrown in the thread');
      expect(progress.at(-1)).toBe(60);
    }
  });

  test('reports every target as a finding if no worker can be started', async () => {
    const nowhere = new URL('file:///nowhere/worker.mjs');
    const { reports } = await verify(targets.slice(0, 3), 2, undefined, nowhere);
    for (const { findings } of reports) expect(findings[0]?.message).toContain('nowhere');
  });
});

describe('an episode that cannot be read', () => {
  const options = { policy: DEFAULT_POLICY, key: () => undefined };

  test('is reported by the error that kept it from being read', () => {
    const [found] = unreadableReport(gone, options, Object.assign(new Error('x'), { code: 'EIO' })).findings;
    expect(found).toMatchObject({
      code: 'artifact/unreadable',
      severity: 'error',
      file: 'events.jsonl',
      message: 'cannot be read (EIO)',
    });
    const said = (error: unknown) => unreadableReport(gone, options, error).findings[0]?.message;
    expect(said(new NoesisError('unreadable', 'a pipe'))).toBe('cannot be read (a pipe)');
    expect(said(new Error('odd'))).toBe('cannot be read (odd)');
    expect(said('odd')).toBe('cannot be read (odd)');
  });

  test('is named as far as possible', () => {
    expect(unreadableReport({ name: 'a', dir: undefined, log: '/x/a.jsonl' }, options, 'e')).toMatchObject({
      path: '/x/a.jsonl',
    });
    const fileOf = (path: unknown) =>
      unreadableReport(
        { name: 'a', dir: '/x', log: '/x/a.jsonl' },
        options,
        Object.assign(new Error(), { path }),
      ).findings[0]?.file;
    expect(['/x/sub/b', '/y', '/x', 7].map(fileOf)).toEqual(['sub/b', 'a.jsonl', 'a.jsonl', 'a.jsonl']);
    expect(unreadableReport({ name: 'a', dir: undefined, log: undefined }, options, 'e')).toMatchObject({
      path: '',
      findings: [{ file: '.' }],
    });
  });

  test('by a bug in the verification is a finding too, with its own code', async () => {
    expect((await verifyOneOfMany(gone, settings)).findings).toHaveLength(1);
    const faulty = {
      ...settings,
      policy: {
        ...DEFAULT_POLICY,
        get strict(): boolean {
          throw new RangeError('Invalid string length');
        },
      },
    };
    const report = await verifyOneOfMany(targets[0] as VerifyTarget, faulty);
    expect(report).toMatchObject({
      verdict: 'fail',
      dialect: 'noesis',
      findings: [{ code: 'verify/internal', severity: 'error' }],
    });
    expect(report.findings[0]?.message).toContain('RangeError: Invalid string length');
  });
});

describe('the worker', () => {
  test('answers each item with its report, or with what went wrong', async () => {
    const port = Object.assign(new EventEmitter(), { postMessage: vi.fn() });
    const workerData = { ...settings, accelerator: 'never' };
    vi.doMock('node:worker_threads', () => ({ parentPort: port, workerData }));
    await import('../../src/verify/worker.ts');
    expect(acceleratorUse()).toBe('never');
    useAccelerator('always');
    port.emit('message', [
      { index: 3, target: targets[0] },
      { index: 5, target: targets[1] },
    ]);
    await vi.waitFor(() => expect(port.postMessage).toHaveBeenCalledTimes(1), 60_000);
    expect(port.postMessage.mock.calls[0]).toMatchObject([
      [
        { index: 3, verified: { report: { episode: targets[0]?.name } } },
        { index: 5, verified: { report: { episode: targets[1]?.name } } },
      ],
    ]);
    port.emit('message', [{ index: 4, target: { ...gone, log: 7 } }]);
    await vi.waitFor(() => expect(port.postMessage).toHaveBeenCalledTimes(2), 60_000);
    expect(port.postMessage.mock.calls[1]).toMatchObject([[{ index: 4, error: expect.any(String) }]]);
    vi.doUnmock('node:worker_threads');
  });

  test('does nothing outside of a pool', async () => {
    vi.resetModules();
    await expect(import('../../src/verify/worker.ts')).resolves.toBeDefined();
  });
});
