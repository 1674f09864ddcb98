import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { peakMemory } from '../measure/memory.ts';
import { interleave } from '../measure/rounds.ts';
import {
  assertAsMade,
  atMostTimes,
  type Bench,
  below,
  fasterThan,
  megabytes,
  noesis,
  type Row,
} from './row.ts';

const MEASURED = ['verify', '--jobs', '2', '-f', 'ndjson', '-o', '/dev/null', '-q'] as const;
const NDJSON = ['-f', 'ndjson', '-o', '/dev/null', '-q'] as const;

/** Verifies many episodes, and writes the report meanwhile. */
export const fleetRow: Row = {
  name: 'fleet',
  title: 'verify 10,000 small episodes, as NDJSON, on one core and on two',
  run(bench) {
    const { folder, count } = bench.store.smallEpisodes();
    assertAsMade(bench, folder, { episodes: count });
    const { repeat: rounds, warmUp } = bench.options;
    const one = noesis(bench, ['verify', '--jobs', '1', ...NDJSON, folder], 'noesis verify --jobs 1');
    const two = noesis(bench, ['verify', '--jobs', '2', ...NDJSON, folder], 'noesis verify --jobs 2');
    const shard = noesis(
      bench,
      ['verify', '--jobs', '1', ...NDJSON, '--shard', '1/4', folder],
      'one shard of four',
    );
    const timings = interleave([one, two, shard], { rounds, warmUp });
    return {
      data: `${count} sealed episodes of 20 events, six files each`,
      timings,
      goals: [
        ...fasterThan(timings, two.name, one.name, 1.7, 'wallMs'),
        // Each shard lists all targets.
        ...fasterThan(timings, shard.name, one.name, 2.5, 'wallMs'),
        below(
          `${two.name}, peak resident memory`,
          peakMemory(bench.folder, bench.options.cli, [...MEASURED, folder]),
          400e6,
          megabytes,
        ),
      ],
      notes: ['a shard lists all targets and reads its own'],
    };
  },
};

/** A tar of a folder, next to it. Made once. */
function tarOf(bench: Bench, folder: string): string {
  const tar = join(dirname(folder), `${basename(folder)}.tar`);
  if (existsSync(tar) && !bench.options.fresh) return tar;
  const half = `${tar}.half`;
  const { status } = spawnSync('tar', ['-cf', half, '-C', dirname(folder), basename(folder)]);
  if (status !== 0) throw new Error('tar is needed to make an archive');
  renameSync(half, tar);
  return tar;
}

/** Verifies the episodes in a tar. */
export const archiveRow: Row = {
  name: 'archive',
  title: 'verify 10,000 small episodes in a tar, against the folder',
  run(bench) {
    const { folder, count } = bench.store.smallEpisodes();
    const tar = tarOf(bench, folder);
    assertAsMade(bench, tar, { episodes: count });
    const { repeat: rounds, warmUp } = bench.options;
    const inFolder = noesis(bench, ['verify', '--jobs', '2', folder], 'the folder');
    const inTar = noesis(bench, ['verify', '--jobs', '2', tar], 'the tar');
    const timings = interleave([inFolder, inTar], { rounds, warmUp });
    return {
      data: `${count} sealed episodes of 20 events, six files each`,
      timings,
      goals: atMostTimes(timings, inTar.name, inFolder.name, 4),
      notes: ['each file is written to a temporary folder, verified and removed'],
    };
  },
};

/** Verifies unchanged episodes again. */
export const cacheRow: Row = {
  name: 'cache',
  title: 'verify 10,000 small episodes again, with a cache',
  run(bench) {
    const { folder, count } = bench.store.smallEpisodes();
    assertAsMade(bench, folder, { episodes: count });
    const cache = `${folder}.cache`;
    if (bench.options.fresh) rmSync(cache, { recursive: true, force: true });
    const { repeat: rounds, warmUp } = bench.options;
    const plain = noesis(bench, ['verify', '--jobs', '2', folder], 'without a cache');
    const cached = noesis(bench, ['verify', '--jobs', '2', '--cache', cache, folder], 'with a cache');
    spawnSync(cached.file, [...cached.args]);
    const timings = interleave([plain, cached], { rounds, warmUp });
    return {
      data: `${count} sealed episodes of 20 events, six files each; none changed`,
      timings,
      goals: fasterThan(timings, cached.name, plain.name, 1.2),
      notes: ['small episodes gain least: the cache looks at each file once, as a verification does'],
    };
  },
};
