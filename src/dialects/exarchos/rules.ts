import { isNumber, isSameNumber } from '../../base/json/stored-number.ts';
import { isObject } from '../../base/json/value.ts';
import { named, textOf, writeJson } from '../../base/json/write.ts';
import { textIn } from '../kit/members.ts';
import { type Doubt, forEach, merged, Rules } from '../kit/rules.ts';
import { EVENT_TYPES } from './event-types.ts';
import { impossibleKeys } from './projection/patch.ts';
import { END_TYPES } from './reasons.ts';
import { dataOf, needsStart, type Tally, timeOf, type WorkflowEvent, type WorkflowRun } from './run.ts';
import { FINAL_PHASES, isFinal } from './workflow-types.ts';

/** Types that assign or claim work. They must not follow the end of a workflow. */
const BEGINS_WORK = [
  'task.assigned',
  'task.claimed',
  'team.spawned',
  'team.task.assigned',
  'team.teammate.dispatched',
];

const NEEDS_START = [...EVENT_TYPES.keys()].filter((type) => needsStart(type) && type !== 'workflow.started');

/** Types that leave a phase, or are logged in one, with the member that names it. */
const IN_PHASE: Readonly<Record<string, string>> = {
  'workflow.transition': 'from',
  'workflow.guard-failed': 'from',
  'workflow.cancel': 'from',
  'workflow.cleanup': 'from',
  'workflow.compound-exit': 'from',
  'workflow.checkpoint': 'phase',
  'workflow.cas-failed': 'phase',
};

/** Types of which a second event completes the first. */
const isSecond = ({ type }: WorkflowEvent, { endType, ends }: WorkflowRun): boolean =>
  type !== 'workflow.pruned' && type === endType && ends === 1;

function afterEnd({ type }: WorkflowEvent, { phase, phaseLine }: WorkflowRun): Doubt {
  const message = `${type} comes after the end of the workflow: it was ${phase} on line ${phaseLine}`;
  return { code: 'order/lifecycle', message, path: ['type'], ifWhole: true };
}

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

const found = (...doubts: readonly (Doubt | undefined)[]): readonly Doubt[] =>
  doubts.filter((doubt) => doubt !== undefined);

const evaluationOf = (event: WorkflowEvent, run: WorkflowRun): Tally | undefined =>
  run.evaluations.get(textIn(dataOf(event), 'runId') ?? '');

/** The rules of a workflow (exarchos.md §19). `verify` reports what they find, and `append` refuses by them. */
export const RULES = new Rules<WorkflowEvent, WorkflowRun>({
  every: {},
  of: merged(
    {
      'workflow.started': {
        'a workflow starts once'(_event, { started }) {
          if (started === undefined) return undefined;
          const message = `the workflow already started on line ${started}`;
          return { code: 'order/start-repeated', severity: 'warn', message, path: ['type'] };
        },
        'a oneshot workflow has a policy'(event) {
          const { workflowType, synthesisPolicy } = dataOf(event);
          if (workflowType !== 'oneshot' || synthesisPolicy !== undefined) return undefined;
          const message = 'a oneshot workflow names its synthesisPolicy, so that it survives a rebuild';
          return { code: 'consistency/synthesis', message, path: ['data'] };
        },
      },

      'synthesize.requested': {
        'a synthesis is requested where the policy allows it'(event, { policy }) {
          if (policy !== 'never') return undefined;
          const message = 'a synthesis is requested, although the policy of the workflow is never';
          return {
            code: 'consistency/synthesis',
            message,
            path: ['type'],
            actual: event.type,
            ifWhole: true,
          };
        },
      },

      'workflow.transition': {
        'nothing leads out of a final phase': (event, run) => (run.isOver ? afterEnd(event, run) : undefined),
        'a oneshot workflow synthesizes by its policy'(event, { type, policy, isRequested }) {
          if (type !== 'oneshot' || dataOf(event)['to'] !== 'synthesize') return undefined;
          if (policy !== 'never' && (policy !== 'on-request' || isRequested)) return undefined;
          const why = policy === 'never' ? 'its policy is never' : 'nothing requested it';
          const message = `the workflow goes to synthesize, although ${why}`;
          return { code: 'consistency/synthesis', message, path: ['data', 'to'], ifWhole: true };
        },
      },

      'state.patched': {
        'a patch is an object of possible places'(event, run) {
          const { data } = event.event;
          if (!isObject(data)) return undefined;
          const { patch, fields } = data;
          const path = ['data', 'patch'];
          if (!isObject(patch)) return undefined;
          const impossible = impossibleKeys(run.patched, patch, run.tasks.size);
          const others = Array.isArray(fields) ? fields.filter((field) => !isIn(field, patch)) : [];
          return found(
            ...impossible.map((key): Doubt => {
              const message = `${writeJson(key)} is no possible place in the state, so the patch is ignored there`;
              return { code: 'consistency/patch', message, path: [...path, key], ifWhole: true };
            }),
            others.length > 0
              ? {
                  code: 'consistency/patch',
                  message: `fields names ${others.map((field) => writeJson(field)).join(', ')}, which the patch does not set`,
                  path: ['data', 'fields'],
                }
              : undefined,
          );
        },
      },

      'team.disbanded': {
        'a team sums up its tasks'(event, { team, tasks }) {
          if (team === undefined) return undefined;
          const { tasksCompleted, tasksFailed } = dataOf(event);
          const ended = [...tasks.values()].filter((task) => (task.ended ?? 0) > team);
          const count = (status: string) => ended.filter((task) => task.status === status).length;
          return found(
            totalDoubt(tasksCompleted, 'tasksCompleted', count('complete'), 'tasks that this team completed'),
            totalDoubt(tasksFailed, 'tasksFailed', count('failed'), 'tasks in which this team failed'),
          );
        },
      },

      'eval.run.completed': {
        'an evaluation sums up its cases'(event, run) {
          const { total, passed, failed } = dataOf(event);
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
                  tally.announced === undefined
                    ? undefined
                    : totalDoubt(total, 'total', tally.announced, 'announced cases of this run'),
                ]),
          );
        },
      },

      'task.claimed': {
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

    forEach(NEEDS_START, {
      'a workflow begins with its start'({ type }, { hasBegun, hasHead }) {
        // A stream that does not begin at 1 lacks its head, which is reported as a gap.
        if (hasBegun || !hasHead) return undefined;
        const message = `${named(type)} comes first, but every workflow must begin with workflow.started`;
        return { code: 'order/start-not-first', message, path: ['type'], ifWhole: true };
      },
    }),

    forEach([...NEEDS_START, 'workflow.started', 'synthesize.requested'], {
      'events are of the workflow that started'(event, run) {
        const feature = textIn(dataOf(event), 'featureId');
        if (feature === undefined || run.task === undefined || feature === run.task) return undefined;
        const message = `the event is about the feature ${named(feature)}, but the workflow is that of ${named(run.task)}`;
        return {
          code: 'consistency/feature',
          message,
          path: ['data', 'featureId'],
          expected: run.task,
          actual: feature,
        };
      },
    }),

    forEach(Object.keys(IN_PHASE), {
      'events are logged in the current phase'(event, run) {
        const { type } = event;
        const { phase, phaseBefore, phaseLine } = run;
        const member = IN_PHASE[type] ?? 'from';
        const said = textIn(dataOf(event), member);
        if (said === undefined || phase === undefined || said === phase) return undefined;
        // The second event of an end, and the exit of a compound, name the phase before.
        if ((isSecond(event, run) || type === 'workflow.compound-exit') && said === phaseBefore)
          return undefined;
        // Said once, as work after the end.
        if (run.isOver && type !== 'workflow.checkpoint') return undefined;
        const what = type === 'workflow.transition' ? 'the transition leaves' : `${type} names the phase`;
        return {
          code: 'order/lifecycle',
          message: `${what} ${named(said)}, but line ${phaseLine} led to ${named(phase)}`,
          path: ['data', member],
          expected: phase,
          actual: said,
          ifWhole: true,
          // Another process changed the phase: that is why it failed.
          ...(type === 'workflow.cas-failed' && { severity: 'info' }),
        };
      },
    }),

    forEach(END_TYPES, {
      'a workflow ends once': (event, run) =>
        run.isOver && !isSecond(event, run) ? afterEnd(event, run) : undefined,
      'an end leads to its phase'(event) {
        const { type } = event;
        const to = textIn(dataOf(event), 'to');
        const final = FINAL_PHASES[type];
        if (to === undefined || final === undefined || to === final) return undefined;
        const message = `${type} leads to ${named(to)}, but such an event ends the workflow as ${final}`;
        return { code: 'order/lifecycle', message, path: ['data', 'to'], expected: final, actual: to };
      },
    }),

    forEach(BEGINS_WORK, {
      // Events from a sidecar come late, but have the time at which they happened.
      'no work begins after the end': (event, run) =>
        isFinal(run.phase) && timeOf(event.event) > run.phaseTime ? afterEnd(event, run) : undefined,
    }),

    forEach(
      [
        'task.claimed',
        'task.progressed',
        'task.completed',
        'task.failed',
        'team.task.completed',
        'team.task.failed',
      ],
      {
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
      },
    ),
  ),
});

/** Whether a field that a patch names is one of its keys, or is below or above one. */
function isIn(field: unknown, patch: object): boolean {
  const name = textOf(field);
  return Object.keys(patch).some((key) => {
    const [long, short] = key.length > name.length ? [key, name] : [name, key];
    return long === short || long.startsWith(`${short}.`) || long.startsWith(`${short}[`);
  });
}
