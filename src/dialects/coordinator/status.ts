import type { Tone } from '../kit/state-view.ts';

/** The status of a plan after events of these types. */
const STATUS: ReadonlyMap<string | undefined, string> = new Map([
  ['session_start', 'running'],
  ['session_resumed', 'running'],
  ['session_pause', 'paused'],
  ['workflow_complete', 'complete'],
  ['workflow_failed', 'failed'],
]);

/** The status of a plan after an event of a type; undefined if it does not change. */
export const statusAfter = (type: string | undefined): string | undefined => STATUS.get(type);

/** What the status of a task or session means to a reader. */
export const TONES: ReadonlyMap<unknown, Tone> = new Map<unknown, Tone>([
  ['complete', 'good'],
  ['blocked', 'bad'],
  ['failed', 'bad'],
  ['awaiting_guidance', 'doubtful'],
  ['awaiting-divine-guidance', 'doubtful'],
  ['paused', 'doubtful'],
]);

/** What the status of a plan means to a reader; undefined while it is in progress. */
export function toneOf(status: string): Tone | undefined {
  return status === 'complete' ? 'good' : status === 'failed' ? 'bad' : undefined;
}
