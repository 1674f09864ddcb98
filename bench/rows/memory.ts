import type { StreamedEpisode } from '../data/streamed-episode.ts';
import { peakMemory } from '../measure/memory.ts';
import { assertAsMade, type Bench, below, type Goal, megabytes, type Row } from './row.ts';
import { describe } from './verify.ts';

const fixedBytes = 150_000_000;
const bytesPerEvent = 64;
const timesState = 5;

const commands: readonly (readonly string[])[] = [
  ['verify', '--jobs', '1'],
  ['events', '--phase', 'act', '-j'],
  ['events', '-j'],
];

const limitFor = ({ events, stateBytes }: StreamedEpisode) =>
  fixedBytes + bytesPerEvent * events + timesState * stateBytes;

/** The peak memory of a command, and how much each further event adds. */
function measure(bench: Bench, args: readonly string[], less: StreamedEpisode, more: StreamedEpisode) {
  const { folder, options } = bench;
  const name = `noesis ${args.join(' ')}`;
  const small = peakMemory(folder, options.cli, [...args, less.dir]);
  const big = peakMemory(folder, options.cli, [...args, more.dir]);
  const perEvent = (big - small) / (more.events - less.events);
  const goal: Goal = below(`${name}, peak resident memory`, big, limitFor(more), megabytes);
  const note = `${name}: ${megabytes(small)} on the log of the row verify, ${perEvent.toFixed(1)} bytes more per further event`;
  return { goal, note };
}

/** Memory for logs with a million reported faults, and for logs with a very large record. */
export const findingsRow: Row = {
  name: 'findings',
  title: 'resident memory on a million findings, and on very large ones',
  run(bench) {
    const { folder, options, store } = bench;
    const { garbage, causeless, faults } = store.damagedLogs();
    const { log: oversized, bytes } = store.oversizedLog();
    const args = ['verify', '--jobs', '1', '-j'];
    const goalFor = (what: string, log: string, lines: number) => {
      const limit = fixedBytes + bytesPerEvent * lines;
      return below(
        `noesis verify -j, ${what}`,
        peakMemory(folder, options.cli, [...args, log], 1),
        limit,
        megabytes,
      );
    };
    return {
      data: `two logs with ${faults} faulty lines each, and one with a line of ${megabytes(bytes)} and one that nests 100,000 deep`,
      timings: [],
      goals: [
        goalFor('no line is JSON', garbage, faults),
        goalFor('no event has its cause', causeless, faults),
        goalFor('a very long line, a very deep one', oversized, 3),
      ],
      notes: [],
    };
  },
};

/** Memory for a log that is larger than most machines can hold. */
export const memoryRow: Row = {
  name: 'memory',
  title: 'resident memory on a 2 GB log',
  run(bench) {
    const less = bench.store.padded();
    const more = bench.store.hugeLog();
    try {
      assertAsMade(bench, more.dir, { episodes: 1, events: more.events });
      const measured = commands.map((args) => measure(bench, args, less, more));
      return {
        data: describe(more),
        timings: [],
        goals: measured.map(({ goal }) => goal),
        notes: measured.map(({ note }) => note),
      };
    } finally {
      if (!bench.options.keep) bench.store.dropHugeLog();
    }
  },
};

/** Memory if state.json grows with the log. */
export const memoryOfActsRow: Row = {
  name: 'memory-acts',
  title: 'resident memory on a log whose half are acts, mirrored in state.json',
  run(bench) {
    const episode = bench.store.halfActs();
    const goals = [...commands, ['project', '-j']].map((args) => {
      const peak = peakMemory(bench.folder, bench.options.cli, [...args, episode.dir]);
      return below(`noesis ${args.join(' ')}, peak resident memory`, peak, limitFor(episode), megabytes);
    });
    return { data: describe(episode), timings: [], goals, notes: [] };
  },
};

/** In bytes: a state or a projection as text is printed in pieces. */
const mostForText = 220e6;

/** Memory of commands that print one large text. */
export const memoryOfTextRow: Row = {
  name: 'memory-text',
  title: 'resident memory of state and project as text',
  run(bench) {
    const acts = bench.store.halfActs();
    const padded = bench.store.padded();
    const goalFor = (command: string, dir: string): Goal => {
      const peak = peakMemory(bench.folder, bench.options.cli, [command, dir]);
      return below(`noesis ${command}, peak resident memory`, peak, mostForText, megabytes);
    };
    return {
      data: `a state of ${megabytes(acts.stateBytes)}, and a log of ${megabytes(padded.bytes)}`,
      timings: [],
      goals: [goalFor('state', acts.dir), goalFor('project', padded.dir)],
      notes: [],
    };
  },
};
