import type { Tone } from '../kit/state-view.ts';

/** What a phase or task status means to a reader. */
export const TONES: ReadonlyMap<unknown, Tone> = new Map<unknown, Tone>([
  ['completed', 'good'],
  ['complete', 'good'],
  ['cancelled', 'doubtful'],
  ['failed', 'bad'],
]);

export const toneOf = (status: string): Tone | undefined => TONES.get(status);
