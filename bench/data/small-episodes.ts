import { mkdirSync } from 'node:fs';
import { type EpisodeShape, simulateEpisode, writeEpisode } from '../../test/support/simulator/episode.ts';

const eventsOf = (shape: EpisodeShape): number =>
  Buffer.from(simulateEpisode(shape).files.get('events.jsonl') ?? [])
    .toString()
    .split('\n').length - 1;

/** A shape with exactly this number of events: a usual run, padded. */
function shapeWith(events: number, shape: EpisodeShape): EpisodeShape {
  const short = events - eventsOf(shape);
  if (short < 0) throw new RangeError(`the shape has ${-short} events too many`);
  return { ...shape, extraEvents: short };
}

/** Writes one sealed episode with this number of events; returns its folder. */
export function writeSmallEpisode(folder: string, events: number): string {
  mkdirSync(folder, { recursive: true });
  return writeEpisode(folder, simulateEpisode(shapeWith(events, { seed: 15, acts: 2, unicode: false })));
}

/** Writes one episode that is still running, so that its log can be followed. */
export function writeRunningEpisode(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return writeEpisode(folder, simulateEpisode({ seed: 16, ending: 'running', unicode: false }));
}

/** Writes many different sealed episodes with this number of events each, a minute apart. */
export function writeSmallEpisodes(folder: string, count: number, events: number): void {
  mkdirSync(folder, { recursive: true });
  const first = Date.parse('2026-03-01T00:00:00Z');
  for (let seed = 1; seed <= count; seed++) {
    const startedAt = new Date(first + seed * 60_000).toISOString();
    writeEpisode(
      folder,
      simulateEpisode(shapeWith(events, { seed, startedAt, acts: 2, governed: 'allow', unicode: false })),
    );
  }
}
