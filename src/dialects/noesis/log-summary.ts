import { valueAt } from '../../json/path.ts';
import type { LogEnds, LogSummary } from '../dialect.ts';
import type { Tone } from '../state-view.ts';
import { GOES_ON, statusTold } from './run-status.ts';
import { isFailure } from './span.ts';

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The first task that the log speaks of, and where the run stands. */
export function summarizeLog({ head, tail }: LogEnds): LogSummary {
  const tasks = head.map((event) => text(valueAt(event, ['payload', 'task'])));
  const told = tail.toReversed().map(statusTold);
  return {
    task: tasks.find((task) => task !== undefined),
    status: told.find((status) => status !== undefined) ?? (tail.length === 0 ? undefined : GOES_ON),
  };
}

/** What the state says of the run. */
export const summarizeState = (state: unknown): LogSummary => ({
  started_at: text(valueAt(state, ['episode', 'started_at'])),
  task: text(valueAt(state, ['goal', 'task'])),
  status: text(valueAt(state, ['outcomes', 'status'])),
});

const GOOD: ReadonlySet<string> = new Set(['ok', 'done', 'success', 'completed']);
const DOUBTFUL: ReadonlySet<string> = new Set(['vetoed', 'interrupted', 'paused', 'partial']);

/** What a word for a status or a result of a run, a step or an act means to a reader. */
export function toneOf(status: string): Tone | undefined {
  if (GOOD.has(status)) return 'good';
  if (isFailure(status)) return 'bad';
  return DOUBTFUL.has(status) ? 'doubtful' : undefined;
}
