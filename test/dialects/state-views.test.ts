import { describe, expect, test } from 'vitest';
import { coordinator } from '../../src/dialects/coordinator/index.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { exarchos } from '../../src/dialects/exarchos/index.ts';
import { fishbowl } from '../../src/dialects/fishbowl/index.ts';
import { plain } from '../../src/show/render/style.ts';
import { renderView } from '../../src/show/render/view.ts';
import { log as coordinated, happened, project as projectPlan, start } from './coordinator/logs.ts';
import { ledger, project as projectLedger, RUN, say, started } from './fishbowl/ledgers.ts';

const viewed = async (dialect: Dialect, state: unknown, origin: 'stored' | 'projected') =>
  (await dialect.stateView?.(state, origin)) ?? [];

async function shown(dialect: Dialect, state: unknown, origin: 'stored' | 'projected'): Promise<string> {
  const view = await viewed(dialect, state, origin);
  return renderView(view, { style: plain, width: 90, cutWidth: Number.POSITIVE_INFINITY, zone: 'utc' });
}

describe('a coordinator', () => {
  const STORED = {
    session_id: 's2',
    previous_session_id: 's1',
    session_resume_count: 1,
    plan_file: 'p.md',
    infrastructure_issue: 'no disk',
    saved_at: '2026-01-17T09:00:00Z',
    in_progress_tasks: [
      { task_id: '3', status: 'awaiting_guidance', agent_id: 'dev-3', dispatched_at: '2026-01-17T08:00:00Z' },
    ],
    completed_tasks: ['1', { task_id: '2' }, 7],
    available_tasks: { 5: {}, 6: {} },
    pending_critique: [{ id: '8' }],
    pending_audit: [],
    blocked_tasks: { 9: ['3', '5'] },
  };

  test('stores its tasks by status', async () => {
    expect(await shown(coordinator, STORED, 'stored')).toMatchInlineSnapshot(`
      "Session    s2
      Before     s1
      Resumes    1
      Plan       p.md
      Blocked by no disk
      Saved      2026-01-17 09:00:00 UTC

      In progress
        TASK  STATUS             AGENT  SINCE
        3     awaiting_guidance  dev-3  2026-01-17 08:00:00 UTC

      Complete
        1, 2, 7

      Available
        5, 6

      Waiting for review
        8

      Blocked
        TASK  WAITS FOR
        9     3, 5
      "
    `);
  });

  test('shows why it is blocked, and who was asked', async () => {
    const events = [
      start,
      happened('developer_dispatched', { task_id: '1', agent_id: 'dev-1', blocked_by: [] }),
      happened('expert_created', { agent_id: 'exp-1', name: 'sql', domain: 'databases' }),
      happened('expert_complete', { agent_id: 'exp-1', run_id: 'r' }),
      happened('agent_seeks_guidance', { task_id: '1', agent_id: 'dev-1', question: 'drop it?' }),
      happened('agent_seeks_guidance', { task_id: '2', agent_id: 'dev-2', question: 'why?' }),
      happened('divine_response_received', { task_id: '2', question: 'why?', response: 'because' }),
      happened('infrastructure_blocked', { agent_id: 'dev-1', issue_type: 'disk full', blocked_tasks: [] }),
      happened('remediation_dispatched', { agent_id: 'rem-1', attempt_number: 2 }),
    ];
    const { value } = projectPlan(coordinated(events));
    expect(await shown(coordinator, value, 'projected')).toMatchInlineSnapshot(`
      "Plan      p.md

      Tasks
        TASK  STATUS             AGENT  SENT  SINCE
        1     awaiting_guidance  dev-1  1     2026-01-17 09:00:04 UTC
        2     available          dev-2  0     2026-01-17 09:00:06 UTC

      Sessions
        SESSION  EVENTS  END   STARTED
        s1       9       open  2026-01-17 09:00:00 UTC

      Experts
        EXPERT  DONE  FAILED  DOMAIN
        exp-1   1     0       databases

      Infrastructure
      State       blocked
      Issue       disk full
      Reporter    dev-1
      Repaired by rem-1
      Attempt     2

      Questions
        TASK  AGENT  QUESTION  ANSWER
        1     dev-1  drop it?  none yet
        2     dev-2  why?      because
      "
    `);
  });

  test('has an attempt to repair something that no event called blocked', async () => {
    const { value } = projectPlan(coordinated([happened('remediation_dispatched', { attempt_number: 1 })]));
    const view = await viewed(coordinator, value, 'projected');
    expect(view.find(({ title }) => title === 'Infrastructure')?.fields).toEqual([
      { label: 'State', text: 'working', tone: 'good' },
      { label: 'Attempt', text: '1' },
    ]);
  });
});

test('a workflow has its synthesis, and the status of a review', async () => {
  const state = {
    featureId: 'f',
    workflowType: 'oneshot',
    phase: 'cancelled',
    createdAt: '2026-04-01T10:00:00Z',
    updatedAt: '2026-04-01T11:00:00Z',
    oneshot: { synthesisPolicy: 'on-request', synthesisRequested: true },
    synthesis: { integrationBranch: 'main', mergedBranches: ['a', 'b'], prUrl: null },
    tasks: [{ id: 't1', status: 'failed', branch: 'b', title: 'One' }, 'no task'],
    artifacts: { design: 'd.md', plan: null },
    worktrees: { one: { status: 'active' }, two: { path: '/w' } },
    reviews: { spec: 'passed', quality: { status: 7 } },
  };
  expect(await shown(exarchos, state, 'stored')).toMatchInlineSnapshot(`
    "Feature   f
    Type      oneshot
    Phase     cancelled
    Synthesis on-request
    Opted in  yes
    Created   2026-04-01 10:00:00 UTC
    Updated   2026-04-01 11:00:00 UTC

    Tasks
      ID  STATUS  BRANCH  TITLE
      t1  failed  b       One

    Artifacts
      design  d.md

    Worktrees
      one  active
      two  path=/w

    Reviews
      spec     passed
      quality  status=7

    Synthesis
      integration branch  main
      merged              a, b
    "
  `);
  const asked = { oneshot: { synthesisRequested: false } };
  expect(await viewed(exarchos, asked, 'stored')).toEqual([{ fields: [{ label: 'Opted in', text: 'no' }] }]);
});

test("a workflow's view shows what patches have added, without the program's bookkeeping", async () => {
  const state = {
    version: '1.1',
    _events: [1],
    explore: {},
    integration: null,
    planReview: { approved: true },
  };
  expect(await viewed(exarchos, state, 'projected')).toEqual([
    { fields: [] },
    {
      title: 'More',
      table: { columns: [], rows: [[{ text: 'planReview' }, { text: 'approved=true' }]] },
    },
  ]);
});

test('a ledger has runs with and without a winner', async () => {
  const team = {
    run_id: 'team',
    kind: 'run.finished',
    payload: { reason: 'verdict', winner: 'red', winner_kind: 'team', winning_models: ['m1'], turns: 3 },
  };
  const events = [
    ...RUN,
    started('team'),
    team,
    { run_id: 'budget', kind: 'run.finished', payload: { reason: 'budget', winner: null } },
    say({ run_id: 'open' }),
  ];
  const { value } = projectLedger(ledger(events));
  expect(await shown(fishbowl, value, 'projected')).toMatchInlineSnapshot(`
    "Run       r
    Scenario  duel
    Seed      a lighthouse
    End       verdict
    Winner    ann
    Models    m1
    Turns     1
    Tokens    0
    Started   2026-06-01 00:00:00 UTC
    Finished  2026-06-01 00:00:03 UTC

    Cast
      NAME   MODEL
      ann    m1
      bob
      judge

    Scene
      The world wakes around: a lighthouse

    Agents
      ann: hi

    Judge
      ann it is

    Run       team
    Scenario  duel
    Seed      a lighthouse
    End       verdict
    Winner    red (a team)
    Models    m1
    Turns     3
    Tokens    0
    Started   2026-06-01 00:00:04 UTC
    Finished  2026-06-01 00:00:05 UTC

    Cast
      NAME   MODEL
      ann    m1
      bob
      judge

    Scene
      The world wakes around: a lighthouse

    Run       budget
    End       budget
    Turns     0
    Tokens    0
    Finished  2026-06-01 00:00:06 UTC

    Run       open
    End       none in this ledger
    Turns     0
    Tokens    0

    Agents
      ann: hi

    Leaderboard of models
      MODEL  WINS  PLAYS  SHARE
      m1     2     2      100 %

    Leaderboard of duel
      AGENT  WINS  PLAYS  SHARE
      ann    2     2      100 %
      bob    0     2      0 %
      judge  0     2      0 %
    "
  `);
});

test('a row of a leaderboard may lack values', async () => {
  const state = { leaderboard: { model_table: [{ model_endpoint: 'm1', wins: 1, win_rate: 'all' }, 7] } };
  expect(await viewed(fishbowl, state, 'projected')).toMatchObject([
    { table: { rows: [[{ text: 'm1' }, { text: '1' }, { text: '' }, { text: '' }]] } },
  ]);
});

test.each<{ dialect: Dialect; origin: 'stored' | 'projected'; parts: string }>([
  {
    dialect: coordinator,
    origin: 'stored',
    parts: 'in_progress_tasks completed_tasks available_tasks pending_audit blocked_tasks',
  },
  { dialect: coordinator, origin: 'projected', parts: 'tasks sessions experts infrastructure guidance' },
  { dialect: exarchos, origin: 'stored', parts: 'oneshot synthesis tasks artifacts worktrees reviews' },
  { dialect: fishbowl, origin: 'projected', parts: 'runs stage leaderboard' },
])('of a state of $dialect.name, $origin, what is not as it should be is left out', async (one) => {
  const { dialect, origin, parts } = one;
  const nothing = await viewed(dialect, {}, origin);
  for (const odd of [null, 7, 'text', [], [null, 7]])
    expect([odd, await viewed(dialect, odd, origin)]).toEqual([odd, nothing]);
  for (const part of parts.split(' '))
    for (const odd of [null, 7, []])
      expect([part, odd, await viewed(dialect, { [part]: odd }, origin)]).toEqual([part, odd, nothing]);
});

test('of a fishbowl cast only seats are shown, and invalid ones are left out', async () => {
  const state = { run_id: 'r', cast: { ann: { model_endpoint: 'm1' }, bob: 'm2' } };
  const sections = await viewed(fishbowl, { runs: [state], stage: { run: state } }, 'projected');
  expect(JSON.stringify(sections)).not.toContain('m2');
  expect(sections).toContainEqual(
    expect.objectContaining({
      title: 'Cast',
      table: expect.objectContaining({ rows: [[{ text: 'ann' }, { text: 'm1' }, expect.anything()]] }),
    }),
  );
});
