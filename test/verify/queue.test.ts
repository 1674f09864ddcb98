import { expect, test } from 'vitest';
import type { VerifyTarget } from '../../src/findings/options.ts';
import type { EpisodeReport } from '../../src/findings/report.ts';
import { verifyEpisode } from '../../src/library/verify.ts';
import type { Job } from '../../src/verify/jobs.ts';
import { PoolWorker, type WorkItem } from '../../src/verify/pool-worker.ts';
import { Queue } from '../../src/verify/queue.ts';
import { tempFile } from '../support/temp.ts';
import { jobsOf } from '../support/verify-all.ts';

const BASE = await verifyEpisode(tempFile('{"text":"x"}\n'));
const reportOf = (episode: string): EpisodeReport => ({ ...BASE, episode });
const target = (name: string): VerifyTarget => ({ name, dir: undefined, log: name });
const work = (name: string): Job => ({ target: target(name) });
const names = (items: readonly WorkItem[]) => items.map((item) => item.target.name);

/** A queue of these jobs, and its reports. */
function queueOf(jobs: readonly Job[], sink: (episode: string) => void | Promise<void> = () => {}) {
  const told: string[] = [];
  const queue = new Queue(jobsOf(jobs), {
    jobs: 1,
    sink: async ({ report }) => {
      told.push(report.episode);
      await sink(report.episode);
    },
    onProgress: () => {},
    failed: ({ name }, error) => reportOf(`${name}: ${String(error)}`),
  });
  const answer = (items: readonly WorkItem[]) =>
    queue.take(
      items,
      items.map(({ index, target: { name } }) => ({ index, verified: { report: reportOf(name) } })),
    );
  return { queue, told, answer };
}

test('known reports are passed on in turn, and waiting ones after those they wait for', async () => {
  let isOver = () => {};
  const wait = new Promise<void>((resolve) => {
    isOver = resolve;
  });
  // Twenty jobs are left, so that more than one would go into a batch.
  const rest = Array.from({ length: 20 }, (_, index) => work(`r${index}`));
  const { queue, told, answer } = queueOf([work('a'), { wait }, { known: reportOf('k') }, ...rest]);
  const first = await queue.next();
  expect(names(first)).toEqual(['a']);
  const second = queue.next();
  answer(first);
  isOver();
  expect(names(await second)).toEqual(['r0', 'r1']);
  await queue.drain();
  expect(told).toEqual(['a', 'k']);
});

test('a held job is finished and not reported', async () => {
  const finished: string[] = [];
  const held: Job = {
    target: target('h'),
    held: true,
    finish: (report) => {
      finished.push(report.episode);
      return report;
    },
  };
  const { queue, told, answer } = queueOf([held, work('a')]);
  answer(await queue.next());
  answer(await queue.next());
  await queue.drain();
  expect([finished, told]).toEqual([['h'], ['a']]);
});

test('each answer belongs to its item, even if it is an error', async () => {
  const jobs = Array.from({ length: 40 }, (_, index) => work(`j${index}`));
  const { queue, told } = queueOf(jobs);
  const items = await queue.next();
  expect(items.length).toBeGreaterThan(1);
  queue.take(
    items,
    items.map(({ index }) => ({ index, error: `wrong ${index}` })),
  );
  await queue.drain();
  expect(told).toEqual(names(items).map((name, index) => `${name}: wrong ${index}`));
});

test('nothing more is handed out while too many reports are waiting', async () => {
  let goOn = () => {};
  const isSlow = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const count = 4000;
  const jobs = Array.from({ length: count }, (_, index) => work(`j${index}`));
  const { queue, told, answer } = queueOf(jobs, (episode) => (episode === 'j0' ? isSlow : undefined));
  let given = 0;
  let isEnd = false;
  const all = (async () => {
    for (let items = await queue.next(); items.length > 0; items = await queue.next()) {
      given += items.length;
      answer(items);
    }
    isEnd = true;
  })();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isEnd).toBe(false);
  expect(given).toBeLessThan(count);
  goOn();
  await all;
  await queue.drain();
  expect([given, told.length]).toEqual([count, count]);
});

test('an error of the sink ends the pool, also for waiting callers', async () => {
  let fail: (error: Error) => void = () => {};
  const isBroken = new Promise<void>((_, reject) => {
    fail = reject;
  });
  const jobs = Array.from({ length: 4000 }, (_, index) => work(`j${index}`));
  const { queue, answer } = queueOf(jobs, () => isBroken);
  const all = (async () => {
    for (let items = await queue.next(); items.length > 0; items = await queue.next()) answer(items);
  })();
  await new Promise((resolve) => setTimeout(resolve, 50));
  fail(new Error('no room'));
  await expect(all).rejects.toThrow('no room');
  await expect(queue.next()).rejects.toThrow('no room');
  await expect(queue.drain()).rejects.toThrow('no room');
});

test('a failing source fails the caller, and the next one as well', async () => {
  const source = {
    next: () => Promise.reject(new Error('no source')),
    left: () => 1,
  };
  const queue = new Queue(source, { jobs: 1, sink: () => {}, onProgress: () => {}, failed: () => BASE });
  await expect(queue.next()).rejects.toThrow('no source');
  await expect(queue.next()).rejects.toThrow('no source');
});

test('a thread that has ended says so to later requests', async () => {
  const worker = new PoolWorker(new URL(`file://${tempFile('process.exit(3);', 'worker.mjs')}`), {});
  const message = 'its thread ended with code 3';
  expect(await worker.answer([])).toMatchObject({ message });
  expect(await worker.answer([])).toMatchObject({ message });
});
