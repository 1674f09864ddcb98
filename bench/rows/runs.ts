import { SEARCHED_EPISODES } from '../data/store.ts';
import { peakMemory } from '../measure/memory.ts';
import type { Command } from '../measure/process.ts';
import { interleave } from '../measure/rounds.ts';
import { atMostTimes, below, fasterThan, megabytes, noesis, type Row } from './row.ts';
import { describe } from './verify.ts';

/** A question about a whole run, for `noesis` and for jq on the same log. */
const rowOf = (
  name: string,
  title: string,
  argsOf: (dir: string) => string[],
  filter: string,
  atLeast: number,
): Row => ({
  name,
  title,
  run(bench) {
    const episode = bench.store.padded();
    const { repeat: rounds, warmUp } = bench.options;
    const output = bench.store.output(`${name}.out`);
    const subject = { ...noesis(bench, argsOf(episode.dir)), output };
    const { jq } = bench.tools;
    const peer: Command[] = jq
      ? [
          {
            name: 'jq',
            file: jq.file,
            args: ['-c', filter, episode.log],
            output: bench.store.output('jq-runs.out'),
          },
        ]
      : [];
    const timings = interleave([subject, ...peer], { rounds, warmUp });
    return {
      data: describe(episode),
      bytes: episode.bytes,
      timings,
      goals: fasterThan(timings, subject.name, 'jq', atLeast),
      notes: [],
    };
  },
});

/** Questions that need a pass over all events. */
export const runRows: readonly Row[] = [
  rowOf(
    'stats',
    'stats -j of a padded log; jq only takes out what is added up',
    (dir) => ['stats', '-j', dir],
    '[.phase, .metrics.duration_ms]',
    1,
  ),
  rowOf(
    'search',
    'events --grep on a padded log, to a file',
    (dir) => ['events', '--grep', 'Completed', '-j', dir],
    'select(tojson | contains("Completed"))',
    1,
  ),
];

const STRIPPED = 'del(.id, .timestamp, .caused_by, .episode_id, .metrics)';
const MOST_DIFF_MEMORY = 400e6;

/** Compares two runs. The peer removes ids and times, and only reports whether the rest is equal. */
export const diffRow: Row = {
  name: 'diff',
  title: 'diff -j of two logs of a hundred thousand events; jq and cmp on the same',
  run(bench) {
    const { dir, log, ...episode } = bench.store.viewed();
    const { repeat: rounds, warmUp } = bench.options;
    const args = ['diff', '-j', dir, dir];
    const subject = { ...noesis(bench, args), output: bench.store.output('diff.out') };
    const [a, b] = [bench.store.output('jq-a.out'), bench.store.output('jq-b.out')];
    const script = `"$0" -c '${STRIPPED}' "$1" > "$2"; "$0" -c '${STRIPPED}' "$1" > "$3"; cmp "$2" "$3"`;
    const peer: Command[] = bench.tools.jq
      ? [{ name: 'jq and cmp', file: 'sh', args: ['-c', script, bench.tools.jq.file, log, a, b] }]
      : [];
    const timings = interleave([subject, ...peer], { rounds, warmUp });
    return {
      data: describe({ dir, log, ...episode }),
      bytes: 2 * episode.bytes,
      timings,
      goals: [
        ...fasterThan(timings, subject.name, 'jq and cmp', 0.75),
        below(
          'noesis diff, peak resident memory',
          peakMemory(bench.folder, bench.options.cli, args),
          MOST_DIFF_MEMORY,
          megabytes,
        ),
      ],
      notes: [
        'noesis matches events that are not on the same line, and compares plans, outcomes and metrics',
      ],
    };
  },
};

/** Selects events of many small episodes. */
export const searchManyRow: Row = {
  name: 'search-many',
  title: 'events --phase act -j of 2,000 small episodes, to a file',
  run(bench) {
    const { folder, count } = bench.store.smallEpisodes(SEARCHED_EPISODES);
    const { repeat: rounds, warmUp } = bench.options;
    const output = bench.store.output('search-many.out');
    const subject = { ...noesis(bench, ['events', folder, '--phase', 'act', '-j']), output };
    const script = 'find "$1" -name events.jsonl -exec cat {} + | "$0" -c \'select(.phase=="act")\'';
    const peer: Command[] = bench.tools.jq
      ? [
          {
            name: 'cat and jq',
            file: 'sh',
            args: ['-c', script, bench.tools.jq.file, folder],
            output: bench.store.output('jq-many.out'),
          },
        ]
      : [];
    const timings = interleave([subject, ...peer], { rounds, warmUp });
    return {
      data: `${count} sealed episodes of 20 events`,
      timings,
      goals: atMostTimes(timings, subject.name, 'cat and jq', 2),
      notes: [
        'jq reads one stream and checks nothing; each log is found whole before a line of it is printed',
      ],
    };
  },
};
