import type { Source } from './source.ts';

export const STREAM = 'checkout';

interface Draft {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly agentId?: string;
  /** The part of the key after the name of the stream. */
  readonly key?: string;
}

const tasksPerRound = 12;
const teammates = ['ada', 'ben', 'cleo', 'dora'];

/**
 * One workflow as the program writes it, without `causationId`: rounds of delegation and review with their tasks, until a
 * stop is requested.
 */
export function* exarchosEvents({ random, words, now }: Source): Generator<object, void, boolean> {
  let sequence = 0;
  let version = 0;
  let stop = false;

  function* put({ type, data, agentId, key }: Draft): Generator<object, void, boolean> {
    sequence += 1;
    const workflow = type.startsWith('workflow.') || type === 'state.patched';
    stop = yield {
      streamId: STREAM,
      sequence,
      timestamp: now(),
      type,
      ...(workflow && { correlationId: STREAM }),
      ...(agentId !== undefined && { agentId }),
      source: agentId === undefined ? 'workflow' : 'agent',
      schemaVersion: '1.0',
      data,
      ...(key !== undefined && { idempotencyKey: `${STREAM}:${key}` }),
    };
  }
  const transition = (from: string, to: string) => {
    version += 1;
    const data = { from, to, trigger: 'execute-transition', featureId: STREAM };
    return put({ type: 'workflow.transition', data, key: `transition:${from}:${to}:${version}` });
  };
  const patched = (patch: Readonly<Record<string, unknown>>) => {
    version += 1;
    const fields = Object.keys(patch);
    const key = `patch:${version}:${[...fields].sort().join(',')}`;
    return put({ type: 'state.patched', data: { featureId: STREAM, fields, patch }, key });
  };

  function* work(taskId: string, title: string): Generator<object, void, boolean> {
    const agentId = random.pick(teammates);
    yield* put({
      type: 'task.assigned',
      data: { taskId, title, assignee: agentId, branch: `task/${taskId}` },
    });
    for (const tddPhase of ['red', 'green', 'refactor']) {
      const data = { taskId, tddPhase, detail: words(24) };
      yield* put({ type: 'task.progressed', data, agentId });
    }
    const output = `${random.int(400)} passed: ${words(16)}`;
    yield* put({
      type: 'task.completed',
      data: { taskId, evidence: { type: 'test', output, passed: true }, verified: true },
      key: `task.completed:${taskId}`,
    });
    const data = {
      taskId,
      teammateName: agentId,
      durationMs: random.int(900_000),
      filesChanged: [`src/${taskId}.ts`, `test/${taskId}.test.ts`],
      testsPassed: true,
      qualityGateResults: { lint: words(6) },
    };
    yield* put({
      type: 'team.task.completed',
      data,
      agentId,
      key: `team.task.completed:${taskId}`,
    });
  }

  yield* put({
    type: 'workflow.started',
    data: { featureId: STREAM, workflowType: 'feature' },
    key: 'workflow.started',
  });
  yield* patched({ 'artifacts.design': 'docs/design/checkout.md' });
  yield* transition('ideate', 'plan');
  yield* patched({ 'artifacts.plan': 'docs/plans/checkout.md' });
  yield* transition('plan', 'plan-review');
  yield* transition('plan-review', 'delegate');
  for (let round = 1; ; round += 1) {
    const tasks = Array.from({ length: tasksPerRound }, (_, index) => ({
      id: `t${round}-${index + 1}`,
      title: words(4),
      status: 'pending',
      blockedBy: [],
    }));
    yield* patched({ tasks });
    const team = { teamSize: teammates.length, teammateNames: teammates, taskCount: tasksPerRound };
    yield* put({ type: 'team.spawned', data: { ...team, dispatchMode: 'parallel' } });
    for (const { id, title } of tasks) yield* work(id, title);
    const ended = { totalDurationMs: random.int(9_000_000), tasksCompleted: tasksPerRound, tasksFailed: 0 };
    yield* put({ type: 'team.disbanded', data: ended });
    yield* transition('delegate', 'review');
    const review = { stage: 'spec-review', verdict: 'fail', findingsCount: 1, summary: words(20) };
    yield* put({ type: 'review.completed', data: review });
    if (stop) return;
    yield* transition('review', 'delegate');
    yield* put({
      type: 'workflow.fix-cycle',
      data: { compoundStateId: 'implementation', count: round, featureId: STREAM },
      key: `fix-cycle:review:delegate:${version}`,
    });
  }
}
