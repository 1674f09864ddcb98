import { type Command, runOnce, type Sample } from './process.ts';
import { type Summary, summarise } from './stats.ts';

/** What the rounds say about one contestant. */
export interface Timing {
  readonly name: string;
  readonly wallMs: Summary;
  readonly cpuMs: Summary | undefined;
  /** Each round, in the order of the rounds. */
  readonly rounds: readonly Sample[];
}

/** How many times slower one contestant is than another. */
export interface Ratio {
  readonly value: number;
  /** The extremes of the ratio within one round. */
  readonly min: number;
  readonly max: number;
}

/** What is compared: time by the clock, or the processor time of the process and all its threads. */
export type Measure = 'wallMs' | 'cpuMs';

function timingOf(name: string, rounds: readonly Sample[]): Timing {
  const cpu = rounds.flatMap(({ cpuMs }) => cpuMs ?? []);
  return {
    name,
    rounds,
    wallMs: summarise(rounds.map(({ wallMs }) => wallMs)),
    cpuMs: cpu.length === rounds.length ? summarise(cpu) : undefined,
  };
}

/**
 * Runs the contestants in turns (A B C, A B C, …), so that a slow spell of the machine hits all of them, after one
 * round that does not count and fills the caches.
 */
export function interleave(
  commands: readonly Command[],
  { rounds, warmUp }: { readonly rounds: number; readonly warmUp: boolean },
): Timing[] {
  if (warmUp) for (const command of commands) runOnce(command);
  const samples = commands.map((): Sample[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, command] of commands.entries()) samples[index]?.push(runOnce(command));
  }
  return commands.map(({ name }, index) => timingOf(name, samples[index] ?? []));
}

const ratio = (slower: Timing, faster: Timing, measure: Measure): Ratio => {
  const perRound = slower.rounds.map(
    (sample, round) => (sample[measure] ?? Number.NaN) / (faster.rounds[round]?.[measure] ?? Number.NaN),
  );
  const value = (slower[measure]?.median ?? Number.NaN) / (faster[measure]?.median ?? Number.NaN);
  return { value, min: Math.min(...perRound), max: Math.max(...perRound) };
};

/** How many times as long `slower` takes by the clock: of the medians, with the extremes among the rounds. */
export const clockRatio = (slower: Timing, faster: Timing): Ratio => ratio(slower, faster, 'wallMs');

/** The same of processor time; undefined where it is not measured. */
export const cpuRatio = (slower: Timing, faster: Timing): Ratio | undefined =>
  slower.cpuMs && faster.cpuMs && ratio(slower, faster, 'cpuMs');
