import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StreamedEpisode } from '../data/streamed-episode.ts';
import { interleave } from '../measure/rounds.ts';
import { readersOf } from './json-peers.ts';
import {
  assertAsMade,
  belowCpuMs,
  fasterThan,
  megabytes,
  nodeAlone,
  nodePeer,
  noesis,
  type Row,
} from './row.ts';

/** Describes a large episode. */
export const describe = ({ bytes, events, acts, stateBytes }: StreamedEpisode): string =>
  `one sealed episode: ${megabytes(bytes)} of log, ${events} events, ${acts} acts, state.json ${megabytes(stateBytes)}`;

/** Verifies one large log with all checks. */
export const verifyRow: Row = {
  name: 'verify',
  title: 'verify a padded log of 109 MB',
  run(bench) {
    const episode = bench.store.padded();
    assertAsMade(bench, episode.dir, { episodes: 1, events: episode.events });
    const { repeat: rounds, warmUp } = bench.options;
    const one = noesis(bench, ['verify', '--jobs', '1', episode.dir]);
    const two = noesis(bench, ['verify', '--jobs', '2', episode.dir], 'noesis verify --jobs 2');
    const timings = interleave([one, two, ...readersOf(bench, episode)], { rounds, warmUp });
    return {
      data: describe(episode),
      bytes: episode.bytes,
      timings,
      goals: [
        ...fasterThan(timings, one.name, 'bare-loop', 1.2),
        ...fasterThan(timings, two.name, one.name, 1, 'wallMs'),
        ...fasterThan(timings, one.name, 'jq .', 8),
        ...fasterThan(timings, one.name, 'python json', 4),
      ],
      notes: [
        'bare-loop reads and parses every file of the episode, the others the log',
        '--jobs 2 hashes in a second thread; the other goals are for one',
        'sha256 only hashes the log; a verification includes that hash',
      ],
    };
  },
};

/** Verifies many large logs, with one worker and with two. */
export const jobsRow: Row = {
  name: 'jobs',
  title: 'verify 16 padded logs with two workers',
  run(bench) {
    const episode = bench.store.padded();
    const copies = bench.options.smoke ? 2 : 16;
    const folder = bench.store.copiesOfPadded(copies);
    assertAsMade(bench, folder, { episodes: copies, events: copies * episode.events });
    const { repeat: rounds, warmUp } = bench.options;
    const one = noesis(bench, ['verify', '--jobs', '1', folder], 'noesis verify --jobs 1');
    const two = noesis(bench, ['verify', '--jobs', '2', folder], 'noesis verify --jobs 2');
    const timings = interleave([one, two], { rounds, warmUp });
    return {
      data: `${copies} hard links to the episode of the row verify (one file in the page cache)`,
      bytes: copies * episode.bytes,
      timings,
      goals: fasterThan(timings, two.name, one.name, 1.7, 'wallMs'),
      notes: [],
    };
  },
};

/** Verifies many small episodes, like a nightly run over a root. */
export const smallRow: Row = {
  name: 'small',
  title: 'verify 10,000 small episodes on two cores',
  run(bench) {
    const { folder, count } = bench.store.smallEpisodes();
    assertAsMade(bench, folder, { episodes: count });
    const { repeat: rounds, warmUp } = bench.options;
    const subject = noesis(bench, ['verify', '--jobs', '2', folder]);
    const timings = interleave([subject, nodePeer(bench, 'bare-loop', [folder])], { rounds, warmUp });
    return {
      data: `${count} sealed episodes of 20 events, six files each`,
      timings,
      goals: fasterThan(timings, subject.name, 'bare-loop', 0.6, 'wallMs'),
      notes: ['bare-loop: one thread that only reads and parses the same files'],
    };
  },
};

/** The first episode in a folder. */
function oneIn(folder: string): string {
  const [first = ''] = readdirSync(folder).sort();
  return join(folder, first);
}

/** Verifies as many small episodes as one thread verifies faster than two. */
export const thousandRow: Row = {
  name: 'thousand',
  title: 'verify 1,000 small episodes',
  run(bench) {
    const { folder, count } = bench.store.smallEpisodes(1000);
    const { repeat: rounds, warmUp } = bench.options;
    const subject = noesis(bench, ['verify', folder]);
    const one = noesis(bench, ['verify', oneIn(folder)], 'verify of one');
    const files = nodePeer(bench, 'floors', ['episode', folder], 'status, hash and records of each file');
    const loop = nodePeer(bench, 'bare-loop', [folder]);
    const timings = interleave([subject, loop, one, files, nodeAlone], { rounds, warmUp });
    return {
      data: `${count} sealed episodes of 20 events, six files each`,
      timings,
      goals: belowCpuMs(timings, subject.name, 2100, {
        parts: [one.name, files.name],
        start: nodeAlone.name,
      }),
      notes: [],
    };
  },
};
