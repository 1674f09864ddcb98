import { isNumber, isSameNumber } from '../../base/json/stored-number.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { named, writeJson } from '../../base/json/write.ts';
import { type Doubt, forEach, found, merged, Rules } from '../kit/rules.ts';
import type { Metric } from './count-ranges.ts';
import { detailsOf, idsIn } from './read.ts';
import { roleOf } from './roles.ts';
import { askerOf, type CoordinatorRun, NO_SESSION, type PlanEvent, type TaskSoFar } from './run.ts';
import { isOfOlderRevision } from './upcasters.ts';
import {
  AGENT_DISPATCHES,
  documentedTypes,
  EXPERT_ENDS,
  isLaterWork,
  REBUILT_TYPES,
  RESULTS,
  TASK_DISPATCHES,
} from './vocabulary.ts';

/** Whether the log is rebuilt with this event or before, so that what began in the lost one is missing. */
const isRebuilt = ({ type }: PlanEvent, run: CoordinatorRun): boolean =>
  run.isRebuilt || REBUILT_TYPES.has(type);

const taskIn = ({ task }: PlanEvent, run: CoordinatorRun): TaskSoFar | undefined =>
  task < 0 ? undefined : run.tasks.get(task);

const nameOf = ({ task }: PlanEvent, { texts }: CoordinatorRun): string => named(texts.textOf(task));

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

function missingStart(event: PlanEvent, run: CoordinatorRun, message: string): Doubt | undefined {
  if (isRebuilt(event, run)) return undefined;
  const { type, typeKey } = event;
  return { code: 'order/end-without-start', message, path: [typeKey], actual: type, ifWhole: true };
}

/** Who completes a task, if it is nobody who may. */
function completer(event: PlanEvent, run: CoordinatorRun, task: TaskSoFar): string | undefined {
  const { agent } = event;
  const { workers, auditors, failedAudit } = task;
  // Without a dispatch of its developer, other dispatches may be missing too.
  if (workers === undefined || auditors.includes(agent) || auditors.includes(-1)) return undefined;
  if (agent < 0) return auditors.length > 0 ? undefined : 'nobody, but no auditor was sent to it';
  if (!run.agents.has(agent)) return undefined;
  const who = named(run.texts.textOf(agent));
  if (failedAudit?.agent === agent)
    return `${who}, but its audit ended with ${failedAudit.type} on line ${failedAudit.line}`;
  if (auditors.length > 0) return `${who}, but another agent was sent to audit it`;
  return workers.includes(agent)
    ? `${who}, who worked on it, but no auditor was sent to it`
    : `${who}, but no auditor was sent to it`;
}

/** The doubt about a run of an expert that was delegated. */
function delegation(id: JsonValue, what: string, ...path: readonly string[]): Doubt {
  return { code: 'order/delegation', message: `the run ${writeJson(id)} of an expert ${what}`, path };
}

/** The doubt about a verification of environments whose details say the opposite. */
const verification = (message: string, name: string): Doubt => {
  return { code: 'consistency/verification', message, path: ['details', name] };
};

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

/** The rules of a plan (coordinator.md §8). `verify` reports what they find, and `append` refuses by them. */
export const RULES = new Rules<PlanEvent, CoordinatorRun>({
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

  of: merged(
    {
      session_start: {
        'a plan starts once'(event, run) {
          const { started } = run;
          if (
            started === undefined ||
            event.older ||
            isOfOlderRevision(event.stored) ||
            isRebuilt(event, run)
          )
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

      task_complete: {
        'an auditor completes a task'(event, run) {
          const task = taskIn(event, run);
          const who = task && completer(event, run, task);
          if (who === undefined) return undefined;
          const message = `task ${nameOf(event, run)} is completed by ${who}`;
          return { code: 'order/unaudited', message, path: ['agent_id'], ifWhole: true };
        },
      },

      developer_dispatched: {
        'a task waits for complete tasks'(event, run) {
          if (event.task < 0) return undefined;
          const isIncomplete = (id: string) => run.tasks.get(run.texts.find(id))?.wasComplete !== true;
          const open = idsIn(event.detail('blocked_by')).filter(isIncomplete);
          if (open.length === 0) return undefined;
          const message = `task ${nameOf(event, run)} waits for ${open.map(named).join(', ')}, which is not complete`;
          return { code: 'order/while-blocked', message, path: ['details', 'blocked_by'], ifWhole: true };
        },
      },

      compaction_complete: {
        'a compaction ends after its start'(event, run) {
          const number = event.detail('compaction_number');
          if (number === undefined || run.compacting.has(number)) return undefined;
          return missingStart(event, run, `compaction ${writeJson(number)} is complete, but never started`);
        },
      },

      infrastructure_restored: {
        // A health_audit_pass does not end the block here, because a recovery logs both.
        'only what is blocked is restored': (event, run) =>
          run.isBlocked
            ? undefined
            : missingStart(event, run, 'the infrastructure is restored, but no event blocked it'),
      },

      expert_delegated: {
        'a run of an expert begins once'(event, run) {
          const id = event.detail('run_id');
          const known = id === undefined ? undefined : run.delegations.get(id);
          if (id === undefined || known === undefined) return undefined;
          return delegation(id, `was already delegated on line ${known.line}`, 'details', 'run_id');
        },
      },

      environment_verification_passed: {
        'a verification that passed passed everywhere'({ detail }) {
          const failed = detail('failed_environments');
          return found(
            detail('all_passed') === false
              ? verification('the verification passed, but all_passed is false', 'all_passed')
              : undefined,
            Array.isArray(failed) && failed.length > 0
              ? verification(
                  'the verification passed, but failed_environments names one that failed',
                  'failed_environments',
                )
              : undefined,
          );
        },
      },
      environment_verification_failed: {
        'a verification that failed names an environment'({ detail }) {
          const failed = detail('failed_environments');
          return found(
            detail('all_passed') === true
              ? verification('the verification failed, but all_passed is true', 'all_passed')
              : undefined,
            Array.isArray(failed) && failed.length === 0
              ? verification(
                  'the verification failed, but failed_environments is empty',
                  'failed_environments',
                )
              : undefined,
          );
        },
      },
    },

    forEach(EXPERT_ENDS, {
      'a run of an expert ends after its delegation'(event, run) {
        const id = event.detail('run_id');
        if (id === undefined || run.delegations.has(id)) return undefined;
        return missingStart(
          event,
          run,
          `the run ${writeJson(id)} of an expert ended, but was never delegated`,
        );
      },
      'the expert of a run ends it, once'(event, run) {
        const id = event.detail('run_id');
        const known = id === undefined ? undefined : run.delegations.get(id);
        if (id === undefined || known === undefined) return undefined;
        const { agent, asker, task, line, isOver } = known;
        if (isOver) return delegation(id, 'had already ended', 'details', 'run_id');
        const { texts } = run;
        const isOther = (mine: number, other: number) => mine >= 0 && other >= 0 && mine !== other;
        const askedBy = askerOf(event);
        return found(
          isOther(agent, event.agent)
            ? delegation(id, `was delegated to ${named(texts.textOf(agent))} on line ${line}`, 'agent_id')
            : undefined,
          isOther(task, event.task)
            ? delegation(id, `was delegated for task ${named(texts.textOf(task))} on line ${line}`, 'task_id')
            : undefined,
          asker === undefined || askedBy === undefined || asker === askedBy
            ? undefined
            : delegation(id, `was delegated by ${named(asker)} on line ${line}`, 'details', 'from_agent_id'),
        );
      },
    }),

    forEach(AGENT_DISPATCHES, {
      'an agent is sent when it is free'(event, run) {
        const { agent, sessionId, type } = event;
        // Agents do not outlive their session (coordinator.md §7).
        const before = agent < 0 || sessionId !== run.session ? undefined : run.busy.get(agent);
        if (before === undefined || type === 'session_resumed') return undefined;
        const { texts } = run;
        const work = before.task < 0 ? 'busy' : `on task ${named(texts.textOf(before.task))}`;
        const actual = texts.textOf(agent);
        const message = `agent ${named(actual)} has been ${work} since line ${before.line}, and was not released`;
        return { code: 'order/agent-busy', message, path: ['agent_id'], actual, ifWhole: true };
      },
    }),

    forEach(new Set([...TASK_DISPATCHES, ...RESULTS]), {
      'no work on a complete task'(event, run) {
        const complete = taskIn(event, run)?.completeLine;
        if (complete === undefined) return undefined;
        const message = `task ${nameOf(event, run)} was complete on line ${complete}, and no event asked for it again`;
        const { type, typeKey } = event;
        return { code: 'order/redispatched', message, path: [typeKey], actual: type, ifWhole: true };
      },
    }),

    forEach(TASK_DISPATCHES, {
      'no work while the infrastructure is blocked'(event, run) {
        if (run.halted === undefined || isRebuilt(event, run)) return undefined;
        const message = `the infrastructure has been blocked since line ${run.halted}`;
        const { type, typeKey } = event;
        return { code: 'order/while-blocked', message, path: [typeKey], actual: type, ifWhole: true };
      },
    }),

    forEach(
      documentedTypes()
        .map(({ type }) => type)
        .filter(isLaterWork),
      {
        'a task is reviewed after work on it'(event, run) {
          const { task: id, type } = event;
          if (id < 0) return undefined;
          const task = run.tasks.get(id);
          if (task?.isBegun || task?.isStranger) return undefined;
          const actual = run.texts.textOf(id);
          const message = `${named(type)} of task ${named(actual)}, but no developer was ever sent to it`;
          return { code: 'order/undispatched', message, path: ['task_id'], actual, ifWhole: true };
        },
      },
    ),
  ),
});
