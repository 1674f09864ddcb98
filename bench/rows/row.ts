import { join } from 'node:path';
import type { Store } from '../data/store.ts';
import { type Command, textOf } from '../measure/process.ts';
import { clockRatio, cpuRatio, type Measure, type Ratio, type Timing } from '../measure/rounds.ts';
import type { Options } from '../options.ts';
import type { Tools } from '../peers/tools.ts';

/** The input of every row. */
export interface Bench {
  readonly options: Options;
  /** The folder of the benchmark. */
  readonly folder: string;
  readonly store: Store;
  readonly tools: Tools;
  /** Shows the progress to the user. */
  readonly say: (text: string) => void;
}

/** One goal and what was measured. */
export interface Goal {
  readonly what: string;
  readonly goal: string;
  /** The measure that decides, if the goal is a ratio of times. */
  readonly by?: Measure;
  /** In elapsed time, or whatever else was measured. */
  readonly measured: string;
  /** The ratio of processor times. It is steadier if other programs use the machine. */
  readonly byCpuTime?: string;
  /** The number that is compared with the goal. */
  readonly value: number;
  readonly met: boolean;
  /** The least that the present design can reach, and what it consists of. */
  readonly floor?: string;
}

/** The result of a row. */
export interface RowResult {
  /** A description of the data. */
  readonly data: string;
  /** The bytes that each contestant reads, if a rate is useful. */
  readonly bytes?: number;
  readonly timings: readonly Timing[];
  readonly goals: readonly Goal[];
  readonly notes: readonly string[];
}

/** A row of the benchmark. */
export interface Row {
  readonly name: string;
  readonly title: string;
  /** Runs only if it is named, and in smoke tests: it takes an hour and ten gigabytes. */
  readonly onDemand?: true;
  run(bench: Bench): RowResult | Promise<RowResult>;
}

/** The command line as a whole process, as its users run it. */
export const noesis = (bench: Bench, args: readonly string[], name = `noesis ${args[0]}`): Command => ({
  name,
  file: process.execPath,
  args: [bench.options.cli, ...args],
});

/** A peer that is a program for Node. */
export const nodePeer = (
  bench: Bench,
  program: string,
  args: readonly string[],
  name = program,
): Command => ({
  name,
  file: process.execPath,
  args: [join(bench.folder, 'peers', `${program}.mjs`), ...args],
});

/** Only starts Node.js. */
export const nodeAlone: Command = { name: 'node -e 0', file: process.execPath, args: ['-e', '0'] };

/** A word that no session has. */
export const NOWHERE = 'zzqqxxj';

const times = (value: number) => `${value.toFixed(2)} ×`;

const withSpread = ({ value, min, max }: Ratio) => `${times(value)} (${min.toFixed(2)}–${max.toFixed(2)})`;

/** The ratio of two times as the measured part of a goal; undefined if one of them is missing. */
function compare(timings: readonly Timing[], slower: string, faster: string, by: Measure) {
  const slow = timings.find(({ name }) => name === slower);
  const fast = timings.find(({ name }) => name === faster);
  if (!slow || !fast) return undefined;
  const clock = clockRatio(slow, fast);
  const cpu = cpuRatio(slow, fast);
  // Uses elapsed time if processor time was not measured.
  const { value } = by === 'cpuMs' && cpu ? cpu : clock;
  return { measured: withSpread(clock), by, value, ...(cpu && { byCpuTime: withSpread(cpu) }) };
}

/** The goal that the subject is at least this many times as fast as the peer; none if the peer is missing. */
export function fasterThan(
  timings: readonly Timing[],
  subject: string,
  peer: string,
  atLeast: number,
  by: Measure = 'cpuMs',
): Goal[] {
  const found = compare(timings, peer, subject, by);
  if (!found) return [];
  const goal = `at least ${times(atLeast)} as fast${by === 'wallMs' ? ' by the clock' : ''}`;
  return [{ what: `${subject}, against ${peer}`, goal, ...found, met: found.value >= atLeast }];
}

/** The goal that the subject takes at most `atMost` times as long as the peer. */
export function atMostTimes(
  timings: readonly Timing[],
  subject: string,
  peer: string,
  atMost: number,
  by: Measure = 'wallMs',
): Goal[] {
  const found = compare(timings, subject, peer, by);
  if (!found) return [];
  const goal = `at most ${times(atMost)} the ${by === 'cpuMs' ? 'processor ' : ''}time`;
  return [{ what: `${subject}, against ${peer}`, goal, ...found, met: found.value <= atMost }];
}

/** Processes that a command cannot do without. Each starts Node.js, which counts once. */
export interface Floor {
  readonly parts: readonly string[];
  /** The process that only starts Node.js. */
  readonly start: string;
}

/** The processor time of a process in milliseconds; not a number if it was not measured. */
const cpuOf = (timings: readonly Timing[], name: string): number =>
  timings.find((timing) => timing.name === name)?.cpuMs?.median ?? Number.NaN;

/** The processor time that the parts of a floor take together, in milliseconds. */
const leastMs = (timings: readonly Timing[], { parts, start }: Floor): number =>
  parts.reduce((sum, part) => sum + cpuOf(timings, part), 0) - (parts.length - 1) * cpuOf(timings, start);

/** A goal with what its parts alone would reach, if that was measured. */
const withLeast = (goal: Goal, least: number, text: string, { parts }: Floor): Goal =>
  Number.isFinite(least) ? { ...goal, floor: `${text}: ${parts.join(' + ')}` } : goal;

/** Adds to each goal against a peer the ratio that the parts alone would reach. */
export function withFloor(
  goals: readonly Goal[],
  timings: readonly Timing[],
  peer: string,
  floor: Floor,
): Goal[] {
  const least = leastMs(timings, floor) / cpuOf(timings, peer);
  return goals.map((goal) => withLeast(goal, least, times(least), floor));
}

/** A goal that a value stays below a limit. */
export const below = (what: string, value: number, limit: number, text: (value: number) => string): Goal => ({
  what,
  goal: `at most ${text(limit)}`,
  measured: text(value),
  value,
  met: value <= limit,
});

const milliseconds = (value: number) => `${value.toFixed(0)} ms`;

/** The goal that a process uses at most this much processor time; `floor` is what it cannot do without. */
export function belowCpuMs(timings: readonly Timing[], subject: string, most: number, floor: Floor): Goal[] {
  const cpuMs = cpuOf(timings, subject);
  if (!Number.isFinite(cpuMs)) return [];
  const goal = below(`${subject}, processor time`, cpuMs, most, milliseconds);
  const least = leastMs(timings, floor);
  return [withLeast(goal, least, milliseconds(least), floor)];
}

interface Report {
  readonly summary: { readonly episodes: number; readonly events: number };
  readonly episodes: readonly {
    readonly findings: readonly { readonly code: string; readonly severity: string }[];
  }[];
}

/** What verification must find in the data. */
interface Expected {
  readonly episodes: number;
  readonly events?: number;
  /** How often each code of finding is planted. */
  readonly planted?: Readonly<Record<string, number>>;
}

/** How often each code was found. Infos count only if they were planted, because intact runs have some. */
function countCodes({ episodes }: Report, planted: Readonly<Record<string, number>>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code, severity } of episodes.flatMap(({ findings }) => findings))
    if (severity !== 'info' || code in planted) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

const inOrder = (counts: Readonly<Record<string, number>>) => JSON.stringify(Object.entries(counts).sort());

/** Throws unless the data verifies with exactly the planted findings. Otherwise the rates would mean nothing. */
export function assertAsMade(bench: Bench, path: string, { episodes, events, planted = {} }: Expected): void {
  const args = [bench.options.cli, 'verify', '-j', '--max-findings', '0', path];
  const text = textOf(process.execPath, args, Object.keys(planted).length > 0 ? 1 : 0);
  if (text === undefined) throw new Error(`verify failed on ${path}: --fresh makes the data again`);
  const report = JSON.parse(text) as Report;
  const found = countCodes(report, planted);
  if (inOrder(found) !== inOrder(planted)) {
    throw new Error(`${path} has the findings ${inOrder(found)}, and ${inOrder(planted)} were planted`);
  }
  const { summary } = report;
  if (summary.episodes !== episodes || (events !== undefined && summary.events !== events)) {
    throw new Error(`${path}: ${summary.events} events in ${summary.episodes} episodes were verified`);
  }
}

/** Formats a size. */
export const megabytes = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.round(bytes / 1e3)} kB` : `${Math.round(bytes / 1e6)} MB`;
