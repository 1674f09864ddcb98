import { valueAt } from '../../../base/json/path.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import { firstLine } from '../../kit/excerpt.ts';
import type { LogEnds, LogSummary } from '../../kit/log-summary.ts';
import { stringOf } from '../../kit/members.ts';
import { toneOf } from '../event/outcome.ts';
import { decidingEvents, NoesisRun } from '../run.ts';

/** In bytes: the status is looked for in this much of the end of a log, because a log without any status may be long. */
const LAST = 320 * 1024;

/** The task in the first records, and the status that the last ones give. */
export function summarizeLog({ head, backwards }: LogEnds): LogSummary {
  const { task } = runOf(head);
  const last = decidingEvents((isWanted) => backwards(LAST, isWanted));
  const run = runOf(last);
  const status = last.length === 0 ? undefined : run.status;
  return { task, status, why: whyNotWell(status, run.lastWord) };
}

function runOf(events: readonly JsonObject[]): NoesisRun {
  const run = new NoesisRun();
  for (const event of events) run.take(event, 0);
  return run;
}

/** Why a run did not succeed, in one line. */
function whyNotWell(status: string | undefined, said: string | undefined): string | undefined {
  const tone = toneOf(status ?? '');
  return said === undefined || tone === undefined || tone === 'good' ? undefined : firstLine(said);
}

/** The summary of a stored state. The time of the last act is about the time when the state was written. */
export function summarizeState(state: unknown): LogSummary {
  const started = stringOf(valueAt(state, ['episode', 'started_at']));
  const status = stringOf(valueAt(state, ['outcomes', 'status']));
  const actions = valueAt(state, ['outcomes', 'actions']);
  const acted = Array.isArray(actions) ? stringOf(valueAt(actions.at(-1), ['timestamp'])) : undefined;
  return {
    started_at: started,
    written_at: acted ?? started,
    task: stringOf(valueAt(state, ['goal', 'task'])),
    status,
    why: whyNotWell(status, stringOf(valueAt(state, ['outcomes', 'summary']))),
  };
}
