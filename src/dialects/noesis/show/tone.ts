import type { Tone } from '../../kit/state-view.ts';
import { isFailure } from './span.ts';

const GOOD: ReadonlySet<string> = new Set(['ok', 'done', 'success', 'completed']);
const DOUBTFUL: ReadonlySet<string> = new Set(['vetoed', 'interrupted', 'paused', 'partial']);

/** What a status or result of a run, step or act means to a reader. */
export function toneOf(status: string): Tone | undefined {
  if (GOOD.has(status)) return 'good';
  if (isFailure(status)) return 'bad';
  return DOUBTFUL.has(status) ? 'doubtful' : undefined;
}
