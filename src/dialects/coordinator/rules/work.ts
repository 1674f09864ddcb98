import type { JsonValue } from '../../../base/json/value.ts';
import { named, writeJson } from '../../../base/json/write.ts';
import { type Doubt, forEach, found, merged } from '../../kit/rules.ts';
import { askerOf, type PlanEvent } from '../plan-event.ts';
import { idsIn } from '../read.ts';
import { type CoordinatorRun, isRebuilt, type TaskSoFar } from '../run.ts';
import {
  AGENT_DISPATCHES,
  documentedTypes,
  EXPERT_ENDS,
  isLaterWork,
  RESULTS,
  TASK_DISPATCHES,
} from '../vocabulary.ts';

const taskIn = ({ task }: PlanEvent, run: CoordinatorRun): TaskSoFar | undefined =>
  task < 0 ? undefined : run.tasks.get(task);

const nameOf = ({ task }: PlanEvent, { texts }: CoordinatorRun): string => named(texts.textOf(task));

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

/** The doubt about a task that was refused and is completed without any work on it since. */
function refused(event: PlanEvent, run: CoordinatorRun, task: TaskSoFar | undefined): Doubt | undefined {
  if (task?.refusal === undefined) return undefined;
  const { type, line } = task.refusal;
  const message = `task ${nameOf(event, run)} is completed, but no event shows work on it after ${type} on line ${line}`;
  return { code: 'order/unaudited', severity: 'info', message, path: [event.typeKey], ifWhole: true };
}

/** The doubt about a run of an expert that was delegated. */
function delegation(id: JsonValue, what: string, ...path: readonly string[]): Doubt {
  return { code: 'order/delegation', message: `the run ${writeJson(id)} of an expert ${what}`, path };
}

/** The doubt about a verification of environments whose details say the opposite. */
const verification = (message: string, name: string): Doubt => {
  return { code: 'consistency/verification', message, path: ['details', name] };
};

/** The rules of the work on a plan: its tasks, agents, experts, compactions, infrastructure and environments. */
export const WORK_RULES = merged<PlanEvent, CoordinatorRun>(
  {
    task_complete: {
      'an auditor completes a task'(event, run) {
        const task = taskIn(event, run);
        const who = task && completer(event, run, task);
        if (who === undefined) return refused(event, run, task);
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
            ? verification('the verification failed, but failed_environments is empty', 'failed_environments')
            : undefined,
        );
      },
    },
  },

  forEach(EXPERT_ENDS, {
    'a run of an expert ends after its delegation'(event, run) {
      const id = event.detail('run_id');
      if (id === undefined || run.delegations.has(id)) return undefined;
      return missingStart(event, run, `the run ${writeJson(id)} of an expert ended, but was never delegated`);
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
);
