import { type Command, runOnce, type Sample } from './process.ts';
import { type Summary, summarise } from './stats.ts';

/** What the rounds say about one contestant. */
export interface Timing {
  readonly name: string;
  readonly wallMs: Summary;
  readonly cpuMs: Summary | undefined;
  /** Each round's wall-clock time, in the order of the rounds. */
  readonly rounds: readonly number[];
}

/** How many times slower one contestant is than another. */
export interface Ratio {
  readonly value: number;
  /** The extremes of the ratio within one round. */
  readonly min: number;
  readonly max: number;
}

function timingOf(name: string, samples: readonly Sample[]): Timing {
  const rounds = samples.map(({ wallMs }) => wallMs);
  const cpu = samples.flatMap(({ cpuMs }) => cpuMs ?? []);
  return {
    name,
    rounds,
    wallMs: summarise(rounds),
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

/** How many times as long `slower` takes: of the medians, with the extremes among the rounds. */
export function ratioOf(slower: Timing, faster: Timing): Ratio {
  const perRound = slower.rounds.map((wall, round) => wall / (faster.rounds[round] ?? Number.NaN));
  return {
    value: slower.wallMs.median / faster.wallMs.median,
    min: Math.min(...perRound),
    max: Math.max(...perRound),
  };
}
