import { clockFrom, type ExampleFiles, jsonLines } from './files.ts';

/** A feature workflow as the store of exarchos 2.9 writes it (exarchos.md §2, §7): one task fails and is done again. */

const STREAM = 'checkout';

interface Draft {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly agentId?: string;
  /** The event that caused it, by its place in the stream. */
  readonly cause?: number;
  /** The part of the key after the name of the stream. */
  readonly key?: string;
}

const transition = (from: string, to: string, version: number): Draft => ({
  type: 'workflow.transition',
  data: { from, to, trigger: 'execute-transition', featureId: STREAM },
  key: `transition:${from}:${to}:${version}`,
});

const patched = (version: number, patch: Readonly<Record<string, unknown>>): Draft => ({
  type: 'state.patched',
  data: { featureId: STREAM, fields: Object.keys(patch), patch },
  key: `patch:${version}:${Object.keys(patch).sort().join(',')}`,
});

const tasks = [
  { id: 't1', title: 'Totals with tax', status: 'pending', blockedBy: [] },
  { id: 't2', title: 'Voucher codes', status: 'pending', blockedBy: ['t1'] },
];

const EVENTS: readonly Draft[] = [
  {
    type: 'workflow.started',
    data: { featureId: STREAM, workflowType: 'feature' },
    key: 'workflow.started',
  },
  {
    type: 'workflow.guard-failed',
    data: { guard: 'design-artifact-exists', from: 'ideate', to: 'plan', featureId: STREAM },
  },
  patched(1, { 'artifacts.design': 'docs/design/checkout.md' }),
  transition('ideate', 'plan', 2),
  patched(3, { 'artifacts.plan': 'docs/plans/checkout.md', tasks }),
  transition('plan', 'plan-review', 4),
  transition('plan-review', 'delegate', 5),
  {
    type: 'team.spawned',
    data: { teamSize: 2, teammateNames: ['ada', 'ben'], taskCount: 2, dispatchMode: 'parallel' },
  },
  { type: 'task.assigned', data: { taskId: 't1', title: 'Totals with tax', assignee: 'ada' }, cause: 8 },
  { type: 'task.assigned', data: { taskId: 't2', title: 'Voucher codes', assignee: 'ben' }, cause: 8 },
  { type: 'task.progressed', data: { taskId: 't1', tddPhase: 'red' }, agentId: 'ada', cause: 9 },
  { type: 'task.progressed', data: { taskId: 't1', tddPhase: 'green' }, agentId: 'ada', cause: 11 },
  {
    type: 'task.completed',
    data: { taskId: 't1', evidence: { type: 'test', output: '14 passed', passed: true }, verified: true },
    cause: 12,
    key: 'task.completed:t1',
  },
  {
    type: 'team.task.completed',
    data: {
      taskId: 't1',
      teammateName: 'ada',
      durationMs: 412_000,
      filesChanged: ['src/totals.ts', 'test/totals.test.ts'],
      testsPassed: true,
      qualityGateResults: {},
    },
    agentId: 'ada',
    cause: 13,
    key: 'team.task.completed:t1',
  },
  {
    type: 'task.failed',
    data: { taskId: 't2', error: 'two vouchers on one order are summed twice' },
    cause: 10,
    key: 'task.failed:t2',
  },
  { type: 'team.disbanded', data: { totalDurationMs: 655_000, tasksCompleted: 1, tasksFailed: 1 } },
  transition('delegate', 'review', 6),
  {
    type: 'review.completed',
    data: { stage: 'spec-review', verdict: 'fail', findingsCount: 1, summary: 'vouchers stack' },
  },
  transition('review', 'delegate', 7),
  {
    type: 'workflow.fix-cycle',
    data: { compoundStateId: 'implementation', count: 1, featureId: STREAM },
    key: 'fix-cycle:review:delegate:7',
  },
  patched(8, { 'tasks[0].status': 'complete', 'tasks[1].status': 'complete' }),
];

const PAUSES = [180, 12_400, 8, 31_000, 9, 62_000, 15, 700];

function events(): Record<string, unknown>[] {
  const tick = clockFrom('2026-03-03T09:00:00Z');
  return EVENTS.map(({ type, data, agentId, cause, key }, index) => ({
    streamId: STREAM,
    sequence: index + 1,
    timestamp: tick(PAUSES[index % PAUSES.length] ?? 0),
    type,
    ...(type.startsWith('workflow.') || type === 'state.patched' ? { correlationId: STREAM } : {}),
    ...(cause !== undefined && { causationId: `${STREAM}:${cause}` }),
    ...(agentId !== undefined && { agentId }),
    source: agentId === undefined ? 'workflow' : 'agent',
    schemaVersion: '1.0',
    data,
    ...(key !== undefined && { idempotencyKey: `${STREAM}:${key}` }),
  }));
}

/** The state file that the program writes: the state of the log, and further members. */
function state(secondTask: string): string {
  const document = {
    version: '1.1',
    featureId: STREAM,
    createdAt: '2026-03-03T09:00:00.184Z',
    updatedAt: '2026-03-03T09:03:45.020Z',
    artifacts: { design: 'docs/design/checkout.md', plan: 'docs/plans/checkout.md', pr: null },
    tasks: tasks.map((task) => ({ ...task, status: task.id === 't2' ? secondTask : 'complete' })),
    worktrees: {},
    reviews: {},
    integration: null,
    synthesis: { integrationBranch: null, mergeOrder: [], mergedBranches: [], prUrl: null, prFeedback: [] },
    _version: 9,
    workflowType: 'feature',
    phase: 'delegate',
  };
  return JSON.stringify(document, null, 2);
}

/** A state directory with one stream and the files next to it. */
export function exarchosExample(): ExampleFiles {
  const log = events();
  return new Map([
    [`${STREAM}.events.jsonl`, jsonLines(log)],
    [`${STREAM}.state.json`, state('complete')],
    [`${STREAM}.seq`, JSON.stringify({ sequence: log.length })],
  ]);
}

/** The directory after two processes wrote at the same time, and somebody set a task back by hand. */
export function damagedExarchosExample(): ExampleFiles {
  const log = events();
  const renumbered = log.map((event, index) =>
    index >= 14 ? { ...event, sequence: index === 14 ? 14 : index + 3 } : event,
  );
  return new Map([
    [`${STREAM}.events.jsonl`, jsonLines(renumbered)],
    [`${STREAM}.state.json`, state('pending')],
    [`${STREAM}.seq`, JSON.stringify({ sequence: 9 })],
  ]);
}
