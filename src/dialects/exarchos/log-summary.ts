import type { JsonObject } from '../../base/json/value.ts';
import { PlainTextIndex } from '../../log/text-index.ts';
import type { LogEnding } from '../dialect.ts';
import { firstLine } from '../kit/excerpt.ts';
import type { LogEnds, LogSummary } from '../kit/log-summary.ts';
import { textIn } from '../kit/members.ts';
import { WorkflowRun, workflowEvent } from './run.ts';
import { isFinal, phaseAfter } from './workflow-types.ts';

/** The list entry of a workflow: its feature and its phase, from the events, else from the state file. */
export function summarizeLog({ head, backwards, state }: LogEnds): LogSummary {
  const run = new WorkflowRun(new PlainTextIndex());
  take(
    head.filter(({ type }) => type === 'workflow.started'),
    run,
  );
  if (run.started !== undefined) take(decidingEvents(backwards()), run);
  const { task, phase = textIn(state(), 'phase'), end } = run;
  return {
    task,
    status: phase,
    why: end === undefined || end.tone === 'good' ? undefined : firstLine(end.text),
  };
}

function take(events: readonly JsonObject[], run: WorkflowRun): void {
  for (const stored of events) {
    const event = workflowEvent(stored, run);
    run.take(event, 0);
    run.takeReasons(event, 0);
  }
}

/**
 * The last events that give the phase and the end of a workflow, in log order: those since its phase was last not final,
 * because an end may be written as two events, and the first may have the reason.
 */
function decidingEvents(backwards: Iterable<JsonObject>): readonly JsonObject[] {
  const events: JsonObject[] = [];
  for (const event of backwards) {
    const phase = phaseAfter(event);
    if (phase === undefined) continue;
    events.push(event);
    if (!isFinal(phase)) break;
  }
  return events.reverse();
}

/** A workflow ends when any event leads to a final phase. Other streams never end. */
export function workflowEnding(): LogEnding {
  const run = new WorkflowRun(new PlainTextIndex());
  return {
    isOver({ value, line }): boolean {
      run.take(workflowEvent(value, run), line);
      return run.isOver;
    },
  };
}
