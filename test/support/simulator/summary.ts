import { governanceMode } from './acts.ts';
import { compact, float, type JsonObject, stringify } from './canonical.ts';
import { sha256 } from './hash.ts';
import { type Run, using } from './run.ts';
import { processBlock } from './state.ts';

const succeeded = ({ shape }: Run) => shape.ending === 'ok' && shape.verification !== 'failed';

/** The scores that the outcomes of an ended run carry. */
export const terminalMetrics = (run: Run): JsonObject =>
  succeeded(run)
    ? { task_score: 0.75, goal_success: 0.8, efficiency: 0.7 }
    : { task_score: float(0), goal_success: float(0), efficiency: float(0) };

/** The five measures that the insight event and the summary share. */
export function insightMetrics(run: Run): JsonObject {
  const { steps } = run.plan;
  const done = steps.filter((step) => step['status'] === 'done').length;
  return {
    plan_adherence: float(steps.length === 0 ? 0 : done / steps.length),
    tool_coverage: float(run.counts.acts > 0 ? 1 : 0),
    veto_count: run.counts.vetoes,
    success: succeeded(run),
    act_count: run.counts.acts,
  };
}

/** What the adapter reports, and what that and the assertions make of the run. */
function verdict({ shape }: Run): {
  adapter_result: string;
  outcome: string;
  final: string;
  verified: string;
} {
  if (shape.ending === 'ok') {
    const final = shape.verification === 'failed' ? 'failed' : 'success';
    const outcome = { none: 'success_unverified', passed: 'success', failed: 'goal_not_achieved' }[
      shape.verification
    ];
    const verified = shape.verification === 'none' ? 'unverified' : 'verified';
    return { adapter_result: 'success', outcome, final, verified };
  }
  const adapter_result = shape.ending === 'error' ? 'error' : 'skipped';
  const final = shape.ending === 'vetoed' ? 'vetoed' : 'error';
  return { adapter_result, outcome: 'error', final, verified: 'not_applicable' };
}

function verificationOf({ shape }: Run): JsonObject {
  const provided = shape.verification !== 'none';
  const passed = provided ? shape.verification === 'passed' : null;
  return {
    provided,
    passed,
    assertions: provided ? [{ name: 'file_exists', passed, target: 'out/report.txt' }] : [],
    workspace_diff: null,
    snapshots: null,
    policy: { ignore: [], symlinks: 'skip' },
  };
}

/** summary.json of an ended run; it lasts from the start event to the terminate event. */
export function summaryOf(run: Run, lastedMicros: number): JsonObject {
  const { shape, counts } = run;
  const { legacy, intuition } = shape;
  const { adapter_result, outcome } = verdict(run);
  const newest = { adapter_result, outcome, verification: verificationOf(run), process: processBlock(run) };
  const metrics = insightMetrics(run);
  return {
    schema_version: legacy ? '1.2.0' : '1.3.0',
    episode_id: run.id,
    task: run.task,
    seed: shape.seed,
    started_at: run.startedAt,
    duration_sec: float(lastedMicros / 1_000_000),
    flags: {
      intuition,
      mode: intuition ? 'advisory' : 'off',
      governance_mode: governanceMode(run),
      governance_failure_policy: shape.governed === 'none' ? 'fail_open' : 'fail_closed',
      using,
      direction: {
        applied: counts.directionApplied,
        vetoed: counts.directionVetoed,
        last_diff: [],
        threshold: 0.5,
      },
    },
    agents_config_hash: sha256(stringify({ using, intuition }, compact)),
    metrics: {
      ...metrics,
      plan_count: counts.plans,
      would_veto_count: counts.wouldVetoes,
      direction_events: counts.directionApplied + counts.directionVetoed,
      direction_applied: counts.directionApplied,
      direction_vetoed: counts.directionVetoed,
    },
    tags: run.tags,
    ports: { config: 'config/1.0-rc1' },
    insight: { metrics },
    manifest: { path: 'manifest.json' },
    ...(legacy ? {} : newest),
  };
}

/** final.json: the seal. */
export function finalOf(run: Run, finalizedAt: string): JsonObject {
  const { final, verified } = verdict(run);
  return {
    schema_version: 'final/2.0.0',
    episode_id: run.id,
    process_id: run.process.id,
    run_index: run.process.runIndex,
    finalized_at: finalizedAt,
    outcome: final,
    verification_status: verified,
  };
}
