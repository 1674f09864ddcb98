import { isNumber, isSameNumber } from '../../../base/json/stored-number.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import { named, writeJson } from '../../../base/json/write.ts';
import { asObject, textIn } from '../../kit/members.ts';
import { type Doubt, forEach, found, merged } from '../../kit/rules.ts';
import { dataOf, type Tally, timeOf, type WorkflowEvent, type WorkflowRun } from '../run.ts';
import { afterEnd } from './workflow.ts';

/** Types that assign or claim work. They must not follow the end of a workflow. */
const BEGINS_WORK = [
  'task.assigned',
  'task.claimed',
  'team.spawned',
  'team.task.assigned',
  'team.teammate.dispatched',
];

/** Types that go on with work or end it. */
const GOES_ON = [
  'task.progressed',
  'task.completed',
  'task.failed',
  'team.task.completed',
  'team.task.failed',
];

/** The doubt about an event of work that happened after the end. Events from a sidecar come late, but have their own time. */
const lateWork = (event: WorkflowEvent, run: WorkflowRun): Doubt | undefined =>
  run.isOver && timeOf(event.event) > run.phaseTime ? afterEnd(event, run) : undefined;

/** The doubt about a task that no event assigned, or that is not in the state that the event needs. */
function taskDoubt(message: string): Doubt {
  return { code: 'order/task', message, path: ['data', 'taskId'], ifWhole: true };
}

const taskIn = ({ task }: WorkflowEvent, run: WorkflowRun) => (task < 0 ? undefined : run.tasks.get(task));
const nameOf = ({ task }: WorkflowEvent, { texts }: WorkflowRun): string => named(texts.textOf(task));

/** The doubt about a number that an event sums up. */
function totalDoubt(said: unknown, name: string, counted: number, what: string): Doubt | undefined {
  if (!isNumber(said) || isSameNumber(said, counted)) return undefined;
  return {
    code: 'consistency/totals',
    message: `${name} is ${String(said)}, but the log has ${counted} ${what}`,
    path: ['data', name],
    expected: String(counted),
    actual: String(said),
    ifWhole: true,
  };
}

const evaluationOf = (event: WorkflowEvent, run: WorkflowRun): Tally | undefined =>
  run.evaluations.get(textIn(dataOf(event), 'runId') ?? '');

/** The doubt about the average score of an evaluation. Sums of fractions are not exact. */
function averageDoubt(said: unknown, { passed, failed, score }: Tally): Doubt | undefined {
  const cases = passed + failed;
  if (!isNumber(said) || score === undefined || cases === 0) return undefined;
  const average = score / cases;
  if (Math.abs(Number(said) - average) < 1e-6) return undefined;
  const words = String(Number(average.toFixed(6)));
  return {
    code: 'consistency/totals',
    message: `avgScore is ${String(said)}, but the cases of this run have ${words} on average`,
    path: ['data', 'avgScore'],
    expected: words,
    actual: String(said),
    ifWhole: true,
  };
}

/** By type: the member that says that all is well, and what else the event then must not say. */
const SUCCESS: Readonly<
  Record<string, readonly (readonly [said: string | undefined, path: readonly string[]])[]>
> = {
  'test.result': [['passed', ['failCount']]],
  'typecheck.result': [['passed', ['errorCount']]],
  'merge.preflight': [
    ['passed', ['failureReasons']],
    ['passed', ['ancestry', 'passed']],
  ],
  'task.completed': [[undefined, ['evidence', 'passed']]],
  'team.task.completed': [[undefined, ['testsPassed']]],
};

/** Whether a value says that something failed: `passed` is false, or failures are counted or listed. */
const saysFailure = (value: JsonValue | undefined): boolean =>
  value === false || (isNumber(value) && Number(value) > 0) || (Array.isArray(value) && value.length > 0);

/** The doubts about a success next to a failure in one event. */
function successDoubts(event: WorkflowEvent): readonly Doubt[] {
  const data = dataOf(event);
  return (SUCCESS[event.type] ?? []).flatMap(([said, path]): Doubt | [] => {
    if (said !== undefined && data[said] !== true) return [];
    const value = path.reduce<JsonValue | undefined>((whole, name) => asObject(whole)[name], data);
    if (!saysFailure(value)) return [];
    const what = said === undefined ? 'the task is completed' : `${said} is true`;
    const message = `${what}, but ${path.join('.')} is ${writeJson(value ?? null)}`;
    return { code: 'consistency/totals', message, path: ['data', ...path] };
  });
}

/** The rules of the work in a workflow: its tasks, teams and evaluations. */
export const WORK_RULES = merged<WorkflowEvent, WorkflowRun>(
  {
    'team.spawned': {
      'a team is as large as it says'(event) {
        const { teamSize, teammateNames } = dataOf(event);
        if (!isNumber(teamSize) || !Array.isArray(teammateNames)) return undefined;
        if (isSameNumber(teamSize, teammateNames.length)) return undefined;
        const message = `teamSize is ${String(teamSize)}, but teammateNames has ${teammateNames.length}`;
        return { code: 'consistency/totals', message, path: ['data', 'teamSize'] };
      },
    },

    'team.disbanded': {
      'a team sums up its tasks'(event, { team, tasks, hasHead }) {
        if (team === undefined) {
          const message = 'a team is disbanded, but no event spawned it';
          return hasHead ? { code: 'consistency/totals', message, path: ['type'], ifWhole: true } : undefined;
        }
        const { tasksCompleted, tasksFailed } = dataOf(event);
        const { line, announced, given } = team;
        const ended = [...tasks.values()].filter((task) => (task.ended ?? 0) > line);
        const planned = `the team was spawned for ${announced} tasks on line ${line}, but was given ${given.size}`;
        const count = (status: string) => ended.filter((task) => task.status === status).length;
        return found(
          totalDoubt(tasksCompleted, 'tasksCompleted', count('complete'), 'tasks that this team completed'),
          totalDoubt(tasksFailed, 'tasksFailed', count('failed'), 'tasks in which this team failed'),
          announced === undefined || given.size === 0 || given.size === announced
            ? undefined
            : { code: 'consistency/totals', message: planned, path: ['type'], ifWhole: true },
        );
      },
    },

    'eval.run.completed': {
      'an evaluation sums up its cases'(event, run) {
        const { total, passed, failed, avgScore } = dataOf(event);
        const tally = evaluationOf(event, run);
        const isOdd =
          isNumber(total) &&
          isNumber(passed) &&
          isNumber(failed) &&
          Number(passed) + Number(failed) !== Number(total);
        const sum = isOdd
          ? `total is ${String(total)}, but ${String(passed)} passed and ${String(failed)} failed`
          : undefined;
        return found(
          sum === undefined
            ? undefined
            : { code: 'consistency/totals', message: sum, path: ['data', 'total'] },
          ...(tally === undefined
            ? []
            : [
                totalDoubt(passed, 'passed', tally.passed, 'cases of this run that passed'),
                totalDoubt(failed, 'failed', tally.failed, 'cases of this run that failed'),
                averageDoubt(avgScore, tally),
                tally.announced === undefined
                  ? undefined
                  : totalDoubt(total, 'total', tally.announced, 'announced cases of this run'),
              ]),
        );
      },
    },

    'task.claimed': {
      'an agent claims for itself'(event) {
        const { agent } = event;
        const by = textIn(event.event, 'agentId');
        if (agent === undefined || by === undefined || agent === by) return undefined;
        const message = `task.claimed is of the agent ${named(by)}, but claims for ${named(agent)}`;
        return { code: 'order/task', message, path: ['agentId'] };
      },
      'one agent claims a task'(event, run) {
        const task = taskIn(event, run);
        if (task?.claimed === undefined || task.ended !== undefined) return undefined;
        const { agent } = event;
        const who = agent === task.holder ? 'again' : `by ${named(agent ?? 'nobody')}`;
        const holder = task.holder === undefined ? '' : ` by ${named(task.holder)}`;
        return taskDoubt(
          `task ${nameOf(event, run)} is claimed ${who}, but was claimed${holder} on line ${task.claimed}`,
        );
      },
    },
  },

  forEach(Object.keys(SUCCESS), {
    'a success has no failures': successDoubts,
  }),

  forEach(['task.progressed', 'task.completed', 'task.failed'], {
    'the agent that claimed a task works on it'(event, run) {
      const task = taskIn(event, run);
      const by = event.agent ?? textIn(event.event, 'agentId');
      if (by === undefined || task?.claimed === undefined || task.holder === undefined || by === task.holder)
        return undefined;
      const message = `${event.type} of task ${nameOf(event, run)} is of ${named(by)}, but ${named(task.holder)} claimed it on line ${task.claimed}`;
      const path = event.agent === undefined ? ['agentId'] : ['data', 'agentId'];
      return { code: 'order/task', message, path, ifWhole: true };
    },
  }),

  forEach(BEGINS_WORK, {
    'no work begins after the end': lateWork,
  }),

  forEach(GOES_ON, {
    'no work goes on after the end'(event, run) {
      const doubt = lateWork(event, run);
      return doubt && { ...doubt, severity: 'info' };
    },
  }),

  forEach(['team.task.assigned', 'team.task.completed', 'team.task.failed', 'team.teammate.dispatched'], {
    'the work of a team is that of its members'(event, run) {
      const name = textIn(dataOf(event), 'teammateName');
      const names = run.team?.names;
      if (name === undefined) return undefined;
      const path = ['data', 'teammateName'];
      const task = taskIn(event, run);
      if (names !== undefined && !names.has(name)) {
        const message = `${event.type} names ${named(name)}, who is not one of the ${names.size} members of the team`;
        return { code: 'order/task', message, path, ifWhole: true };
      }
      const owner = task?.teammate;
      const isEnd = event.type === 'team.task.completed' || event.type === 'team.task.failed';
      if (!isEnd || owner === undefined || owner === name) return undefined;
      const message = `${event.type} of task ${nameOf(event, run)} names ${named(name)}, but the task was given to ${named(owner)}`;
      return { code: 'order/task', message, path, ifWhole: true };
    },
  }),

  forEach(['eval.case.completed', 'eval.run.completed'], {
    'an evaluation runs between its start and its end'(event, run) {
      const id = textIn(dataOf(event), 'runId');
      const tally = evaluationOf(event, run);
      if (id === undefined || (tally === undefined ? !run.hasHead : tally.ended === undefined))
        return undefined;
      const why = tally === undefined ? 'no event started' : `ended on line ${tally.ended}`;
      const which = `of the evaluation ${named(id)}, which ${why}`;
      const words = (count: number) => `${count === 1 ? event.type : `${count} events`} ${which}`;
      return {
        code: 'consistency/totals',
        message: words(1),
        path: ['data', 'runId'],
        ifWhole: true,
        once: { key: which, words },
      };
    },
  }),

  forEach(['task.claimed', ...GOES_ON], {
    'a task is assigned before work on it'(event, run) {
      if (event.task < 0 || taskIn(event, run)?.isKnown) return undefined;
      return taskDoubt(`${event.type} of task ${nameOf(event, run)}, which no event assigned`);
    },
    'no work on a task that has ended'(event, run) {
      const { type } = event;
      const task = taskIn(event, run);
      if (task?.ended === undefined) return undefined;
      // A teammate and the workflow both say how a task ended.
      const status = type.endsWith('.completed')
        ? 'complete'
        : type.endsWith('.failed')
          ? 'failed'
          : undefined;
      if (task.status === status && task.endType !== type) return undefined;
      return taskDoubt(
        `${type} of task ${nameOf(event, run)}, which was ${task.status} on line ${task.ended} and not assigned again`,
      );
    },
  }),
);
