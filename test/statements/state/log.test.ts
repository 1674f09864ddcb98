import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectPlanState, readState } from '../../../src/library/index.ts';
import { noesis } from '../../support/cli.ts';
import { realEpisodes } from '../../support/runtime-episodes.ts';
import { EPISODE, enveloped, event, observe, start, timeOf } from '../events/logs.ts';
import {
  ACTION,
  acted,
  ended,
  LINKS,
  planned,
  projected,
  RUN,
  STATE,
  STEPS,
  stateWith,
  told,
  withOutcomes,
  withPlan,
  writeState,
} from './states.ts';

type Events = readonly Readonly<Record<string, unknown>>[];

const projectedPlan = (...events: Events) => projectPlanState(enveloped(events) as never);
const statuses = (...events: Events) => projectedPlan(...events)?.steps.map(({ status }) => status);
const done = (step: unknown, status: unknown) =>
  event('act', { ...acted.payload, step_id: step, step_status: status });

interface Comparison {
  readonly equal: boolean;
  readonly differences: readonly { readonly path: string }[];
  readonly underivable: readonly string[];
}

/** The answer of `project --diff` about a state. */
async function diff(state: unknown, events: Events = RUN): Promise<Comparison> {
  const { stdout } = await noesis(['project', writeState(state, events), '--diff', '-j']);
  return JSON.parse(stdout) as Comparison;
}

const paths = ({ differences }: Comparison) => differences.map(({ path }) => path);

describe('the plan', () => {
  test('ST-022: is rebuilt from the log alone, and differs from an edited state', async () => {
    expect(await diff(STATE)).toMatchObject({ equal: true, differences: [] });
    expect(projectedPlan(...RUN)).toEqual(STATE.plan);
    expect(paths(await diff(withPlan({ rationale: 'because' })))).toEqual(['plan.rationale']);
  });

  test('ST-015: has the source of the plan event, else its agent', async () => {
    expect(await told(withPlan({ source: 'somebody' }))).toEqual(['error projection/plan plan.source']);
    const { source: _, ...payload } = planned.payload;
    expect(projectedPlan(event('plan', payload, { agent_id: 'planner' }))?.source).toBe('planner');
    expect(await told(withPlan({ source: 7 }))).toContain('error state/schema plan.source');
    // Without a plan event nothing gives a source: its absence is worth a note.
    const idle = stateWith({ plan: { steps: [] }, outcomes: { ...STATE.outcomes, actions: [] } });
    expect(await told(idle, [start, observe, ended, projected()])).toEqual([
      'info state/schema plan.source',
      'info state/schema plan.updated_at',
    ]);
  });

  test('ST-016: has the time of the plan event, in any form, and another time is an error', async () => {
    for (const updated_at of ['2026-03-02T10:00:03+01:00', '2026-03-02T09:00:03.000000+00:00']) {
      expect(await told(withPlan({ updated_at }))).toEqual([]);
      expect(await diff(withPlan({ updated_at }))).toMatchObject({ equal: true });
    }
    expect(await told(withPlan({ updated_at: timeOf(4) }))).toEqual([
      'error projection/plan plan.updated_at',
    ]);
    const timeless = event('plan', planned.payload, { timestamp: undefined });
    const measured = {
      ...timeless,
      metrics: { started_at: timeOf(2), completed_at: timeOf(3), duration_ms: 1000 },
    };
    expect(projectedPlan(start, observe, measured)?.updated_at).toBe(timeOf(3));
    expect(projectedPlan(timeless)).not.toHaveProperty('updated_at');
  });

  test('ST-023: is that of the later of two events', () => {
    const other = event('plan', { step_records: [{ ...STEPS[0], id: 'other' }] });
    expect(projectedPlan(planned, other)?.steps.map(({ id }) => id)).toEqual(['other']);
  });

  test('ST-024: comes from step_records, not from the labels', () => {
    const payload = { steps: ['plan:nothing', 'plan:of', 'plan:this'], step_records: STEPS };
    expect(projectedPlan(event('plan', payload))?.steps).toEqual(STEPS);
  });

  describe('ST-025: comes from labels if there are no records', () => {
    const labelled = event('plan', { ...planned.payload, step_records: undefined });
    const events = RUN.map((one) => (one === planned ? labelled : one));

    test('and what project prints is what is compared', async () => {
      const { stdout } = await noesis(['project', writeState(STATE, events), '-j']);
      expect(JSON.parse(stdout)).toMatchObject({
        plan: {
          steps: [
            { id: 'step-1', kind: 'act', description: 'rotate', status: 'done' },
            { id: 'step-2', kind: 'verify', description: 'look', status: 'pending' },
          ],
        },
      });
      expect(await diff(STATE, events)).toMatchObject({ equal: true, underivable: [] });
    });

    test('and another step, kind, description or status than that of an act is a difference', async () => {
      const [first, second] = STATE.plan.steps;
      for (const [steps, path] of [
        [[first], 'plan.steps[1]'],
        [[first, { ...second, kind: 'act' }], 'plan.steps[1].kind'],
        [[first, { ...second, description: 'x' }], 'plan.steps[1].description'],
        [[{ ...first, status: 'failed' }, second], 'plan.steps[0].status'],
        [[first, { ...second, status: 'skipped' }], 'plan.steps[1].status'],
      ] as const) {
        expect(paths(await diff(withPlan({ steps }), events))).toEqual([path]);
        expect(await told(withPlan({ steps }), events)).toContain(`error projection/plan ${path}`);
      }
      const updated_at = timeOf(9);
      expect(paths(await diff(withPlan({ updated_at }), events))).toEqual(['plan.updated_at']);
      expect(await told(withPlan({ updated_at }), events)).toContain('error projection/plan plan.updated_at');
    });
  });

  test('ST-026: takes the status of a step from the acts after it, the last one wins', () => {
    expect(statuses(planned, done('step-1', 'running'), done('step-1', 'done'))).toEqual(['done', 'pending']);
  });

  test('ST-027: ignores an act without step or status, and one before it', () => {
    for (const one of [done('step-1', undefined), done(undefined, 'done'), done('', 'done')])
      expect(statuses(planned, one)).toEqual(['pending', 'pending']);
    expect(statuses(done('step-1', 'done'), planned)).toEqual(['pending', 'pending']);
  });

  test('ST-028: keeps the status of its record if no act has another', () => {
    const running = event('plan', { step_records: [{ ...STEPS[0], status: 'running' }, STEPS[1]] });
    expect(statuses(running, done('step-2', 'done'))).toEqual(['running', 'done']);
  });

  test('ST-029: is null without a plan event, but not if the plan is empty', async () => {
    expect(projectedPlan(start, observe)).toBeNull();
    expect(projectedPlan(event('plan', { steps: [], step_records: [] }))).toMatchObject({ steps: [] });
    const { stdout } = await noesis(['project', writeState(STATE, [start]), '-j']);
    expect(JSON.parse(stdout)).toMatchObject({ plan: null });
  });
});

describe('actions', () => {
  const made = { ...ACTION, id: 'act-9', tool: 'rm' };

  test('ST-034: each mirrors its act, with its time', async () => {
    expect(await told(withOutcomes({ actions: [{ ...ACTION, timestamp: timeOf(5) }] }))).toEqual([
      'error projection/actions outcomes.actions[0].timestamp',
    ]);
    expect(
      await told(withOutcomes({ actions: [{ ...ACTION, timestamp: '2026-03-02T10:00:04+01:00' }] })),
    ).toEqual([]);
    expect(await told(withOutcomes({ actions: [] }))).toEqual([
      'error projection/actions outcomes.actions[0]',
    ]);
  });

  test('ST-034, EV-066: that no event of the log mentions are errors, with and without other actions', async () => {
    expect(await told(withOutcomes({ actions: [ACTION, made] }))).toEqual([
      'error projection/actions outcomes.actions[1]',
    ]);
    expect(paths(await diff(withOutcomes({ actions: [ACTION, made] })))).toEqual(['outcomes.actions[1]']);
    const idle = RUN.filter((one) => one !== acted);
    const state = {
      ...withPlan({ steps: STEPS }),
      outcomes: { ...STATE.outcomes, actions: [made] },
    };
    expect(await told(state, idle)).toEqual(['error projection/actions outcomes.actions[0]']);
    expect(await diff(state, idle)).toMatchObject({ equal: false });
  });

  test('of tools that run by contract have no acts', async () => {
    const contract = [...RUN.slice(0, 4), event('tool', { invocation_id: 'i' }), ...RUN.slice(4)];
    const replayed = { ...made, result_status: 'replayed' };
    expect(
      (await told(withOutcomes({ actions: [ACTION, replayed] }), contract)).filter(
        (one) => !one.startsWith('info'),
      ),
    ).toEqual([]);
  });
});

describe('what was persisted', () => {
  const resume = event('runtime', { kind: 'run.resume', status: 'resuming' }, { event_type: 'run.resume' });

  test('ST-037: started_at is the time of the start event, after a resume too', async () => {
    const moved = stateWith({ episode: { ...STATE.episode, started_at: timeOf(4) } });
    expect(await told(moved)).toEqual(['error projection/started-at episode.started_at']);
    const resumed = [...RUN.slice(0, 3), resume, ...RUN.slice(3)];
    const actions = [{ ...ACTION, timestamp: timeOf(5) }];
    expect(await told(withOutcomes({ actions }), resumed)).not.toContain(
      'error projection/started-at episode.started_at',
    );
    const reset = { ...withOutcomes({ actions }), episode: { ...STATE.episode, started_at: timeOf(4) } };
    expect(await told(reset, resumed)).toContain('error projection/started-at episode.started_at');
  });

  test('ST-038: parts that no run.state_projection confirms are listed', async () => {
    expect(await told(STATE, RUN.slice(0, -1))).toEqual(['info projection/not-derivable']);
    const { underivable } = await diff(STATE, RUN.slice(0, -1));
    expect(underivable).toEqual(['outcomes', 'links']);
  });

  test('ST-039: outcomes and links of a finished run are those of the last run.state_projection', async () => {
    expect(await told(withOutcomes({ summary: 'all fine' }))).toEqual([
      'error projection/outcomes outcomes.summary',
    ]);
    expect(await told(withOutcomes({ metrics: { score: 0.9 } }))).toEqual([
      'error projection/outcomes outcomes.metrics.score',
    ]);
    expect(await told(stateWith({ links: { ...LINKS, summary: 'other.json' } }))).toEqual([
      'error projection/links links.summary',
    ]);
    const twice = [...RUN.slice(0, 4), projected({ status: 'pending' }, {}), ended, projected()];
    expect((await told(STATE, twice)).filter((one) => !one.startsWith('info'))).toEqual([]);
  });
});

describe('reading', () => {
  test('ST-040, ST-041: the library and plain JSON show the goal, the outcome and the steps', async () => {
    const dir = writeState();
    const state = await readState(dir);
    expect([state.goal.task, state.outcomes.status, state.plan.steps.length]).toEqual([
      'Rotate the keys',
      'ok',
      2,
    ]);
    expect(JSON.parse(readFileSync(join(dir, 'state.json'), 'utf8'))).toEqual(state);
    expect(dir.endsWith(EPISODE)).toBe(true);
    expect((await noesis(['state', dir, '.outcomes.status'])).stdout).toBe('ok\n');
  });

  test('ST-042: reading an episode never writes to it', async () => {
    const dir = realEpisodes().find(({ name }) => name === 'newest/new-meta')?.dir ?? '';
    const files = ['events.jsonl', 'state.json', 'summary.json', 'manifest.json', '.'];
    const stamps = () => files.map((name) => statSync(join(dir, name)).mtimeMs);
    const before = stamps();
    for (const args of [
      ['state', dir],
      ['project', dir, '--diff'],
      ['verify', dir],
      ['events', dir],
    ])
      expect((await noesis(args)).code).toBe(0);
    expect(stamps()).toEqual(before);
  });
});
