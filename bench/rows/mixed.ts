import { readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { MixedEpisodes } from '../data/mixed-episodes.ts';
import { withPeak } from '../measure/memory.ts';
import type { Command } from '../measure/process.ts';
import { interleave } from '../measure/rounds.ts';
import { type Bench, below, fasterThan, megabytes, noesis, type Row, type RowResult } from './row.ts';

interface Told {
  readonly path: string;
  readonly findings: readonly { readonly code: string; readonly severity: string }[];
}

/** The errors and warnings of a report in NDJSON, in the form of the planted ones. */
function foundIn(report: string, folder: string): { readonly lines: string[]; readonly episodes: number } {
  const told = readFileSync(report, 'utf8').trimEnd().split('\n').slice(0, -1);
  const lines = told.flatMap((line) => {
    const { path, findings } = JSON.parse(line) as Told;
    return findings
      .filter(({ severity }) => severity !== 'info')
      .map(({ code, severity }) => `${relative(folder, path)} ${severity} ${code}`);
  });
  return { lines: lines.sort(), episodes: told.length };
}

/** Throws unless a report has exactly the planted findings. */
function assertPlanted(report: string, folder: string, { count, planted }: MixedEpisodes): void {
  const { lines, episodes } = foundIn(report, folder);
  const wanted = planted.map(({ path, severity, code }) => `${path} ${severity} ${code}`).sort();
  const odd =
    lines.find((line) => !wanted.includes(line)) ?? wanted.find((line) => !lines.includes(line)) ?? 'twice';
  if (lines.length !== wanted.length || lines.some((line, at) => line !== wanted[at]))
    throw new Error(
      `${lines.length} errors and warnings were found and ${wanted.length} planted, such as ${odd}`,
    );
  if (episodes !== count) throw new Error(`${episodes} of ${count} episodes were verified`);
}

const NDJSON = ['-q', '-f', 'ndjson', '-o'] as const;

/** In milliseconds of processor time: the cost of a start, an episode and a byte. */
interface Costs {
  readonly startMs: number;
  readonly episodeMs: number;
  readonly byteMs: number;
  readonly smallBytes: number;
}

/** Fits a line through the times of small and huge episodes: a fixed cost per episode, and a cost per byte. */
function costsOf(bench: Bench, folder: string, { sizes, copies }: MixedEpisodes): Costs {
  const { repeat: rounds, warmUp } = bench.options;
  const commands = ['small', 'huge'].map((size) =>
    noesis(bench, ['verify', '--jobs', '1', ...NDJSON, '/dev/null', join(folder, '01', size)], size),
  );
  const timings = interleave([noesis(bench, ['--version']), ...commands], { rounds, warmUp });
  const [startMs = 0, smallMs = 0, hugeMs = 0] = timings.map(({ cpuMs, wallMs }) => (cpuMs ?? wallMs).median);
  const each = (size: string, ms: number) => {
    const { count, bytes } = sizes[size] ?? { count: copies, bytes: copies };
    return { ms: ((ms - startMs) * copies) / count, bytes: bytes / count };
  };
  const [small, huge] = [each('small', smallMs), each('huge', hugeMs)];
  const byteMs = (huge.ms - small.ms) / (huge.bytes - small.bytes);
  return { startMs, episodeMs: small.ms - byteMs * small.bytes, byteMs, smallBytes: small.bytes };
}

/** Estimates the time for a million of the smallest episodes. */
function modelOf({ startMs, episodeMs, byteMs, smallBytes }: Costs): string[] {
  const smallMs = episodeMs + byteMs * smallBytes;
  const hours = (startMs + 1e6 * smallMs) / 3.6e6;
  return [
    `an episode costs ${(episodeMs * 1000).toFixed(0)} µs of processor time whatever its size, and each of its bytes ${(byteMs * 1e6).toFixed(1)} ns (${(1 / byteMs / 1000).toFixed(0)} MB/s)`,
    `on paper: 1,000,000 episodes of ${(smallBytes / 1000).toFixed(0)} kB take ${hours.toFixed(2)} hours of one core, ${((hours * 60) / 8).toFixed(0)} minutes of eight`,
  ];
}

/** Verifies a realistic number of episodes, whose faults are known. */
export const mixedRow: Row = {
  name: 'fleet-mixed',
  title: 'verify 100,000 episodes of mixed shapes, 10 GB, on one core and on two',
  onDemand: true,
  run(bench): RowResult {
    const { folder, ...made } = bench.store.mixedEpisodes();
    const model = modelOf(costsOf(bench, folder, made));
    for (const line of model) bench.say(line);
    const { smoke, repeat } = bench.options;
    const rounds = smoke ? 1 : Math.min(repeat, 3);
    const runs = [2, 1].map((jobs) => {
      const report = bench.store.output(`mixed-${jobs}.ndjson`);
      rmSync(report, { force: true });
      const args = ['verify', '--jobs', String(jobs), ...NDJSON, report, folder];
      const plain: Command = { ...noesis(bench, args, `noesis verify --jobs ${jobs}`), status: 1 };
      const { command, peak } = withPeak(bench.folder, plain);
      // Runs one after the other and reports each at once, because a run takes minutes.
      const timings = interleave([command], { rounds, warmUp: false });
      assertPlanted(report, folder, made);
      const memory = below(`${command.name}, peak resident memory`, peak(), 400e6, megabytes);
      const [timing] = timings;
      bench.say(
        `${command.name}: ${((timing?.wallMs.median ?? 0) / 1000).toFixed(1)} s by the clock, ${((timing?.cpuMs?.median ?? 0) / 1000).toFixed(1)} s of processor time, ${memory.measured}; what was planted was found`,
      );
      return { name: command.name, timings, memory };
    });
    const timings = runs.flatMap((one) => one.timings);
    const [two, one] = runs.map(({ name }) => name);
    const peaks = runs.map(({ memory }) => memory);
    const { count, distinct, bytes, planted } = made;
    return {
      data: `${count} episodes of ${distinct} shapes and four sizes, ${(bytes / 1e9).toFixed(2)} GB, ${planted.length} of them damaged`,
      bytes,
      timings,
      goals: [...fasterThan(timings, two ?? '', one ?? '', 1.7, 'wallMs'), ...peaks],
      notes: [`the errors and warnings are the ${planted.length} that were planted, and no other`, ...model],
    };
  },
};
