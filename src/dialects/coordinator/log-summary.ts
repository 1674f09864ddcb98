import type { JsonObject } from '../../base/json/value.ts';
import type { LogEnding } from '../dialect.ts';
import { firstLine } from '../kit/excerpt.ts';
import type { LogEnds, LogSummary } from '../kit/log-summary.ts';
import { stringOf } from '../kit/members.ts';
import { readEvent } from './read.ts';
import { RunReader } from './run-reader.ts';
import { statusAfter } from './status.ts';
import { upcastEvent } from './upcasters.ts';

/** The list entry of a log: its plan, and whether the work is over. */
export function summarizeLog({ head, backwards, state }: LogEnds): LogSummary {
  const reader = new RunReader();
  for (const event of head) reader.take(event, 0);
  const last = lastWithStatus(backwards());
  if (last !== undefined) reader.take(last, 0);
  const { task = stringOf(state()?.['plan_file']), status, statusReason } = reader.run;
  return {
    task,
    status: last === undefined ? undefined : status,
    why: statusReason === undefined ? undefined : firstLine(statusReason),
  };
}

/** The last event that gives the plan a status, whatever came before it. */
function lastWithStatus(backwards: Iterable<JsonObject>): JsonObject | undefined {
  for (const event of backwards)
    if (statusAfter(readEvent(upcastEvent(event))?.type) !== undefined) return event;
  return undefined;
}

/** The work on a plan ends with the workflow, unless another session continues it. */
export function planEnding(): LogEnding {
  const reader = new RunReader();
  return {
    isOver({ value, line }): boolean {
      reader.take(value, line);
      return reader.run.isOver;
    },
    get isPaused(): boolean {
      return reader.run.isPaused;
    },
  };
}
