import { interleave } from '../measure/rounds.ts';
import { atMostTimes, fasterThan, megabytes, nodePeer, noesis, type Row } from './row.ts';

/** Lists the sessions in a home. Their tokens and ends may be anywhere in the logs. */
export const sessionsRow: Row = {
  name: 'sessions',
  title: 'list 1,300 sessions of coding agents',
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

/** Prints a long session from top to bottom. */
export const readRow: Row = {
  name: 'read',
  title: 'read a long session of a coding agent',
  run(bench) {
    const { path, bytes, events } = bench.store.longSession('claude-code');
    const { repeat: rounds, warmUp } = bench.options;
    const read = noesis(bench, ['read', path], 'noesis read');
    const loop = nodePeer(bench, 'bare-loop', [path]);
    const timings = interleave([read, loop], { rounds, warmUp });
    return {
      data: `one session of ${megabytes(bytes)}, ${events} records, made from a real one`,
      bytes,
      timings,
      goals: atMostTimes(timings, read.name, loop.name, 1.5, 'cpuMs'),
      notes: ['the whole log is read, and what its tools gave is folded'],
    };
  },
};
