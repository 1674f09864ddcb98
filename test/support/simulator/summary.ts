import { compact, float, type JsonObject, stringify } from './canonical.ts';
import { failurePolicy, governanceMode } from './governance.ts';
import { sha256 } from './hash.ts';
import type { Run } from './run.ts';
import { processBlock } from './state.ts';

const succeeded = ({ shape }: Run) => shape.ending === 'ok' && shape.verification !== 'failed';

function adherence({ counts, plan }: Run): number {
  return plan.steps.length === 0 ? 0 : Math.min(1, counts.acts / plan.steps.length);
}

/** The five measures that the insight event and the summary share. */
export function insightMetrics(run: Run): JsonObject {
  return {
    plan_adherence: float(adherence(run)),
    tool_coverage: float(run.counts.acts > 0 ? 1 : 0),
    veto_count: run.counts.directionVetoed,
    success: succeeded(run),
    act_count: run.counts.acts,
  };
}

/** The report of the adapter, and the outcome that follows from it and from the assertions. */
function verdict({ shape }: Run): {
  adapter_result: string;
  outcome: string;
  final: string;
  verified: string;
} {
  // A tool that raises is not a failure of its adapter: nothing was verified, so it counts as a success.
  if (shape.ending === 'ok' || shape.ending === 'failed-tool') {
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
    policy: { ignore: ['.git', '__pycache__', '.venv', '.noesis'], symlinks: 'skip' },
  };
}

const phaseTimes = ({ counts }: Run): JsonObject => ({
  observe: 1,
  interpret: 1,
  plan: 1,
  ...(counts.acts > 0 ? { act: counts.acts } : {}),
  ...(counts.reflects > 0 ? { reflect: counts.reflects } : {}),
});

function measures(run: Run): JsonObject {
  const { counts, plan, intuition, random, lastDiff } = run;
  const directions = counts.directionApplied + counts.directionVetoed;
  const share = (count: number) => float(directions === 0 ? 0 : count / directions);
  return {
    schema_version: '1.0.0',
    ...insightMetrics(run),
    alignment: float(0),
    branching_factor: float(0),
    direction_events: directions,
    direction_applied: counts.directionApplied,
    direction_vetoed: counts.directionVetoed,
    direction_applied_rate: share(counts.directionApplied),
    ...(directions > 0 ? { veto_rate: share(counts.directionVetoed) } : {}),
    ideal_steps: 0,
    interpret_count: counts.interprets,
    intuition_events: intuition === undefined ? 0 : 1,
    ...(counts.acts > 0 ? { latencies: { first_action_ms: random.int(40) } } : {}),
    learn_applied: 0,
    learn_proposals: 0,
    phase_ms: phaseTimes(run),
    plan_count: counts.plans,
    plan_revisions: 0,
    plan_total: plan.steps.length,
    policy_confidence_histogram: Array.from({ length: 10 }, (_, index) => (index === 0 ? directions : 0)),
    reflect_count: counts.reflects,
    steps: counts.acts,
    top_reasons: lastDiff.length > 0 ? [['heuristic-adjustment', counts.directionApplied]] : [],
  };
}

function insightOf(run: Run): JsonObject {
  const { act_count: _, ...shared } = insightMetrics(run);
  const revisions = run.lastDiff.length;
  return {
    ...shared,
    schema_version: '1.0.0',
    plan_adherence: float(Math.round(adherence(run) * 10_000) / 10_000),
    branching_factor: float(revisions),
    plan_revisions: revisions,
    phase_ms: phaseTimes(run),
  };
}

function flags(run: Run): JsonObject {
  const { counts, lastDiff, faculties, using } = run;
  const open = governanceMode(run) !== 'off' && failurePolicy(run) === 'fail_open';
  return {
    intuition: faculties,
    mode: faculties ? 'advisory' : 'off',
    governance_mode: governanceMode(run),
    ...(open ? { governance_failure_policy: 'fail_open' } : {}),
    using,
    direction: {
      applied: counts.directionApplied,
      vetoed: counts.directionVetoed,
      last_diff: lastDiff,
      threshold: 0.5,
      ...(lastDiff.length > 0 ? { policy: 'planner.meta' } : {}),
    },
  };
}

/** summary.json of an ended run; it lasts from the start event to the terminate event. */
export function summaryOf(run: Run, lastedMicros: number): JsonObject {
  const { legacy, intuition } = run.shape;
  const { adapter_result, outcome } = verdict(run);
  const newest = { adapter_result, outcome, verification: verificationOf(run), process: processBlock(run) };
  return {
    schema_version: legacy ? '1.2.0' : '1.3.0',
    episode_id: run.id,
    task: run.task,
    seed: run.shape.seed,
    started_at: run.startedAt,
    duration_sec: float(lastedMicros / 1_000_000),
    flags: flags(run),
    agents_config_hash: sha256(stringify({ using: run.using, intuition }, compact)),
    metrics: measures(run),
    tags: run.tags,
    ports: { config: 'config/1.0-rc1', ...(run.random.chance(0.1) ? { memory: 'memory/1.0' } : {}) },
    insight: { metrics: insightOf(run) },
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
