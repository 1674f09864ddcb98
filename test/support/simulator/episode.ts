import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MemoryDisk } from './disk.ts';
import { play } from './loop.ts';
import { createRandom } from './random.ts';
import { createRun } from './run.ts';
import { type EpisodeShape, settleShape } from './shape.ts';

export type { Ending, EpisodeShape, Governed, SignatureShape } from './shape.ts';

/** An episode in memory: its files by their names relative to the episode's directory. */
export interface SimulatedEpisode {
  readonly id: string;
  readonly files: Map<string, Uint8Array>;
}

/** Makes an episode of the given shape; the same shape gives the same bytes. Throws RangeError for a bad `startedAt`. */
export function simulateEpisode(shape: EpisodeShape = {}): SimulatedEpisode {
  const settled = settleShape(shape);
  const disk = new MemoryDisk(createRandom(settled.seed));
  const run = createRun(settled, disk);
  play(run);
  return { id: run.id, files: disk.files() };
}

/** A run killed after each of its writes in turn: the files that it leaves, the last time all of them. */
export function simulateKills(shape: EpisodeShape = {}): SimulatedEpisode[] {
  const settled = settleShape(shape);
  const moments: Map<string, Uint8Array>[] = [];
  const disk = new MemoryDisk(createRandom(settled.seed), (files) => moments.push(new Map(files)));
  const run = createRun(settled, disk);
  play(run);
  return moments.map((files) => ({ id: run.id, files }));
}

/** Writes an episode to `<episodesDir>/<id>/` and returns that directory. */
export function writeEpisode(episodesDir: string, episode: SimulatedEpisode): string {
  const directory = join(episodesDir, episode.id);
  mkdirSync(directory, { recursive: true });
  for (const [name, bytes] of episode.files) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  return directory;
}
