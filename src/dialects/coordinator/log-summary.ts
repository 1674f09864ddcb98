import type { JsonObject } from '../../json/value.ts';
import type { LogEnds, LogSummary } from '../dialect.ts';
import { firstLine } from '../excerpt.ts';
import type { Tone } from '../state-view.ts';
import { readEvent } from './read.ts';
import { upcastEvent } from './upcasters.ts';

/** What the last event about the whole says of it. */
const STATUS: ReadonlyMap<string | undefined, string> = new Map([
  ['session_start', 'running'],
  ['session_resumed', 'running'],
  ['session_pause', 'paused'],
  ['workflow_complete', 'complete'],
  ['workflow_failed', 'failed'],
]);

/** The status, and the reason that the event which gives it has. */
function endOf(events: Iterable<JsonObject>): Pick<LogSummary, 'status' | 'why'> {
  for (const stored of events) {
    const event = readEvent(upcastEvent(stored));
    const status = STATUS.get(event?.type);
    if (status === undefined) continue;
    const reason = event?.detail('reason');
    return { status, why: typeof reason === 'string' ? firstLine(reason) : undefined };
  }
  return {};
}

/** The plan that is worked on, and whether the work is over. */
export function summarizeLog({ head, backwards, state }: LogEnds): LogSummary {
  const start = head.map(readEvent).find((event) => event?.type === 'session_start');
  const plan = start?.detail('plan_file') ?? state()?.['plan_file'];
  return { task: typeof plan === 'string' ? plan : undefined, ...endOf(backwards()) };
}

/** What the status of a plan means to a reader; undefined while it is worked on. */
export function toneOf(status: string): Tone | undefined {
  return status === 'complete' ? 'good' : status === 'failed' ? 'bad' : undefined;
}
