import { valueAt } from '../../../base/json/path.ts';
import type { JsonObject } from '../../../base/json/value.ts';
import { firstLine } from '../../kit/excerpt.ts';
import type { LogEnds, LogSummary } from '../../kit/log-summary.ts';
import { stringOf } from '../../kit/members.ts';
import { goesOn } from '../course/course.ts';
import { isTerminate, statusIn, timeOf, WORK_PHASES } from '../event/kinds.ts';
import { toneOf } from '../event/outcome.ts';
import { isOneOf } from '../event/vocabulary.ts';
import { NoesisRun } from '../run.ts';

/** In bytes: the status is looked for in this much of the end of a log, because a log without any status may be long. */
const LAST = 320 * 1024;

/** What is in the line of every event that ends a run. */
const END_MARK = '"terminate"';

/** The task in the first records, and the status that the first end gives, else the last records. */
export function summarizeLog({ bytes, head, backwards, first }: LogEnds): LogSummary {
  const { task } = runOf(head);
  // The first end of a run is final, and much may follow it.
  const end = bytes > LAST ? first(END_MARK, isTerminate) : undefined;
  const last = end ? [end] : decidingEvents((isWanted) => backwards(LAST, isWanted));
  const run = runOf(last);
  const status = last.length === 0 ? undefined : run.status;
  const over = last.find(isTerminate);
  return { task, status, why: whyNotWell(status, run.lastWord), over_at: over && timeOf(over) };
}

/**
 * Whether the status of a run after an event is the same whatever came before, unless the run has ended. So the last such
 * event of a log and those after it give its status.
 */
function decidesStatus(event: JsonObject): boolean {
  const status = statusIn(event);
  return status === undefined
    ? isOneOf(WORK_PHASES, event['phase'])
    : event['phase'] === 'error' || isTerminate(event) || goesOn(status);
}

/**
 * The last events that give the status and the end of a run, in log order, from its events backwards: its end, if it has
 * one, else those since one that decides. `backwards` gets a test of lines: those that fail it need not be read.
 */
function decidingEvents(
  backwards: (isWanted: (line: string) => boolean) => Iterable<JsonObject>,
): readonly JsonObject[] {
  const events: JsonObject[] = [];
  let isDecided = false;
  let end: JsonObject | undefined;
  // Work may follow the end by mistake, so the search for an end goes on after an event that decides.
  for (const event of backwards((line) => !isDecided || line.includes(END_MARK))) {
    if (isTerminate(event)) end = event;
    else if (!isDecided) events.push(event);
    isDecided ||= decidesStatus(event);
  }
  return end === undefined ? events.reverse() : [end];
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
