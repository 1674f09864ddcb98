import { document, indented, type JsonObject, stringify } from './canonical.ts';
import type { Logged } from './events.ts';
import { adapter, type Run, using } from './run.ts';

/** How a run stands, in state.json's words. */
export interface Outcomes {
  readonly status: 'ok' | 'error' | 'vetoed' | 'aborted' | 'partial' | 'pending';
  readonly summary: string | null;
  readonly metrics: JsonObject;
}

/** The process a run belongs to, as state.json and summary.json name it. */
export const processBlock = ({ process }: Run): JsonObject => ({
  id: process.id,
  name: process.name,
  run_index: process.runIndex,
  kind: 'oneshot',
});

// Keys are in the order of the older writer, which did not sort them.
function stateOf(run: Run, outcomes: Outcomes, links: JsonObject): JsonObject {
  const { legacy, seed } = run.shape;
  return {
    version: '1.0',
    state_schema_version: '1.0.0',
    episode: {
      id: run.id,
      seed,
      started_at: run.startedAt,
      tags: run.tags,
      using: legacy ? adapter : using,
      intuition_mode: legacy ? undefined : 'advisory',
    },
    goal: { task: run.task, type: 'task' },
    beliefs: run.beliefs,
    plan: { ...run.plan },
    memory: { facts: run.facts, scratchpad: '' },
    outcomes: {
      status: outcomes.status,
      summary: outcomes.summary,
      actions: run.actions,
      metrics: outcomes.metrics,
    },
    links,
    process: legacy ? undefined : processBlock(run),
  };
}

/** Writes state.json and records its projection, so that the log alone can prove it. */
export function settleState(run: Run, outcomes: Outcomes, lifecycle: 'open' | 'ended'): Logged {
  const sealable = lifecycle === 'ended' ? { summary: 'summary.json', manifest: 'manifest.json' } : {};
  const links = { events: 'events.jsonl', learn: 'learn.jsonl', ...sealable };
  const state = stateOf(run, outcomes, links);
  run.files.set('state.json', run.shape.legacy ? Buffer.from(stringify(state, indented)) : document(state));
  return run.log.append({
    phase: 'runtime',
    eventType: 'run.state_projection',
    causedBy: run.log.last.id,
    payload: { kind: 'run.state_projection', status: outcomes.status, outcomes: { ...outcomes }, links },
  });
}
