import { appendFileSync, createReadStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMsOf } from '../measure/cpu.ts';
import { Follower } from '../measure/follower.ts';
import { interleave, type Timing } from '../measure/rounds.ts';
import { percentile, summarise } from '../measure/stats.ts';
import {
  atMostTimes,
  type Bench,
  below,
  fasterThan,
  type Goal,
  megabytes,
  NOWHERE,
  nodeAlone,
  nodePeer,
  noesis,
  type Row,
  withFloor,
} from './row.ts';

const perSecond = 200;
const deadlineMs = 120_000;
const milliseconds = (value: number) => `${value.toFixed(1)} ms`;
const percent = (value: number) => `${value.toFixed(3)} %`;

/** Starts `tail -f` and waits until it has printed the last event and is idle. */
async function follow(bench: Bench, dir: string): Promise<Follower> {
  const follower = new Follower([bench.options.cli, 'tail', '-f', '-j', '-n', '1', '--forever', dir]);
  await follower.until((chunk) => chunk.includes(0x0a), deadlineMs);
  await sleep(500);
  return follower;
}

/** The times between the write of each event and its arrival here, in milliseconds. */
async function latencies(bench: Bench, follower: Follower, log: string, seconds: number): Promise<number[]> {
  const found: number[] = [];
  let rest = '';
  const arrived = (chunk: Buffer, at: bigint) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const sent = /"sent_ns":"(\d+)"/.exec(line)?.[1];
      if (sent !== undefined) found.push(Number(at - BigInt(sent)) / 1e6);
    }
    return found.length >= perSecond * seconds;
  };
  const script = join(bench.folder, 'measure', 'tail-writer.mjs');
  let writer: Follower | undefined;
  await follower.until(arrived, deadlineMs, () => {
    writer = new Follower([script, log, String(perSecond), String(seconds)]);
  });
  await writer?.stop();
  return found;
}

/** The share of one core that the process uses while nothing happens, in percent. */
async function idleShare({ pid }: Follower, seconds: number): Promise<number> {
  await sleep(1000);
  const before = cpuMsOf(pid);
  const started = performance.now();
  await sleep(seconds * 1000);
  return ((cpuMsOf(pid) - before) / (performance.now() - started)) * 100;
}

async function msUntilPrinted(follower: Follower, bytes: number, start: () => void): Promise<number> {
  let got = 0;
  let started = 0n;
  let ended = 0n;
  await follower.until(
    (chunk, at) => {
      got += chunk.length;
      ended = at;
      return got >= bytes;
    },
    deadlineMs,
    () => {
      started = process.hrtime.bigint();
      start();
    },
  );
  return Number(ended - started) / 1e6;
}

/** Stops `tail -f` while a large log is appended, and measures how long it then takes to print it. */
async function catchUp(bench: Bench, source: string, bytes: number): Promise<number> {
  const dir = bench.store.runningEpisode();
  const follower = await follow(bench, dir);
  try {
    follower.pause(true);
    for await (const chunk of createReadStream(source, { highWaterMark: 1 << 20 })) {
      appendFileSync(join(dir, 'events.jsonl'), chunk as Buffer);
    }
    return await msUntilPrinted(follower, bytes, () => follower.pause(false));
  } finally {
    await follower.stop();
  }
}

async function readWhole(bench: Bench, dir: string, bytes: number): Promise<number> {
  const before = performance.now();
  const reader = new Follower([bench.options.cli, 'events', '-j', dir]);
  const started = performance.now() - before;
  return started + (await msUntilPrinted(reader, bytes, () => {}));
}

const timing = (name: string, rounds: readonly number[]): Timing => ({
  name,
  rounds: rounds.map((wallMs) => ({ wallMs, cpuMs: undefined })),
  wallMs: summarise(rounds),
  cpuMs: undefined,
});

async function catchUpTimings(bench: Bench): Promise<{ bytes: number; timings: Timing[] }> {
  const { dir, log, bytes } = bench.store.padded();
  const following: number[] = [];
  const reading: number[] = [];
  for (let round = 0; round < Math.min(3, bench.options.repeat); round++) {
    following.push(await catchUp(bench, log, bytes));
    reading.push(await readWhole(bench, dir, bytes));
  }
  return { bytes, timings: [timing('noesis tail -f', following), timing('noesis events -j', reading)] };
}

export const tailRow: Row = {
  name: 'tail',
  title: 'tail -f: latency, idle CPU, catching up',
  async run(bench) {
    const seconds = bench.options.smoke ? 1 : 10;
    const dir = bench.store.runningEpisode();
    const follower = await follow(bench, dir);
    const goals: Goal[] = [];
    const notes: string[] = [];
    try {
      const found = await latencies(bench, follower, join(dir, 'events.jsonl'), seconds);
      const [p50, p99, most] = [0.5, 0.99, 1].map((share) => milliseconds(percentile(found, share)));
      notes.push(
        `write to print, ${found.length} events at ${perSecond}/s: p50 ${p50}, p99 ${p99}, max ${most}`,
      );
      goals.push(below('tail -f, write to print, p99', percentile(found, 0.99), 50, milliseconds));
      if (process.platform === 'linux') {
        goals.push(below('tail -f, idle, of one core', await idleShare(follower, seconds), 0.5, percent));
      } else notes.push('idle CPU and catching up are measured on Linux only');
    } finally {
      await follower.stop();
    }
    if (process.platform !== 'linux') return { data: 'a growing log', timings: [], goals, notes };
    const { bytes, timings } = await catchUpTimings(bench);
    goals.push(...fasterThan(timings, 'noesis tail -f', 'noesis events -j', 0.9, 'wallMs'));
    return {
      data: 'a growing log; the log of the row verify, appended at once',
      bytes,
      timings,
      goals,
      notes,
    };
  },
};

/** Prints the end of a long session. Damage anywhere in it is reported, so all of it is read. */
export const tailEndRow: Row = {
  name: 'tail-end',
  title: 'tail of a long session of a coding agent',
  run(bench) {
    const { path, bytes } = bench.store.longSession('claude-code');
    const { repeat: rounds, warmUp } = bench.options;
    const tail = noesis(bench, ['tail', path]);
    const asJson = noesis(bench, ['tail', '-j', path], 'noesis tail -j');
    const first = noesis(bench, ['tail', bench.store.episodeOf(19)], 'tail of a small episode');
    const read = nodePeer(bench, 'floors', ['find', NOWHERE, path], 'reading the log');
    const timings = interleave([tail, asJson, first, read, nodeAlone], { rounds, warmUp });
    const least = { parts: [first.name, read.name], start: nodeAlone.name };
    return {
      data: `one session of ${megabytes(bytes)}`,
      bytes,
      timings,
      goals: [tail, asJson].flatMap(({ name }) =>
        withFloor(atMostTimes(timings, name, nodeAlone.name, 2, 'cpuMs'), timings, nodeAlone.name, least),
      ),
      notes: [],
    };
  },
};
