import { peakMemory } from '../measure/memory.ts';
import { interleave } from '../measure/rounds.ts';
import { atMostTimes, below, megabytes, nodePeer, noesis, type Row } from './row.ts';
import { describe } from './verify.ts';

/** In bytes. */
const MOST_MEMORY = 400_000_000;

/** Exports a log as tables. Reads it three times (integrity and account, verification, rows) and compresses its records. */
export const exportRow: Row = {
  name: 'export',
  title: 'export --format parquet of a log whose half are acts',
  run(bench) {
    const episode = bench.store.halfActs();
    const { repeat: rounds, warmUp, cli } = bench.options;
    const args = ['export', '--format', 'parquet', '--force', '-q', '-o', bench.store.output('tables')];
    const subject = noesis(bench, [...args, episode.dir]);
    const timings = interleave([subject, nodePeer(bench, 'bare-loop', [episode.log])], { rounds, warmUp });
    const peak = peakMemory(bench.folder, cli, [...args, episode.dir]);
    return {
      data: describe(episode),
      bytes: episode.bytes,
      timings,
      goals: [
        ...atMostTimes(timings, subject.name, 'bare-loop', 15),
        below(`${subject.name}, peak resident memory`, peak, MOST_MEMORY, megabytes),
      ],
      notes: [],
    };
  },
};
