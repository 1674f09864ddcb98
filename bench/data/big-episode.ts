import type { EpisodeShape } from '../../test/support/simulator/shape.ts';
import { type StreamedEpisode, shapeOfSize, writeStreamed } from './streamed-episode.ts';

/** Has every phase of the simulator. It has few acts, because state.json repeats each of them. */
export const paddedShape =
  (acts: number) =>
  (extraEvents: number): EpisodeShape => ({
    seed: 270,
    acts,
    plans: 3,
    governed: 'allow',
    direction: true,
    failures: true,
    verification: 'passed',
    learnProposals: 2,
    extraEvents,
  });

const fewActs = (bytes: number) => Math.max(5, Math.min(300, Math.floor(bytes / 900_000)));

/** Half of the events are acts. */
const halfActsShape = (acts: number): EpisodeShape => ({
  seed: 172,
  acts,
  plans: 2,
  extraEvents: acts,
});

/**
 * Each act has a candidate and a decision, whose ids are hashes of their content. Half of the events are of other kinds.
 */
const governedShape = (acts: number): EpisodeShape => ({
  seed: 60,
  acts,
  plans: 2,
  governed: 'allow',
  governedEach: true,
  extraEvents: acts,
});

/** Writes a sealed episode with few acts and many other events. Its log has about `bytes` bytes. */
export const writePadded = (folder: string, bytes: number): StreamedEpisode =>
  writeStreamed(folder, shapeOfSize(bytes, paddedShape(fewActs(bytes))));

/** Writes a sealed episode in which half of the events are acts, so state.json grows with the log. */
export const writeHalfActs = (folder: string, bytes: number): StreamedEpisode =>
  writeStreamed(folder, shapeOfSize(bytes, halfActsShape));

/** Writes a sealed episode whose acts each have a decision. */
export const writeGoverned = (folder: string, bytes: number): StreamedEpisode =>
  writeStreamed(folder, shapeOfSize(bytes, governedShape));

/** Writes sealed episodes with a veto: some ended there, and some were resumed. */
export function writeVetoed(folder: string, count: number, bytes: number): StreamedEpisode[] {
  const first = Date.parse('2026-03-01T00:00:00Z');
  const shapeOf =
    (number: number) =>
    (extraEvents: number): EpisodeShape => ({
      seed: 500 + number,
      startedAt: new Date(first + number * 3_600_000).toISOString(),
      acts: 40,
      plans: 2,
      governed: 'veto-enforced',
      direction: true,
      resumed: number % 2 === 0 && 'read-back',
      failures: number % 4 === 0,
      ending: number % 2 === 0 ? 'ok' : 'vetoed',
      prompts: true,
      extraEvents,
    });
  return Array.from({ length: count }, (_, number) =>
    writeStreamed(folder, shapeOfSize(bytes / count, shapeOf(number))),
  );
}
