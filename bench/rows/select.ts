import { readFileSync, rmSync } from 'node:fs';
import { interleave } from '../measure/rounds.ts';
import { selectorsOf } from './json-peers.ts';
import { fasterThan, nodePeer, noesis, type Row } from './row.ts';
import { describe } from './verify.ts';

const countLines = (path: string): number => readFileSync(path).filter((byte) => byte === 0x0a).length;

/** Choosing a few events from a big log. */
export const eventsRow: Row = {
  name: 'events',
  title: 'events --phase act -j on a 270 MB log, to a file',
  run(bench) {
    const episode = bench.store.mainLog();
    const { repeat: rounds, warmUp } = bench.options;
    const output = bench.store.output('noesis.out');
    const subject = { ...noesis(bench, ['events', '--phase', 'act', '-j', episode.dir]), output };
    const peers = selectorsOf(bench, episode.log);
    const timings = interleave([subject, ...peers], { rounds, warmUp });
    for (const { name, output: path } of [subject, ...peers]) {
      const lines = countLines(path ?? '');
      // One more than the acts that were asked for: the roll-up act.
      if (lines !== episode.acts + 1) throw new Error(`${name} wrote ${lines} lines`);
      rmSync(path ?? '');
    }
    return {
      data: describe(episode),
      bytes: episode.bytes,
      timings,
      goals: fasterThan(timings, subject.name, 'jq select', 10),
      notes: [],
    };
  },
};

/** State from the log alone. */
export const projectRow: Row = {
  name: 'project',
  title: 'project -j on a 270 MB log',
  run(bench) {
    const episode = bench.store.mainLog();
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
