import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shardOfTask } from '../../src/verify/fleet/schedulers.ts';
import { assignShards, parseShard, partOf, type ShardItem, shardKey } from '../../src/verify/fleet/shard.ts';

const MIB = 1024 * 1024;

const items = fc.array(
  fc.record({
    key: fc.oneof(fc.string(), fc.constantFrom('a', 'b', '__proto__')),
    bytes: fc.oneof(fc.nat(1e6), fc.nat(1e9)),
  }),
  { maxLength: 200 },
);
const counts = fc.integer({ min: 1, max: 12 });

describe('shards', () => {
  test('divide any targets: each is in exactly one', () => {
    fc.assert(
      fc.property(items, counts, (all, count) => {
        const parts = Array.from({ length: count }, (_, at) => partOf(all, { index: at + 1, count }));
        const positions = parts.flatMap((part) => part.positions);
        expect(positions.toSorted((a, b) => a - b)).toEqual(all.map((_, at) => at));
        expect(new Set(parts.map(({ plan }) => plan)).size).toBe(1);
      }),
    );
  });

  test('keep small targets in their shard when others change', () => {
    fc.assert(
      fc.property(items, items, counts, (all, others, count) => {
        const small = all.filter(({ bytes }) => bytes < 64 * MIB);
        const alone = assignShards(small, count);
        expect(assignShards([...small, ...others], count).slice(0, small.length)).toEqual(alone);
      }),
    );
  });

  test('have another plan if a target or its shard differs', () => {
    const one: ShardItem[] = [{ key: 'a', bytes: 1 }];
    const plan = (all: readonly ShardItem[], count = 4) => partOf(all, { index: 1, count }).plan;
    const plans = [plan(one), plan(one, 3), plan([{ key: 'b', bytes: 1 }]), plan([...one, ...one])];
    expect(new Set(plans).size).toBe(plans.length);
    // Sizes alone change nothing as long as no log is large.
    expect(plan([{ key: 'a', bytes: 2 }])).toBe(plan(one));
  });

  test('have similar sizes: small targets by chance, large ones by their bytes', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => ({ key: `ep_${at}`, bytes: 1000 }));
    const sizes = [0, 0, 0, 0];
    for (const shard of assignShards(many, 4)) sizes[shard] = (sizes[shard] ?? 0) + 1;
    for (const size of sizes) expect(Math.abs(size - 2500)).toBeLessThan(250);
    const large = Array.from({ length: 8 }, (_, at) => ({ key: `big_${at}`, bytes: 1000 * MIB }));
    expect(assignShards(large, 4).toSorted()).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  });

  test('depend on the name of an episode, and on the names of a log and its folder', () => {
    expect(shardKey('ep_1', '/mnt/a/ep_1', '/mnt/a/ep_1/events.jsonl')).toBe('ep_1');
    expect(shardKey('run.jsonl', undefined, '/mnt/a/logs/run.jsonl')).toBe('logs/run.jsonl');
  });

  test.each(['0/4', '5/4', '1/0', '1', '', 'x/y', '1/4/2', '-1/4', '1.5/4', '1/99999999'])(
    '%j is not a shard',
    (text) => expect(parseShard(text)).toBeUndefined(),
  );

  test('are written I/N', () => {
    expect(parseShard('1/1')).toEqual({ index: 1, count: 1 });
    expect(parseShard('007/10')).toEqual({ index: 7, count: 10 });
  });
});

describe('the variables of schedulers', () => {
  const SLURM = { SLURM_ARRAY_TASK_COUNT: '4', SLURM_ARRAY_TASK_STEP: '1' };
  test.each<[string, Record<string, string>, number | undefined, string]>([
    ['Slurm from 0', { ...SLURM, SLURM_ARRAY_TASK_ID: '0', SLURM_ARRAY_TASK_MIN: '0' }, undefined, '1/4'],
    ['Slurm from 1', { ...SLURM, SLURM_ARRAY_TASK_ID: '4', SLURM_ARRAY_TASK_MIN: '1' }, undefined, '4/4'],
    [
      'Slurm with a step',
      { ...SLURM, SLURM_ARRAY_TASK_ID: '9', SLURM_ARRAY_TASK_MIN: '3', SLURM_ARRAY_TASK_STEP: '2' },
      undefined,
      '4/4',
    ],
    ['Kubernetes', { JOB_COMPLETION_INDEX: '0' }, 4, '1/4'],
    ['AWS Batch', { AWS_BATCH_JOB_ARRAY_INDEX: '3', AWS_BATCH_JOB_ARRAY_SIZE: '4' }, undefined, '4/4'],
    ['AWS Batch without the size', { AWS_BATCH_JOB_ARRAY_INDEX: '3' }, 5, '4/5'],
    ['GitLab', { GITLAB_CI: 'true', CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4' }, undefined, '1/4'],
    ['CircleCI', { CIRCLE_NODE_INDEX: '1', CIRCLE_NODE_TOTAL: '4' }, undefined, '2/4'],
    ['LSF', { LSB_JOBINDEX: '4', LSB_JOBINDEX_END: '4' }, undefined, '4/4'],
    ['PBS', { PBS_ARRAY_INDEX: '1' }, 4, '1/4'],
    ['Torque', { PBS_ARRAYID: '4' }, 4, '4/4'],
    [
      'Grid Engine',
      { SGE_TASK_ID: '5', SGE_TASK_FIRST: '1', SGE_TASK_LAST: '7', SGE_TASK_STEPSIZE: '2' },
      undefined,
      '3/4',
    ],
    [
      'Slurm without its first task',
      { SLURM_ARRAY_TASK_ID: '2', SLURM_ARRAY_TASK_COUNT: '4' },
      undefined,
      '3/4',
    ],
    ['Buildkite', { BUILDKITE_PARALLEL_JOB: '0', BUILDKITE_PARALLEL_JOB_COUNT: '2' }, undefined, '1/2'],
    ['Azure', { SYSTEM_JOBPOSITIONINPHASE: '2', SYSTEM_TOTALJOBSINPHASE: '2' }, undefined, '2/2'],
    ['Cloud Run', { CLOUD_RUN_TASK_INDEX: '1', CLOUD_RUN_TASK_COUNT: '2' }, undefined, '2/2'],
  ])('%s', (_name, env, count, wanted) => {
    const { index, count: total } = shardOfTask(env, count);
    expect(`${index}/${total}`).toBe(wanted);
  });

  test.each<[string, Record<string, string>, string]>([
    ['nothing', {}, 'no variable'],
    ['LSF outside of an array', { LSB_JOBINDEX: '0', LSB_JOBINDEX_END: '0' }, 'no variable'],
    ['Grid Engine outside of an array', { SGE_TASK_ID: 'undefined' }, 'no variable'],
    ['a number of nodes without GitLab', { CI_NODE_INDEX: '0', CI_NODE_TOTAL: '2' }, 'no variable'],
    ['no number of tasks', { JOB_COMPLETION_INDEX: '0' }, 'does not say how many'],
    ['two at once', { JOB_COMPLETION_INDEX: '0', CLOUD_RUN_TASK_INDEX: '0' }, 'both have'],
    [
      'an array with gaps',
      { ...SLURM, SLURM_ARRAY_TASK_ID: '9', SLURM_ARRAY_TASK_MIN: '1' },
      'not one of the 4 tasks',
    ],
  ])('%s is refused', (_name, env, message) => {
    expect(() => shardOfTask(env)).toThrow(message);
  });
});
