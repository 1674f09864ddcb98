import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { RULES } from '../../../src/dialects/exarchos/rules.ts';
import { event, patched, started, transition, verifyEvents } from './support.ts';

const end = (sequence: number, type: string, from: string, more: object = {}) =>
  event(sequence, `workflow.${type}`, {
    from,
    to: type === 'cancel' ? 'cancelled' : 'completed',
    trigger: 't',
    featureId: 'f',
    ...more,
  });
const assigned = (sequence: number, id = 'a') => event(sequence, 'task.assigned', { taskId: id, title: 'T' });
const claimed = (sequence: number, agent: string, id = 'a') =>
  event(sequence, 'task.claimed', { taskId: id, agentId: agent, claimedAt: 'x' });
const completed = (sequence: number, id = 'a') => event(sequence, 'task.completed', { taskId: id });
const failed = (sequence: number, id = 'a') => event(sequence, 'task.failed', { taskId: id, error: 'e' });
const progressed = (sequence: number, id = 'a') =>
  event(sequence, 'task.progressed', { taskId: id, tddPhase: 'red' });
const oneshot = (policy?: string) =>
  event(1, 'workflow.started', {
    featureId: 'f',
    workflowType: 'oneshot',
    ...(policy !== undefined && { synthesisPolicy: policy }),
  });
const request = (sequence: number) =>
  event(sequence, 'synthesize.requested', { featureId: 'f', timestamp: '2026-03-01T08:00:00Z' });
const team = (sequence: number, teammateNames = ['x']) =>
  event(sequence, 'team.spawned', { teamSize: 1, teammateNames, taskCount: 1, dispatchMode: 'm' });
const disbanded = (sequence: number, tasksCompleted: number, tasksFailed: number) =>
  event(sequence, 'team.disbanded', { totalDurationMs: 1, tasksCompleted, tasksFailed });
const ofTeam = (sequence: number, type: string, teammateName: string, more: object) =>
  event(sequence, `team.task.${type}`, { taskId: 'a', teammateName, ...more });
const given = (sequence: number, who: string, taskId = 'a') =>
  ofTeam(sequence, 'assigned', who, { taskId, worktreePath: '/w', modules: [] });
const done = (sequence: number, who: string) =>
  ofTeam(sequence, 'completed', who, {
    durationMs: 1,
    filesChanged: [],
    testsPassed: true,
    qualityGateResults: {},
  });
const lost = (sequence: number, who: string) =>
  ofTeam(sequence, 'failed', who, { failureReason: 'r', gateResults: {} });
const part = (sequence: number, type: string, from: string, to: string) =>
  event(sequence, `workflow.${type}`, {
    from,
    to,
    trigger: 't',
    featureId: 'f',
    compoundStateId: 'implementation',
    count: 1,
  });
const RUN = '8b7f1b8a-3c62-4e5f-9d4a-1f2e3d4c5b6a';
const evaluation = (sequence: number, type: string, more: object) =>
  event(sequence, `eval.${type}`, { runId: RUN, suiteId: 's', ...more });
const evaluated = (total: number, passed: number, failures: number, avgScore = 1) => [
  started(),
  evaluation(2, 'run.started', { trigger: 'ci', caseCount: 1 }),
  evaluation(3, 'case.completed', { caseId: 'c', passed: true, score: 1, assertions: [], duration: 1 }),
  evaluation(4, 'run.completed', {
    total,
    passed,
    failed: failures,
    avgScore,
    duration: 1,
    regressions: [],
  }),
];
const preflight = (sequence: number, more: object) =>
  event(sequence, 'merge.preflight', { sourceBranch: 's', targetBranch: 't', passed: true, ...more });
const evidence = (passed: boolean) => ({ type: 'test', output: 'o', passed });
const later = (one: JsonObject) => ({ ...one, timestamp: '2027-01-01T00:00:00.000Z' });
const patch = (sequence: number, fields: string[], of: object) =>
  event(sequence, 'state.patched', { featureId: 'f', fields, patch: of });

/** For each rule: its finding, logs that break it, and logs that keep it. */
const CASES: Readonly<Record<string, readonly [string, object[][], object[][]]>> = {
  'a workflow starts once': ['order/start-repeated', [[started(), started(2)]], [[started()]]],
  'a oneshot workflow has a policy': [
    'consistency/synthesis',
    [
      [oneshot()],
      [{ ...started(), data: { featureId: 'f', workflowType: 'feature', synthesisPolicy: 'never' } }],
    ],
    [[oneshot('always')], [started()]],
  ],
  'a synthesis is requested where the policy allows it': [
    'consistency/synthesis',
    [
      [oneshot('never'), request(2)],
      [started(), request(2)],
      [oneshot('on-request'), transition(2, 'plan', 'completed'), request(3)],
      [oneshot('on-request'), patched(2, { oneshot: { synthesisPolicy: 'never' } }), request(3)],
    ],
    [
      [oneshot('on-request'), request(2)],
      [oneshot('on-request'), transition(2, 'plan', 'implementing'), request(3)],
    ],
  ],
  'nothing leads out of a final phase': [
    'order/lifecycle',
    [[started(), end(2, 'cleanup', 'ideate'), transition(3, 'completed', 'ideate')]],
    [[started(), transition(2, 'ideate', 'plan'), end(3, 'cleanup', 'plan')]],
  ],
  'a oneshot workflow synthesizes by its policy': [
    'consistency/synthesis',
    [
      [oneshot('never'), transition(2, 'plan', 'synthesize')],
      [oneshot('on-request'), transition(2, 'plan', 'synthesize')],
      // Without a policy, the program waits for a request. The start alone has this finding too.
      [
        patched(1, { oneshot: { synthesisPolicy: 'on-request' } }),
        { ...oneshot('always'), sequence: 2 },
        transition(3, 'plan', 'synthesize'),
      ],
      [oneshot('always'), transition(2, 'plan', 'implementing'), transition(3, 'implementing', 'completed')],
      [
        oneshot('on-request'),
        request(2),
        transition(3, 'plan', 'implementing'),
        transition(4, 'implementing', 'completed'),
      ],
    ],
    [
      [oneshot('never'), transition(2, 'plan', 'implementing'), transition(3, 'implementing', 'completed')],
      [
        oneshot('on-request'),
        transition(2, 'plan', 'implementing'),
        transition(3, 'implementing', 'completed'),
      ],
      [oneshot('always'), transition(2, 'plan', 'synthesize')],
      [oneshot('on-request'), request(2), transition(3, 'plan', 'synthesize')],
    ],
  ],
  'a patch is an object of possible places': [
    'consistency/patch',
    [
      [started(), patch(2, ['tasks[9].status'], { 'tasks[9].status': 'x' })],
      [started(), patch(2, ['artifacts.design'], { 'artifacts.plan': 'x' })],
      [started(), patch(2, ['artifacts.design'], { 'artifacts.design': 'x', reviews: {} })],
      [started(), patch(2, ['tasks[-1].status'], { 'tasks[-1].status': 'x' })],
      [started(), patched(2, { artifacts: { plan: 'x' } }), patched(3, { 'artifacts[0]': 'x' })],
      [started(), patched(2, { phase: 'completed' })],
      [started(), patched(2, { '_history.x': 'y' })],
    ],
    [
      [
        started(),
        patch(2, ['tasks[0].status', 'artifacts'], { 'tasks[0].status': 'x', 'artifacts.plan': 'y' }),
      ],
    ],
  ],
  'a team is as large as it says': [
    'consistency/totals',
    [[started(), team(2, ['x', 'y'])]],
    [[started(), team(2)]],
  ],
  'a team sums up its tasks': [
    'consistency/totals',
    [
      [started(), disbanded(2, 0, 0)],
      [started(), team(2), disbanded(3, 0, 0), disbanded(4, 0, 0)],
      [started(), team(2), given(3, 'x', 'a'), given(4, 'x', 'b'), disbanded(5, 0, 0)],
      [started(), team(2), assigned(3), completed(4), disbanded(5, 7, 0)],
      [started(), team(2), assigned(3), completed(4), disbanded(5, 0, 0)],
      [started(), team(2), assigned(3), failed(4), disbanded(5, 0, 0)],
    ],
    [
      [started(), team(2), assigned(3), completed(4), disbanded(5, 1, 0)],
      [started(), team(2), given(3, 'x'), lost(4, 'x'), given(5, 'x'), done(6, 'x'), disbanded(7, 1, 0)],
      [event(5, 'gate.executed'), disbanded(6, 1, 0)],
    ],
  ],
  'the work of a team is that of its members': [
    'order/task',
    [
      [started(), team(2), given(3, 'y')],
      [started(), team(2), given(3, 'x'), done(4, 'y')],
      [started(), given(2, 'x'), done(3, 'y')],
      [started(), given(2, 'x'), lost(3, 'y')],
    ],
    [
      [started(), team(2), given(3, 'x'), done(4, 'x')],
      [started(), given(2, 'x'), given(3, 'y'), done(4, 'y')],
    ],
  ],
  'an evaluation sums up its cases': [
    'consistency/totals',
    [evaluated(2, 1, 0), evaluated(1, 0, 1), evaluated(2, 2, 0), evaluated(1, 1, 0, 0.9)],
    [evaluated(1, 1, 0)],
  ],
  'an evaluation runs between its start and its end': [
    'consistency/totals',
    [
      [started(), ...evaluated(1, 1, 0).slice(2)],
      [...evaluated(1, 1, 0), { ...evaluated(1, 1, 0)[2], sequence: 5 }],
      [...evaluated(1, 1, 0), { ...evaluated(1, 1, 0)[3], sequence: 5 }],
    ],
    [evaluated(1, 1, 0)],
  ],
  'a success has no failures': [
    'consistency/totals',
    [
      [started(), event(2, 'test.result', { passed: true, passCount: 3, failCount: 2 })],
      [started(), event(2, 'typecheck.result', { passed: true, errorCount: 1 })],
      [started(), preflight(2, { failureReasons: ['drift'] })],
      [started(), preflight(2, { ancestry: { passed: false } })],
      [started(), assigned(2), event(3, 'task.completed', { taskId: 'a', evidence: evidence(false) })],
      [
        started(),
        given(2, 'x'),
        ofTeam(3, 'completed', 'x', {
          durationMs: 1,
          filesChanged: [],
          testsPassed: false,
          qualityGateResults: {},
        }),
      ],
    ],
    [
      [started(), event(2, 'test.result', { passed: true, passCount: 3, failCount: 0 })],
      [started(), event(2, 'test.result', { passed: false, passCount: 3, failCount: 2 })],
      [started(), preflight(2, { failureReasons: [], ancestry: { passed: true } })],
      [started(), assigned(2), event(3, 'task.completed', { taskId: 'a', evidence: evidence(true) })],
    ],
  ],
  'an agent claims for itself': [
    'order/task',
    [[started(), assigned(2), { ...claimed(3, 'x'), agentId: 'y' }]],
    [[started(), assigned(2), { ...claimed(3, 'x'), agentId: 'x' }]],
  ],
  'the agent that claimed a task works on it': [
    'order/task',
    [
      [started(), assigned(2), claimed(3, 'x'), { ...progressed(4), agentId: 'y' }],
      [started(), assigned(2), claimed(3, 'x'), { ...completed(4), agentId: 'y' }],
      [
        started(),
        assigned(2),
        claimed(3, 'x'),
        event(4, 'task.failed', { taskId: 'a', error: 'e', agentId: 'y' }),
      ],
    ],
    [
      [started(), assigned(2), claimed(3, 'x'), { ...progressed(4), agentId: 'x' }, completed(5)],
      [started(), assigned(2), { ...progressed(3), agentId: 'y' }],
    ],
  ],
  'one agent claims a task': [
    'order/task',
    [
      [started(), assigned(2), claimed(3, 'x'), claimed(4, 'y')],
      [started(), assigned(2), claimed(3, 'x'), claimed(4, 'x')],
    ],
    [[started(), assigned(2), claimed(3, 'x'), failed(4), assigned(5), claimed(6, 'y')]],
  ],
  'a workflow begins with its start': [
    'order/start-not-first',
    [[transition(1, 'a', 'b')]],
    [[event(1, 'gate.executed'), started(2)], [transition(5, 'a', 'b')]],
  ],
  'events are of the workflow that started': [
    'consistency/feature',
    [
      [started(), event(2, 'workflow.checkpoint', { counter: 1, phase: 'ideate', featureId: 'g' })],
      [started(), event(2, 'shepherd.started', { featureId: 'g' })],
      [{ ...started(), data: { featureId: 'g', workflowType: 'feature' } }],
    ],
    [[started(), event(2, 'workflow.checkpoint', { counter: 1, phase: 'ideate', featureId: 'f' })]],
  ],
  'events are logged in the current phase': [
    'order/lifecycle',
    [
      [started(), transition(2, 'plan', 'review')],
      [started(), end(2, 'cancel', 'delegate')],
      [started(), event(2, 'workflow.guard-failed', { guard: 'g', from: 'plan', to: 'x', featureId: 'f' })],
      [started(), event(2, 'workflow.checkpoint', { counter: 1, phase: 'plan', featureId: 'f' })],
      [
        started(),
        end(2, 'cleanup', 'ideate'),
        event(3, 'workflow.cleanup', { featureId: 'f', previousPhase: 'plan', mergeVerified: true }),
      ],
      [
        started(),
        end(2, 'cancel', 'ideate'),
        event(3, 'workflow.guard-failed', { guard: 'g', from: 'ideate', to: 'plan', featureId: 'f' }),
      ],
    ],
    [
      [
        started(),
        end(2, 'cancel', 'ideate'),
        event(3, 'workflow.guard-failed', { guard: 'g', from: 'cancelled', to: 'plan', featureId: 'f' }),
      ],
      [
        started(),
        transition(2, 'ideate', 'plan'),
        event(3, 'workflow.guard-failed', { guard: 'g', from: 'plan', to: 'x', featureId: 'f' }),
      ],
      [started(), end(2, 'cancel', 'ideate'), end(3, 'cancel', 'ideate')],
      [
        started(),
        end(2, 'cleanup', 'ideate'),
        event(3, 'workflow.cleanup', { featureId: 'f', previousPhase: 'ideate', mergeVerified: true }),
      ],
    ],
  ],
  'the parts of a transition name its phases': [
    'order/lifecycle',
    [
      [started(), transition(2, 'ideate', 'delegate'), part(3, 'compound-entry', 'plan', 'implementation')],
      [started(), transition(2, 'ideate', 'plan'), part(3, 'compound-exit', 'implementation', 'ideate')],
      [started(), transition(2, 'ideate', 'delegate'), part(3, 'fix-cycle', 'review', 'delegate')],
      [started(), transition(2, 'ideate', 'delegate'), part(3, 'fix-cycle', 'ideate', 'review')],
    ],
    [
      [started(), transition(2, 'ideate', 'delegate'), part(3, 'compound-entry', 'ideate', 'implementation')],
      // The program names the compound that it leaves.
      [
        started(),
        transition(2, 'ideate', 'delegate'),
        transition(3, 'delegate', 'synthesize'),
        part(4, 'compound-exit', 'implementation', 'synthesize'),
      ],
      [
        started(),
        transition(2, 'ideate', 'review'),
        transition(3, 'review', 'delegate'),
        part(4, 'fix-cycle', 'review', 'delegate'),
      ],
    ],
  ],
  'a workflow ends once': [
    'order/lifecycle',
    [
      [started(), end(2, 'cleanup', 'ideate'), end(3, 'cancel', 'ideate')],
      [started(), end(2, 'cancel', 'ideate'), end(3, 'cancel', 'ideate'), end(4, 'cancel', 'ideate')],
    ],
    [[started(), end(2, 'cancel', 'ideate'), end(3, 'cancel', 'ideate')]],
  ],
  'an end leads to its phase': [
    'order/lifecycle',
    [[started(), end(2, 'cancel', 'ideate', { to: 'completed' })]],
    [[started(), end(2, 'cancel', 'ideate')]],
  ],
  'no work begins after the end': [
    'order/lifecycle',
    [[started(), end(2, 'cancel', 'ideate'), later(assigned(3))]],
    [[started(), assigned(2), end(3, 'cancel', 'ideate')]],
  ],
  'no work goes on after the end': [
    'order/lifecycle',
    [
      [started(), assigned(2), end(3, 'cancel', 'ideate'), later(progressed(4))],
      [started(), assigned(2), end(3, 'cancel', 'ideate'), later(completed(4))],
      [started(), assigned(2), end(3, 'cancel', 'ideate'), later(failed(4))],
    ],
    [[started(), assigned(2), end(4, 'cancel', 'ideate'), { ...completed(3), sequence: 5 }]],
  ],
  'a task is assigned before work on it': [
    'order/task',
    [
      [started(), claimed(2, 'x')],
      [started(), completed(2)],
      [started(), failed(2)],
      [started(), progressed(2)],
    ],
    [
      [started(), assigned(2), claimed(3, 'x'), progressed(4), completed(5)],
      [started(), patched(2, { tasks: [{ id: 'a', title: 'T' }] }), completed(3)],
    ],
  ],
  'no work on a task that has ended': [
    'order/task',
    [
      [started(), assigned(2), completed(3), completed(4)],
      [started(), assigned(2), completed(3), failed(4)],
      [started(), assigned(2), completed(3), claimed(4, 'x')],
    ],
    [
      [started(), assigned(2), failed(3), assigned(4), completed(5)],
      [started(), given(2, 'x'), lost(3, 'x'), given(4, 'x'), done(5, 'x')],
    ],
  ],
};

/** The names of the rules, without the types that they are for. */
const NAMES = [...new Set(RULES.names.map((name) => name.replace(/^[a-z._-]+: /, '')))];

test('each rule has cases, and a row in the table of its page', () => {
  expect(Object.keys(CASES).toSorted()).toEqual(NAMES.toSorted());
  const page = readFileSync('docs/formats/exarchos.md', 'utf8');
  const rows = [...page.matchAll(/^\| ([^|]+) \| ((?:WF-\d{3}|§\d+)[^|]*) \| [^|]+ \|$/gm)];
  expect(rows.map(([, name]) => name ?? '').toSorted()).toEqual(NAMES.toSorted());
});

describe.each(Object.entries(CASES))('the rule is broken and kept: %s', (_, [code, broken, kept]) => {
  const codes = async (events: object[]) =>
    (await verifyEvents(events)).findings.map((finding) => finding.code);

  test.each(broken.map((events, index) => [index, events] as const))('broken %i', async (_index, events) => {
    expect(await codes(events)).toContain(code);
  });
  test.each(kept.map((events, index) => [index, events] as const))('kept %i', async (_index, events) => {
    expect(await codes(events)).not.toContain(code);
  });
});
