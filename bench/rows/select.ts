import { readFileSync, rmSync } from 'node:fs';
import type { Store } from '../data/store.ts';
import type { StreamedEpisode } from '../data/streamed-episode.ts';
import { interleave } from '../measure/rounds.ts';
import { selectorsOf } from './json-peers.ts';
import { fasterThan, nodePeer, noesis, type Row } from './row.ts';
import { describe } from './verify.ts';

const countLines = (path: string): number => readFileSync(path).filter((byte) => byte === 0x0a).length;

/** Selects events of a log and writes them to a file, compared with other programs. */
const eventsRowOf = (
  name: string,
  title: string,
  atLeast: number,
  dataOf: (store: Store) => StreamedEpisode,
): Row => ({
  name,
  title,
  run(bench) {
    const episode = dataOf(bench.store);
    const { repeat: rounds, warmUp } = bench.options;
    const output = bench.store.output('noesis.out');
    const subject = { ...noesis(bench, ['events', '--phase', 'act', '-j', episode.dir]), output };
    const peers = selectorsOf(bench, episode.log);
    const timings = interleave([subject, ...peers], { rounds, warmUp });
    for (const { name: tool, output: path = '' } of [subject, ...peers]) {
      const lines = countLines(path);
      if (lines !== episode.actEvents)
        throw new Error(`${tool} wrote ${lines} of ${episode.actEvents} lines`);
      rmSync(path);
    }
    return {
      data: describe(episode),
      bytes: episode.bytes,
      timings,
      goals: fasterThan(timings, subject.name, 'jq select', atLeast),
      notes: [],
    };
  },
});

/** A few of many events, and half of them. */
export const eventsRows: readonly Row[] = [
  eventsRowOf('events', 'events --phase act -j on a padded log, to a file', 10, (store) => store.padded()),
  eventsRowOf('events-acts', 'events --phase act -j on a log whose half are acts, to a file', 8, (store) =>
    store.halfActs(),
  ),
];

/** Rebuilds a state from the log. */
export const projectRow: Row = {
  name: 'project',
  title: 'project -j on a padded log',
  run(bench) {
    const episode = bench.store.padded();
    const { repeat: rounds, warmUp } = bench.options;
    const subject = noesis(bench, ['project', '-j', episode.dir]);
    const timings = interleave([subject, nodePeer(bench, 'bare-loop', [episode.log])], { rounds, warmUp });
    return {
      data: describe(episode),
      bytes: episode.bytes,
      timings,
      goals: fasterThan(timings, subject.name, 'bare-loop', 1.5),
      notes: [],
    };
  },
};
