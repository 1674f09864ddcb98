import type { Command } from '../measure/process.ts';
import { interleave } from '../measure/rounds.ts';
import { type Bench, fasterThan, noesis, type Row } from './row.ts';
import { describe } from './verify.ts';

/**
 * A question about a whole run, asked of `noesis` and, as far as it can be put so, of jq on the same log. Only a search is
 * the same work for both, and has a goal.
 */
const rowOf = (
  name: string,
  title: string,
  argsOf: (dir: string) => string[],
  filter: string,
  atLeast?: number,
): Row => ({
  name,
  title,
  run(bench) {
    const episode = bench.store.padded();
    const { repeat: rounds, warmUp } = bench.options;
    const output = bench.store.output(`${name}.out`);
    const subject = { ...noesis(bench, argsOf(episode.dir)), output };
    const peer = jqPeer(bench, filter, episode.log);
    const timings = interleave([subject, ...peer], { rounds, warmUp });
    return {
      data: describe(episode),
      bytes: episode.bytes,
      timings,
      goals: atLeast === undefined ? [] : fasterThan(timings, subject.name, 'jq', atLeast),
      notes: [],
    };
  },
});

function jqPeer(bench: Bench, filter: string, log: string): Command[] {
  const { jq } = bench.tools;
  const output = bench.store.output('jq-runs.out');
  return jq ? [{ name: 'jq', file: jq.file, args: ['-c', filter, log], output }] : [];
}

/** What only a pass over all events can tell: two runs side by side, sums, a text. */
export const runRows: readonly Row[] = [
  rowOf(
    'diff',
    'diff -j of a padded log with itself (two readings); jq takes ids and times out of it once',
    (dir) => ['diff', '-j', dir, dir],
    'del(.id, .timestamp, .caused_by, .episode_id, .metrics)',
  ),
  rowOf('stats', 'stats -j of a padded log', (dir) => ['stats', '-j', dir], '[.phase, .metrics.duration_ms]'),
  rowOf(
    'search',
    'events --grep on a padded log, to a file',
    (dir) => ['events', '--grep', 'Completed', '-j', dir],
    'select(tojson | contains("Completed"))',
    1,
  ),
];
