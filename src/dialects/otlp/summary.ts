import type { JsonObject } from '../../base/json/value.ts';
import { later, sooner } from '../../base/time/instant.ts';
import type { LogEnds, LogSummary } from '../kit/log-summary.ts';
import { textIn } from '../kit/members.ts';
import { endOf, isRoot, isSpan, nanosOfStart, outcomeOf, startOf } from './spans.ts';

/**
 * The list entry of a trace: as for every other command, the root that started first, and the times of all spans, because
 * spans are in any order.
 */
export function summarizeSpans({ backwards }: LogEnds): LogSummary {
  let root: JsonObject | undefined;
  let started: string | undefined;
  let ended: string | undefined;
  for (const span of backwards()) {
    if (!isSpan(span)) continue;
    const start = startOf(span);
    started = sooner(started, start);
    if (start !== undefined) ended = later(later(ended, start), endOf(span));
    if (isRoot(span) && (root === undefined || nanosOfStart(span) <= nanosOfStart(root))) root = span;
  }
  const times = { started_at: started, written_at: ended };
  return root === undefined ? times : { ...times, task: textIn(root, 'name'), status: outcomeOf(root) };
}
