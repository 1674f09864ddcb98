import { interleave } from '../measure/rounds.ts';
import { fasterThan, megabytes, nodePeer, noesis, type Row } from './row.ts';

/** A list of the sessions of a home: their tokens and their ends stand anywhere in the logs. */
export const sessionsRow: Row = {
  name: 'sessions',
  title: 'list 1,000 sessions of coding agents',
  run(bench) {
    const { folder, sessions, bytes } = bench.store.homeOfSessions();
    const { repeat: rounds, warmUp } = bench.options;
    const list = noesis(bench, ['list', '-j', folder], 'noesis list');
    const loop = nodePeer(bench, 'bare-loop', [folder]);
    const timings = interleave([list, loop], { rounds, warmUp });
    return {
      data: `${sessions} sessions of three programs, ${megabytes(bytes)}`,
      bytes,
      timings,
      goals: fasterThan(timings, list.name, loop.name, 0.75),
      notes: ['made from the samples: their turns again and again, with outputs of tools of 8 kB'],
    };
  },
};
