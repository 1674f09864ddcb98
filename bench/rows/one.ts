import { interleave } from '../measure/rounds.ts';
import { atMostTimes, nodeAlone, noesis, type Row } from './row.ts';

/** A whole command on a small episode: almost all of its time is loading and compiling code. */
export const oneRow: Row = {
  name: 'one',
  title: 'one small episode, whole processes',
  run(bench) {
    const { startRounds: rounds, warmUp } = bench.options;
    const episode = bench.store.episodeOf(19);
    const verify = noesis(bench, ['verify', episode]);
    const show = noesis(bench, ['show', episode]);
    const events = noesis(bench, ['events', episode]);
    const timings = interleave([nodeAlone, verify, show, events], { rounds, warmUp });
    return {
      data: 'one episode of 19 events',
      timings,
      goals: [
        ...atMostTimes(timings, verify.name, nodeAlone.name, 2, 'cpuMs'),
        ...atMostTimes(timings, show.name, nodeAlone.name, 2, 'cpuMs'),
        ...atMostTimes(timings, events.name, nodeAlone.name, 1.5, 'cpuMs'),
      ],
      notes: [],
    };
  },
};
