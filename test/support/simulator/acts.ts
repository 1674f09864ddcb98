import type { JsonObject } from './canonical.ts';
import { uuid } from './ids.ts';
import { makeDirection } from './plan.ts';
import { recordPrompt } from './prompts.ts';
import { adapter, type Run } from './run.ts';

type Decision = 'allow' | 'audit' | 'veto';

/** Proposes an action and records what governance says to it; returns the candidate's id. */
function govern(run: Run, decision: Decision, enforced: boolean): string {
  const { random, text, counts } = run;
  const candidate = uuid(random, 5);
  const proposed = run.log.append({
    phase: 'action_candidate',
    causedBy: run.cause,
    timed: true,
    payload: {
      schema_version: 'action_candidate/1.0.0',
      action_candidate_id: candidate,
      kind: 'adapter',
      payload: { goal: text.words(3) },
      state_ref: 'state.json',
      state_hash: `sha256:${random.hex(64)}`,
      redaction: { mode: 'none', policy_id: 'redaction.none', policy_version: '1.0.0', field_rules: {} },
    },
  });
  const decided = run.log.append({
    phase: 'governance',
    agent: 'governance',
    causedBy: proposed.id,
    timed: true,
    payload: {
      schema_version: '1.1.0',
      governance_id: `gov-${random.hex(24)}`,
      decision_id: uuid(random, 5),
      decision,
      rule_id: `rules.${decision}.default`,
      score: 0.95,
      message: decision === 'allow' ? 'ok' : text.words(3),
      policy_id: 'governance.rules',
      policy_kind: 'rules',
      policy_version: '1.0.0',
      details: decision === 'allow' ? null : { goal: run.task },
      mode: governanceMode(run),
      failure_policy: 'fail_closed',
      enforced,
    },
  });
  recordPrompt(run, 'governance', 'governance', decided);
  if (decision === 'veto') counts[enforced ? 'vetoes' : 'wouldVetoes'] += 1;
  run.cause = decided.id;
  return candidate;
}

/** The mode that governance runs in: `audit` only watches. */
export function governanceMode(run: Run): 'off' | 'audit' | 'enforce' {
  const { governed } = run.shape;
  if (governed === 'none') return 'off';
  return governed === 'audit' || governed === 'veto-audit' ? 'audit' : 'enforce';
}

/** Records a candidate that governance stops: no act may follow it. */
export function vetoCandidate(run: Run): void {
  if (run.shape.direction) makeDirection(run, { rule_id: 'rules.veto.default', score: 0.95 });
  govern(run, 'veto', true);
}

/** The decision on the next act: where vetoes or audits are asked for, the first act gets one and later ones may. */
function nextDecision(run: Run): Decision {
  const { governed } = run.shape;
  const noticed = governed === 'audit' || governed === 'veto-audit';
  if (!noticed || (run.counts.acts > 0 && run.random.chance(0.5))) return 'allow';
  return governed === 'audit' ? 'audit' : 'veto';
}

/** What an act may carry beyond the fields that every act has. */
function extras(run: Run): JsonObject {
  const { random, text } = run;
  return {
    ...(random.chance(0.2) ? { provenance: { source: 'planner', evidence_ids: ['event:plan:1'] } } : {}),
    ...(random.chance(0.2)
      ? { result_artifacts: [{ type: 'file', uri: `out/${random.int(100)}.txt`, sha256: random.hex(64) }] }
      : {}),
    ...(random.chance(0.2) ? { 'x-trace': { span: random.hex(16), note: text.words(1) } } : {}),
  };
}

/** Records one act on the next step of the plan, after governance where there is any. */
export function makeAct(run: Run): void {
  const { random, text, shape, counts, plan } = run;
  const candidate =
    shape.governed === 'none' ? {} : { action_candidate_id: govern(run, nextDecision(run), false) };
  const failed = shape.failures && (counts.acts === 0 || random.chance(0.3));
  const result_status = failed ? 'error' : 'ok';
  const step = plan.steps[run.actsOfPlan % plan.steps.length];
  const step_id = step === undefined || random.chance(0.05) ? {} : { step_id: step['id'] };
  const reports = 'step_id' in step_id && !random.chance(0.05);
  const step_status = failed ? 'failed' : random.chance(0.1) ? 'running' : 'done';
  counts.acts += 1;
  run.actsOfPlan += 1;
  const id = `act-${counts.acts}`;
  const input_excerpt = text.words(8);
  const action = { kind: 'adapter', tool: adapter, input_excerpt, result_status, ...step_id, ...extras(run) };
  const event = run.log.append({
    phase: 'act',
    agent: adapter,
    causedBy: run.cause,
    timed: true,
    payload: {
      action_id: id,
      ...action,
      outcome: result_status,
      ...candidate,
      ...(reports ? { step_status } : {}),
    },
  });
  if (reports && step !== undefined) step['status'] = step_status;
  run.actions.push({ id, ...action, timestamp: event.timestamp });
  run.cause = event.id;
}

/** Records the roll-up act, which counts as none. */
export function makeSyntheticAct(run: Run): void {
  run.log.append({
    phase: 'act',
    agent: adapter,
    causedBy: run.planId,
    timed: true,
    payload: {
      input_excerpt: run.text.words(3),
      outcome: 'ok',
      adapter,
      reasons: run.plan.steps.map((step) => `step:${String(step['id'])}:${String(step['kind'])}`),
      synthetic: true,
    },
  });
}
