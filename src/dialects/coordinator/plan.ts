import type { JsonObject } from '../../base/json/value.ts';
import type { LogRecord } from '../../log/record.ts';
import type { LogEnding } from '../dialect.ts';
import { firstLine } from '../kit/excerpt.ts';
import type { LogEnds, LogSummary } from '../kit/log-summary.ts';
import type { Tone } from '../kit/state-view.ts';
import { readEvent } from './read.ts';
import { upcastEvent } from './upcasters.ts';

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

/** The list entry of a log: its plan, and whether the work is over. */
export function summarizeLog({ head, backwards, state }: LogEnds): LogSummary {
  const start = head.map(readEvent).find((event) => event?.type === 'session_start');
  const plan = start?.detail('plan_file') ?? state()?.['plan_file'];
  return { task: typeof plan === 'string' ? plan : undefined, ...endOf(backwards()) };
}

/** The last status, and the reason in the event that set it. */
function endOf(events: Iterable<JsonObject>): Pick<LogSummary, 'status' | 'why'> {
  for (const stored of events) {
    const event = readEvent(upcastEvent(stored));
    const status = statusAfter(event?.type);
    const reason = event?.detail('reason');
    if (status !== undefined)
      return { status, why: typeof reason === 'string' ? firstLine(reason) : undefined };
  }
  return {};
}

/** The work on a plan ends with the workflow, unless another session continues it. */
export function planEnding(): LogEnding {
  let isOver = false;
  let isPaused = false;
  return {
    isOver({ value }: LogRecord): boolean {
      const status = statusAfter(readEvent(value)?.type);
      if (status === undefined) return isOver;
      isPaused = status === 'paused';
      if (!isPaused) isOver = status !== 'running';
      return isOver;
    },
    get isPaused(): boolean {
      return isPaused && !isOver;
    },
  };
}
