import { isNumber, isSameNumber } from '../../../base/json/stored-number.ts';
import { named, writeJson } from '../../../base/json/write.ts';
import { type Doubt, found, type RuleTable } from '../../kit/rules.ts';
import type { Metric } from '../count-ranges.ts';
import type { PlanEvent } from '../plan-event.ts';
import { detailsOf } from '../read.ts';
import { roleOf } from '../roles.ts';
import { type CoordinatorRun, isRebuilt, NO_SESSION } from '../run.ts';
import { isOfOlderRevision } from '../upcasters.ts';

/** Events with a first occurrence in a message: `one event follows`. */
const counted = (count: number, one: string, many: string): string =>
  count === 1 ? one : `${count} ${many}`;

const opens = (type: string): boolean => type === 'session_start' || type === 'session_resumed';

/** At most this many open tasks are named. */
const MAX_NAMED = 5;

function total({ detail }: PlanEvent, name: string, actual: number, what: string): Doubt | undefined {
  const said = detail(name);
  if (!isNumber(said) || isSameNumber(said, actual)) return undefined;
  return {
    code: 'projection/totals',
    message: `${name} is ${writeJson(said)}, but the log has ${actual} ${what}`,
    path: ['details', name],
    expected: String(actual),
    actual: String(said),
    ifWhole: true,
  };
}

/** The doubt about the number of all tasks: it is that of the complete ones, and that of the start. */
function allTasks(event: PlanEvent, run: CoordinatorRun): Doubt | undefined {
  const name = 'total_tasks';
  const { planned } = run;
  const doubt = total(event, name, run.completed, 'complete tasks');
  const said = event.detail(name);
  if (!isNumber(said) || planned === undefined || isSameNumber(said, planned.total)) return doubt;
  const started = `the session started with ${planned.total} on line ${planned.line}`;
  if (doubt !== undefined) return { ...doubt, message: `${doubt.message}, and ${started}` };
  return {
    code: 'projection/totals',
    message: `${name} is ${writeJson(said)}, but ${started}`,
    path: ['details', name],
    expected: String(planned.total),
    actual: String(said),
    ifWhole: true,
  };
}

/** The doubt about a count that a resumed session took from the state. */
function resumedCount(event: PlanEvent, run: CoordinatorRun, name: Metric, what: string): Doubt | undefined {
  const said = event.detail(name);
  const previous = event.detail('previous_session_id');
  // Without the previous session the tasks of the plan are not known.
  if (!isNumber(said) || typeof previous !== 'string' || !run.sessions.has(previous)) return undefined;
  if (isRebuilt(event, run)) return undefined;
  const { least, most } = run.counts.of(name);
  const count = Number(said);
  if (count >= least && count <= most) return undefined;
  const has = least === most ? `${most}` : `${least} to ${most}`;
  return {
    code: 'projection/totals',
    message: `${name} is ${writeJson(said)}, but the log has ${has} ${what} before this event`,
    path: ['details', name],
    expected: has,
    actual: String(said),
    ifWhole: true,
  };
}

const AFTER: Readonly<Record<string, string>> = {
  workflow_complete: 'the workflow was complete',
  workflow_failed: 'the workflow failed',
  session_pause: 'the session paused',
};

function afterEnd(ended: string, line: number, type: string): Doubt {
  const words = (count: number) =>
    `${ended} on line ${line}, but ${counted(count, 'one event of the session follows', 'events of the session follow')}`;
  return {
    code: 'order/after-terminate',
    severity: 'warn',
    message: `${ended} on line ${line}, but ${named(type)} of the session follows`,
    once: { key: `after ${line}`, words },
  };
}

/** The rules of the sessions of a plan, and of what they say about it as a whole. */
export const SESSION_RULES: RuleTable<PlanEvent, CoordinatorRun> = {
  every: {
    'a session is started or resumed'(event, run) {
      const { type, sessionId: id = NO_SESSION } = event;
      if (id === run.session || id === NO_SESSION || run.sessions.has(id) || isRebuilt(event, run))
        return undefined;
      if (opens(type)) return undefined;
      const message = 'this session was neither started nor resumed';
      return {
        code: 'order/session-unopened',
        message: `the session ${named(id)} was neither started nor resumed`,
        path: ['session_id'],
        actual: id,
        ifWhole: true,
        once: { key: id, words: () => (run.sessions.get(id)?.isOpened ? undefined : message) },
      };
    },

    'nothing follows the end of a session'(event, run) {
      const { type, sessionId } = event;
      const id = sessionId ?? NO_SESSION;
      const session = sessionId === run.session ? run.current : run.sessions.get(id);
      if (session === undefined || (session.end === undefined && session.continued === undefined))
        return undefined;
      const { end, continued } = session;
      if (end !== undefined && !(opens(type) && (id === NO_SESSION || end.type === 'session_pause'))) {
        // While it pauses, a coordinator may still check its usage and compact its context.
        if (end.type !== 'session_pause' || roleOf(type).isWork)
          return afterEnd(AFTER[end.type] ?? end.type, end.line, type);
      }
      return continued === undefined || id === NO_SESSION
        ? undefined
        : afterEnd('another session continued this one', continued, type);
    },
  },

  of: {
    session_start: {
      'a plan starts once'(event, run) {
        const { started } = run;
        if (started === undefined || event.older || isOfOlderRevision(event.stored) || isRebuilt(event, run))
          return undefined;
        const message = `the plan was already started on line ${started.line}, and a later session resumes it`;
        return { code: 'order/start-repeated', severity: 'warn', message, path: [event.typeKey] };
      },
    },

    session_resumed: {
      'a session resumes an earlier one'(event, run) {
        const { sessionId: id = NO_SESSION, detail, stored, older } = event;
        if (isRebuilt(event, run)) return undefined;
        const previous = detail('previous_session_id');
        const path = ['details', 'previous_session_id'];
        if (previous === undefined) {
          // Older revisions had no session ids. A missing member was reported.
          if (older || detailsOf(stored)['previous_session_id'] !== null) return undefined;
          const message = 'the session names no previous session';
          return { code: 'lineage/session', message, path, actual: 'null', ifWhole: true };
        }
        if (typeof previous !== 'string' || previous === 'recovered') return undefined;
        if (previous !== id && run.sessions.has(previous)) return undefined;
        const message =
          previous === id
            ? 'the session names itself as the previous session'
            : 'the previous session is not in this log';
        return { code: 'lineage/session', message, path, actual: previous, ifWhole: true };
      },
      'the counts of a resumed session are right': (event, run) =>
        found(
          resumedCount(event, run, 'in_progress_tasks_count', 'tasks in progress'),
          resumedCount(event, run, 'pending_audit_count', 'tasks that wait for an audit'),
          resumedCount(event, run, 'completed_tasks_count', 'complete tasks'),
        ),
    },

    workflow_complete: {
      'every task that was begun is complete'(event, run) {
        const { open, texts } = run;
        if (open.size === 0 || isRebuilt(event, run)) return undefined;
        const names = [...open].slice(0, MAX_NAMED).map((task) => named(texts.textOf(task)));
        const more = open.size - names.length;
        const which = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
        const message = `the workflow is complete, but these tasks were begun and not completed: ${which}`;
        return { code: 'projection/totals', message, path: [event.typeKey], ifWhole: true };
      },
      'the totals are right': (event, run) =>
        isRebuilt(event, run)
          ? undefined
          : found(
              allTasks(event, run),
              total(event, 'compactions', run.compactions, 'complete compactions'),
              total(event, 'session_resumes', run.resumes, 'resumed sessions'),
            ),
    },
  },
};
