import { mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { verifyEpisode } from '../../../src/library/verify.ts';
import { tempDir, writeSettled } from '../../support/temp.ts';
import { EPISODE, event, observe, start, textOf, timeOf } from '../events/logs.ts';

type Parts = Readonly<Record<string, unknown>>;

export const STEPS = [
  { id: 'step-1', kind: 'act', description: 'rotate', status: 'pending' },
  { id: 'step-2', kind: 'verify', description: 'look', status: 'pending' },
];
export const planned = event('plan', {
  steps: ['act:rotate', 'verify:look'],
  step_records: STEPS,
  source: 'planner.minimal',
  rationale: 'why',
});
export const acted = event('act', {
  action_id: 'act-1',
  kind: 'tool',
  tool: 'vault',
  input_excerpt: 'rotate',
  outcome: 'ok',
  result_status: 'ok',
  step_id: 'step-1',
  step_status: 'done',
});
export const ended = event('terminate', { status: 'ok' });
export const LINKS = {
  events: 'events.jsonl',
  learn: 'learn.jsonl',
  summary: 'summary.json',
  manifest: 'manifest.json',
};
export const projected = (outcomes: Parts = OUTCOME, links: Parts = LINKS) =>
  event(
    'runtime',
    { kind: 'run.state_projection', status: outcomes['status'], outcomes, links },
    { event_type: 'run.state_projection' },
  );
const OUTCOME = { status: 'ok', summary: 'done', metrics: { score: 0.5 } };

/** A run from its start to its end: a plan on line 3, an act on line 4, and the state that was persisted. */
export const RUN = [start, observe, planned, acted, ended, projected()];

export const ACTION = {
  id: 'act-1',
  kind: 'tool',
  tool: 'vault',
  input_excerpt: 'rotate',
  result_status: 'ok',
  step_id: 'step-1',
  timestamp: timeOf(4),
};

/** The state of {@link RUN}. */
export const STATE = {
  version: '1.0',
  state_schema_version: '1.0.0',
  episode: { id: EPISODE, seed: 7, started_at: timeOf(1), tags: {}, using: 'core.minimal' },
  goal: { task: 'Rotate the keys', type: 'task' },
  beliefs: [{ statement: 's', confidence: 0.5, provenance: 'p', timestamp: timeOf(2) }],
  plan: {
    steps: [{ ...STEPS[0], status: 'done' }, STEPS[1]],
    source: 'planner.minimal',
    updated_at: timeOf(3),
    rationale: 'why',
  },
  memory: { facts: [{ key: 'k', value: null, type: 'note' }], scratchpad: '' },
  outcomes: { ...OUTCOME, actions: [ACTION] },
  links: LINKS,
};

/** A state with some parts replaced; undefined parts are removed. */
export const stateWith = (parts: Parts): Parts => ({ ...STATE, ...parts });

export const withPlan = (parts: Parts): Parts => stateWith({ plan: { ...STATE.plan, ...parts } });
export const withOutcomes = (parts: Parts): Parts => stateWith({ outcomes: { ...STATE.outcomes, ...parts } });

/** A step of the plan otherwise, in the log as well. */
export function withStep(parts: Parts): { readonly state: Parts; readonly events: readonly Parts[] } {
  const second = { ...STEPS[1], ...parts };
  const events = RUN.map((one) =>
    one === planned ? event('plan', { ...planned.payload, step_records: [STEPS[0], second] }) : one,
  );
  return { state: withPlan({ steps: [STATE.plan.steps[0], second] }), events };
}

/** Writes an episode with this state and this log, and gives its folder. */
export function writeState(state: unknown = STATE, events: readonly Parts[] = RUN): string {
  const dir = join(tempDir(), EPISODE);
  mkdirSync(dir, { recursive: true });
  writeSettled(join(dir, 'events.jsonl'), textOf(events));
  writeSettled(join(dir, 'state.json'), typeof state === 'string' ? state : JSON.stringify(state));
  writeSettled(join(dir, 'learn.jsonl'), '');
  const past = new Date(Date.now() - 60_000);
  utimesSync(dir, past, past);
  return dir;
}

/** Findings that are not about the state: the episode is not sealed, and the run has not ended. */
const BESIDE = ['seal/missing', 'order/terminate-missing'];

/** The findings about a state, as `severity code path`. */
export async function told(state: unknown = STATE, events: readonly Parts[] = RUN): Promise<string[]> {
  const { findings } = await verifyEpisode(writeState(state, events));
  return findings
    .filter(({ code }) => !BESIDE.includes(code))
    .map(({ severity, code, path }) => `${severity} ${code}${path === undefined ? '' : ` ${path}`}`);
}
