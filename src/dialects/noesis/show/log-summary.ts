import { valueAt } from '../../../base/json/path.ts';
import { firstLine } from '../../kit/excerpt.ts';
import type { LogEnds, LogSummary } from '../../kit/log-summary.ts';
import { stringOf } from '../../kit/members.ts';
import { toneOf } from '../event/outcome.ts';
import { NoesisRun } from '../run.ts';

/** The first task in the log, and the status of the run. */
export function summarizeLog({ head, tail }: LogEnds): LogSummary {
  const run = new NoesisRun();
  for (const event of tail) run.take(event, 0);
  const tasks = head.map((event) => stringOf(valueAt(event, ['payload', 'task'])));
  const status = tail.length === 0 ? undefined : run.status;
  return { task: tasks.find((task) => task !== undefined), status, why: whyNotWell(status, run.lastWord) };
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
