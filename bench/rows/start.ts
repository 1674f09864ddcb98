import { interleave } from '../measure/rounds.ts';
import { atMostTimes, nodeAlone, noesis, type Row } from './row.ts';

/** The time before a command does anything. */
export const startRow: Row = {
  name: 'start',
  title: 'start-up, whole processes',
  run(bench) {
    const { startRounds: rounds, warmUp } = bench.options;
    const version = noesis(bench, ['--version']);
    const events = noesis(bench, ['events', bench.store.episodeOf(15)]);
    const timings = interleave([nodeAlone, version, events], { rounds, warmUp });
    return {
      data: 'one episode of 15 events',
      timings,
      goals: [
        ...atMostTimes(timings, version.name, nodeAlone.name, 1.25),
        ...atMostTimes(timings, events.name, nodeAlone.name, 1.5),
      ],
      notes: [],
    };
  },
};
