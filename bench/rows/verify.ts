import type { BigEpisode } from '../data/big-episode.ts';
import { interleave } from '../measure/rounds.ts';
import { readersOf } from './json-peers.ts';
import { assertClean, fasterThan, megabytes, nodePeer, noesis, type Row } from './row.ts';

/** What a big episode is, in words. */
export const describe = ({ bytes, events, acts, stateBytes }: BigEpisode): string =>
  `one sealed episode: ${megabytes(bytes)} of log, ${events} events, ${acts} acts, state.json ${megabytes(stateBytes)}`;

/** One big log, everything checked, one thread. */
export const verifyRow: Row = {
  name: 'verify',
  title: 'verify a 270 MB log, one thread',
  run(bench) {
    const episode = bench.store.mainLog();
    assertClean(bench, episode.dir, 1, episode.events);
    const { repeat: rounds, warmUp } = bench.options;
    const subject = noesis(bench, ['verify', '--jobs', '1', episode.dir]);
    const two = noesis(bench, ['verify', '--jobs', '2', episode.dir], 'noesis verify --jobs 2');
    const timings = interleave([subject, two, ...readersOf(bench, episode.log)], { rounds, warmUp });
    return {
      data: describe(episode),
      bytes: episode.bytes,
      timings,
      goals: [
        ...fasterThan(timings, subject.name, 'bare-loop', 1.5),
        ...fasterThan(timings, subject.name, 'jq .', 8),
        ...fasterThan(timings, subject.name, 'python json', 4),
      ],
      notes: [
        '2.00 × of bare-loop is the record to set',
        '--jobs 2 hashes in a second thread; all goals are for one',
        'sha256 is the hash of the log alone, which verifying includes',
      ],
    };
  },
};

/** Many big logs: what a second worker is worth. */
export const jobsRow: Row = {
  name: 'jobs',
  title: 'verify 16 logs of 270 MB with two workers',
  run(bench) {
    const episode = bench.store.mainLog();
    const copies = bench.options.smoke ? 2 : 16;
    const folder = bench.store.copiesOfMainLog(copies);
    assertClean(bench, folder, copies, copies * episode.events);
    const { repeat: rounds, warmUp } = bench.options;
    const one = noesis(bench, ['verify', '--jobs', '1', folder], 'noesis verify --jobs 1');
    const two = noesis(bench, ['verify', '--jobs', '2', folder], 'noesis verify --jobs 2');
    const timings = interleave([one, two], { rounds, warmUp });
    return {
      data: `${copies} hard links to the episode of the row verify (one file in the page cache)`,
      bytes: copies * episode.bytes,
      timings,
      goals: fasterThan(timings, two.name, one.name, 1.7),
      notes: [],
    };
  },
};

/** Many small episodes, as a nightly run over a root has them. */
export const smallRow: Row = {
  name: 'small',
  title: 'verify 10,000 small episodes on two cores',
  run(bench) {
    const { folder, count } = bench.store.smallEpisodes();
    assertClean(bench, folder, count);
    const { repeat: rounds, warmUp } = bench.options;
    const subject = noesis(bench, ['verify', '--jobs', '2', folder]);
    const timings = interleave([subject, nodePeer(bench, 'bare-files', [folder])], { rounds, warmUp });
    return {
      data: `${count} sealed episodes of 20 events, six files each`,
      timings,
      goals: fasterThan(timings, subject.name, 'bare-files', 1),
      notes: ['bare-files: one thread that only reads and parses the same files'],
    };
  },
};
