import { UsageError } from '../errors.ts';
import { type Shard, shardAt } from './shard.ts';

/** How a scheduler tells a task which one of several it is. */
export interface Scheduler {
  readonly name: string;
  /** The variable with the number of the task. */
  readonly index: string;
  /** What the first task is called: a number, or the variable that says it. */
  readonly base: number | string;
  /** The variable with the number of tasks; absent where the scheduler does not tell. */
  readonly count?: string;
  /** The variable with the number of the last task, where there is none with how many there are. */
  readonly last?: string;
  /** The variable with the distance from one task to the next, where it need not be 1. */
  readonly step?: string;
  /** A variable that must be there as well: others use the same names in another sense. */
  readonly only?: string;
  /** The number 0 is said outside of an array. */
  readonly zeroIsNone?: true;
}

/** The schedulers that `--shard auto` knows. */
export const SCHEDULERS: readonly Scheduler[] = [
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

/** The task that a scheduler says this is. Outside of an array Grid Engine says "undefined": as if nothing was said. */
function taskIn({ index, only, zeroIsNone }: Scheduler, env: Environment): number | undefined {
  if (only !== undefined && !env[only]) return undefined;
  const task = numberIn(env, index);
  return zeroIsNone && task === 0 ? undefined : task;
}

const refuse = (message: string, hint: string) => new UsageError('usage', message, { hint });

/** The number of tasks that a scheduler tells. */
function countIn({ base, count, last, step }: Scheduler, env: Environment): number | undefined {
  const told = numberIn(env, count);
  if (told !== undefined) return told;
  const end = numberIn(env, last);
  const first = typeof base === 'number' ? base : numberIn(env, base);
  if (end === undefined || first === undefined) return undefined;
  return Math.floor((end - first) / (numberIn(env, step) ?? 1)) + 1;
}

/**
 * The shard that the environment of a task of an array tells; `count` where the user says it. Throws `usage` where no
 * scheduler, or more than one, says anything, and where it says something that does not fit.
 */
export function shardOfTask(env: Environment, count?: number): Shard {
  const found = SCHEDULERS.flatMap((scheduler) => {
    const task = taskIn(scheduler, env);
    return task === undefined ? [] : [{ ...scheduler, task }];
  });
  const [scheduler] = found;
  if (scheduler === undefined) {
    throw refuse(
      '--shard auto: no variable of a scheduler says which task this is',
      'write it out, as in --shard 1/8; docs/fleet.md lists the variables',
    );
  }
  if (found.length > 1) {
    const names = found.map(({ name, index }) => `${name} (${index})`).join(' and ');
    throw refuse(`--shard auto: ${names} both say which task this is`, 'write it out, as in --shard 1/8');
  }
  const { name, index, base, step, task } = scheduler;
  const total = count ?? countIn(scheduler, env);
  if (total === undefined) {
    throw refuse(
      `--shard auto: ${name} does not say how many tasks there are`,
      'say it, as in --shard auto/8',
    );
  }
  const first = typeof base === 'number' ? base : (numberIn(env, base) ?? 0);
  const shard = shardAt((task - first) / (numberIn(env, step) ?? 1) + 1, total);
  if (shard) return shard;
  throw refuse(
    `--shard auto: ${index}=${task} is none of ${total} tasks that begin with ${first}`,
    'an array without gaps is needed; or write it out, as in --shard 1/8',
  );
}
