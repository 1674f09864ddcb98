import { document, indented, type JsonObject, stringify } from './canonical.ts';
import type { Run } from './run.ts';

/** The process a run belongs to, as state.json and summary.json name it. */
export const processBlock = ({ process }: Run): JsonObject => ({
  id: process.id,
  name: process.name,
  run_index: process.runIndex,
  kind: 'oneshot',
});

/** The state as it is now, which the file may lag behind. Keys are in the order of the older writer, which did not sort them. */
export function stateOf(run: Run): JsonObject {
  const { shape, outcomes } = run;
  return {
    version: '1.0',
    state_schema_version: '1.0.0',
    episode: {
      id: run.id,
      seed: shape.seed,
      started_at: run.startedAt,
      tags: run.tags,
      using: shape.legacy ? run.adapter : run.using,
      intuition_mode: shape.legacy ? undefined : 'advisory',
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
    links: run.links,
    process: shape.legacy ? undefined : processBlock(run),
  };
}

/** Writes state.json: at the start of a run, after each act, and where it pauses or ends. */
export function writeState(run: Run): void {
  run.disk.replace('state.json', () =>
    run.shape.legacy ? Buffer.from(stringify(stateOf(run), indented)) : document(stateOf(run)),
  );
}

/** Logs the status of the run, so that the log alone can prove the state. The published core does not do this. */
export function projectState(run: Run): void {
  if (run.shape.core === 'published') return;
  const { outcomes, links } = run;
  run.log.append({
    phase: 'runtime',
    eventType: 'run.state_projection',
    causedBy: run.log.last.id,
    payload: { kind: 'run.state_projection', status: outcomes.status, outcomes: { ...outcomes }, links },
  });
}
