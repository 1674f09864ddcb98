import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EpisodeShape, simulateEpisode, writeEpisode } from './simulator/episode.ts';
import { tempDir } from './temp.ts';

/** An event as the tests look at it. */
export interface Event {
  readonly id?: string;
  readonly phase: string;
  readonly event_type?: string;
  readonly agent_id?: string;
  readonly caused_by?: string;
  readonly timestamp: string;
  readonly payload: Record<string, unknown>;
}

/** A simulated episode on disk. */
export interface Written {
  readonly id: string;
  readonly dir: string;
  readonly log: string;
  /** The log's lines as they are stored, without newlines. */
  readonly lines: readonly string[];
  readonly events: readonly Event[];
}

/** Writes a simulated episode below a folder: `<folder>/<id>/`. */
export function episodeIn(folder: string, shape: EpisodeShape = {}): Written {
  const episode = simulateEpisode(shape);
  const dir = writeEpisode(folder, episode);
  const log = join(dir, 'events.jsonl');
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  return { id: episode.id, dir, log, lines, events: lines.map((line) => JSON.parse(line) as Event) };
}

/** A working directory with a root whose `.noesis/episodes` has episodes of the given shapes. */
export function rootWith<Shapes extends readonly EpisodeShape[]>(
  ...shapes: Shapes
): { cwd: string; episodes: { [Index in keyof Shapes]: Written } } {
  const cwd = tempDir();
  const folder = join(cwd, '.noesis/episodes');
  return {
    cwd,
    episodes: shapes.map((shape) => episodeIn(folder, shape)) as { [Index in keyof Shapes]: Written },
  };
}

/** A rich sealed run without findings. */
export const GOOD: EpisodeShape = {
  seed: 11,
  startedAt: '2026-03-02T09:00:00Z',
  task: 'Prepare the release notes → café',
  acts: 5,
  unicode: false,
  governed: 'allow',
  direction: true,
  synthetic: true,
};

/** A run that a veto paused, with a valid checkpoint. */
export const PAUSED: EpisodeShape = {
  seed: 13,
  startedAt: '2026-03-02T11:00:00Z',
  governed: 'veto-enforced',
  ending: 'paused',
  checkpointAgain: true,
};

export const VETOED: EpisodeShape = {
  seed: 15,
  startedAt: '2026-03-02T13:00:00Z',
  acts: 1,
  direction: true,
  ending: 'vetoed',
};
