import { type Command, runOnce, type Sample } from './process.ts';
import { type Summary, summarise } from './stats.ts';

/** The times of one contestant. */
export interface Timing {
  readonly name: string;
  readonly wallMs: Summary;
  readonly cpuMs: Summary | undefined;
  /** In order. */
  readonly rounds: readonly Sample[];
}

/** How many times slower one contestant is than another. */
export interface Ratio {
  readonly value: number;
  /** The extremes of the ratio within one round. */
  readonly min: number;
  readonly max: number;
}

/** Elapsed time, or the processor time of all threads of the process. */
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
 * Runs the contestants in turns (A B C, A B C, …), so that a slow moment of the machine affects all of them. The first
 * round fills the caches and does not count.
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

/** How many times as long `slower` takes in elapsed time: the ratio of the medians, and the extremes of all rounds. */
export const clockRatio = (slower: Timing, faster: Timing): Ratio => ratio(slower, faster, 'wallMs');

/** As {@link clockRatio}, but for processor time; undefined if it was not measured. */
export const cpuRatio = (slower: Timing, faster: Timing): Ratio | undefined =>
  slower.cpuMs && faster.cpuMs && ratio(slower, faster, 'cpuMs');
