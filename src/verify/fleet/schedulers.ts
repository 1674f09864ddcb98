import { UsageError } from '../../base/errors.ts';
import { type Shard, shardAt } from './shard.ts';

/** The variables with which a scheduler numbers its tasks. */
interface Scheduler {
  readonly name: string;
  /** The variable with the number of the task. */
  readonly index: string;
  /** The number of the first task, or the variable that contains it. */
  readonly base: number | string;
  /** The variable with the number of tasks, if the scheduler sets one. */
  readonly count?: string;
  /** The variable with the number of the last task, if there is none with the count. */
  readonly last?: string;
  /** The variable with the step between task numbers, if it may differ from 1. */
  readonly step?: string;
  /** Another variable that must be set, because other programs use the same names. */
  readonly only?: string;
  /** Outside of an array the number is 0. */
  readonly zeroIsNone?: true;
}

/** The schedulers that `--shard auto` knows. */
const SCHEDULERS: readonly Scheduler[] = [
  {
    name: 'Slurm',
    index: 'SLURM_ARRAY_TASK_ID',
    base: 'SLURM_ARRAY_TASK_MIN',
    count: 'SLURM_ARRAY_TASK_COUNT',
    step: 'SLURM_ARRAY_TASK_STEP',
  },
  { name: 'Kubernetes', index: 'JOB_COMPLETION_INDEX', base: 0 },
  { name: 'AWS Batch', index: 'AWS_BATCH_JOB_ARRAY_INDEX', base: 0, count: 'AWS_BATCH_JOB_ARRAY_SIZE' },
  { name: 'GitLab CI', index: 'CI_NODE_INDEX', base: 1, count: 'CI_NODE_TOTAL', only: 'GITLAB_CI' },
  { name: 'CircleCI', index: 'CIRCLE_NODE_INDEX', base: 0, count: 'CIRCLE_NODE_TOTAL' },
  {
    name: 'LSF',
    index: 'LSB_JOBINDEX',
    base: 1,
    last: 'LSB_JOBINDEX_END',
    step: 'LSB_JOBINDEX_STEP',
    zeroIsNone: true,
  },
  { name: 'PBS', index: 'PBS_ARRAY_INDEX', base: 1 },
  { name: 'Torque', index: 'PBS_ARRAYID', base: 1 },
  {
    name: 'Grid Engine',
    index: 'SGE_TASK_ID',
    base: 'SGE_TASK_FIRST',
    last: 'SGE_TASK_LAST',
    step: 'SGE_TASK_STEPSIZE',
  },
  { name: 'Buildkite', index: 'BUILDKITE_PARALLEL_JOB', base: 0, count: 'BUILDKITE_PARALLEL_JOB_COUNT' },
  {
    name: 'Azure Pipelines',
    index: 'SYSTEM_JOBPOSITIONINPHASE',
    base: 1,
    count: 'SYSTEM_TOTALJOBSINPHASE',
  },
  { name: 'Cloud Run', index: 'CLOUD_RUN_TASK_INDEX', base: 0, count: 'CLOUD_RUN_TASK_COUNT' },
];

type Environment = Readonly<Record<string, string | undefined>>;

const numberIn = (env: Environment, name: string | undefined): number | undefined => {
  const text = name === undefined ? undefined : env[name];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
};

/** The task number. Outside of an array Grid Engine says "undefined", which counts as unset. */
function taskIn({ index, only, zeroIsNone }: Scheduler, env: Environment): number | undefined {
  if (only !== undefined && !env[only]) return undefined;
  const task = numberIn(env, index);
  return zeroIsNone && task === 0 ? undefined : task;
}

const refuse = (message: string, hint: string) => new UsageError('usage', message, { hint });

/** The number of tasks. */
function countIn({ base, count, last, step }: Scheduler, env: Environment): number | undefined {
  const stated = numberIn(env, count);
  if (stated !== undefined) return stated;
  const end = numberIn(env, last);
  const first = typeof base === 'number' ? base : numberIn(env, base);
  if (end === undefined || first === undefined) return undefined;
  return Math.floor((end - first) / (numberIn(env, step) ?? 1)) + 1;
}

/**
 * The shard for a task of an array job, from its environment; `count` if the user gave it. Throws `usage` if
 * no scheduler or several are found, or if the numbers are invalid.
 */
export function shardOfTask(env: Environment, count?: number): Shard {
  const found = SCHEDULERS.flatMap((scheduler) => {
    const task = taskIn(scheduler, env);
    return task === undefined ? [] : [{ ...scheduler, task }];
  });
  const [scheduler] = found;
  if (scheduler === undefined) {
    throw refuse(
      '--shard auto: no variable of a scheduler has the number of this task',
      'give it as --shard 1/8; docs/fleet.md lists the variables',
    );
  }
  if (found.length > 1) {
    const names = found.map(({ name, index }) => `${name} (${index})`).join(' and ');
    throw refuse(`--shard auto: ${names} both have the number of this task`, 'give it as --shard 1/8');
  }
  const { name, index, base, step, task } = scheduler;
  const total = count ?? countIn(scheduler, env);
  if (total === undefined) {
    throw refuse(`--shard auto: ${name} does not say how many tasks there are`, 'give it as --shard auto/8');
  }
  const first = typeof base === 'number' ? base : (numberIn(env, base) ?? 0);
  const shard = shardAt((task - first) / (numberIn(env, step) ?? 1) + 1, total);
  if (shard) return shard;
  throw refuse(
    `--shard auto: ${index}=${task} is not one of the ${total} tasks that begin with ${first}`,
    'use an array without gaps, or give the part as --shard 1/8',
  );
}
