import type { LogEnds, LogGist } from '../dialect.ts';
import { readEvent } from './read.ts';

/** What the last event about the whole says of it. An open session may go on, or may have died. */
const STATUS: ReadonlyMap<string, string | undefined> = new Map([
  ['session_start', undefined],
  ['session_resumed', undefined],
  ['session_pause', 'paused'],
  ['workflow_complete', 'complete'],
  ['workflow_failed', 'failed'],
]);

/** The plan that is worked on, and whether the work is over. */
export function gistOf({ head, tail, state }: LogEnds): LogGist {
  const types = tail.map((event) => readEvent(event)?.type ?? '');
  const start = head.map(readEvent).find((event) => event?.type === 'session_start');
  const plan = start?.detail('plan_file') ?? state()?.['plan_file'];
  return {
    task: typeof plan === 'string' ? plan : undefined,
    status: STATUS.get(types.findLast((type) => STATUS.has(type)) ?? ''),
  };
}
