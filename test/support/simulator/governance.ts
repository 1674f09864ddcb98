import { float, type JsonObject } from './canonical.ts';
import { candidateId, governanceId, idInEpisode, stateHash } from './content-ids.ts';
import { blockDirection } from './plan.ts';
import type { Ruling, Run } from './run.ts';

type Decision = 'allow' | 'audit' | 'veto';

/** The mode that governance runs in: `audit` only watches. */
export function governanceMode(run: Run): 'off' | 'audit' | 'enforce' {
  const { governed } = run.shape;
  if (governed === 'none' || !run.faculties) return 'off';
  return governed === 'audit' || governed === 'veto-audit' ? 'audit' : 'enforce';
}

/** Whether the runtime continues if governance itself fails, as stated in its events. */
export function failurePolicy(run: Run): 'fail_open' | 'fail_closed' {
  return run.shape.governed === 'failing' || governanceMode(run) === 'audit' ? 'fail_open' : 'fail_closed';
}

/** The proposed action, and the state in which it is judged. */
function proposal(run: Run, step: JsonObject | undefined): JsonObject {
  const { shape, adapter, task } = run;
  const aboutStep = step && {
    plan_step_id: step['id'],
    plan_step_kind: step['kind'],
    plan_step_description: step['description'],
  };
  return {
    schema_version: 'action_candidate/1.0.0',
    kind: 'adapter',
    payload: {
      adapter_label: adapter,
      goal: task,
      ...aboutStep,
      // Each act has a separate candidate.
      ...(shape.governedEach ? { act: run.counts.acts + 1, share: 0.25, sure: float(1) } : {}),
    },
    provenance: { adapter, ...(step && { plan_step_id: step['id'] }) },
    redaction: {
      mode: 'hash_only',
      policy_id: 'redact.default',
      policy_version: '1.0.0',
      field_rules: {},
    },
    state_ref: 'state.json',
    state_hash: stateHash({
      episode_id: run.id,
      seed: shape.seed,
      task,
      adapter_label: adapter,
      plan: run.plan.steps,
    }),
  };
}

/** Records a candidate, and returns its id. */
export function propose(run: Run, payload: JsonObject): string {
  const action_candidate_id = candidateId(run.id, payload);
  const { id } = run.log.append({
    phase: 'action_candidate',
    agent: run.adapter,
    causedBy: run.cause,
    payload: { ...payload, action_candidate_id },
  });
  run.cause = id;
  return action_candidate_id;
}

const rulings = {
  allow: { rule_id: 'rules.allow.default', score: 0.1, message: '' },
  audit: { rule_id: 'rules.audit.review', score: 0.5, message: 'Task wants a second look' },
  veto: { rule_id: 'rules.veto.danger', score: 0.95, message: 'Task flagged as dangerous' },
} as const;

function verdictOf(run: Run, decision: Decision): JsonObject {
  if (run.shape.governed === 'failing') {
    const error = { type: 'RuntimeError', message: 'policy backend down' };
    return {
      decision: 'audit',
      rule_id: 'rule:governance.failure',
      score: float(0),
      message: 'Governance evaluation failed',
      details: { error },
      error,
      policy_id: 'policy:runtime.governance',
    };
  }
  const details: JsonObject = { goal: run.task, ...(decision === 'allow' ? {} : { share: 0.25, n: 3 }) };
  return { decision, ...rulings[decision], details, policy_id: 'governance.rules' };
}

/** Records the decision about the latest candidate. */
export function decide(run: Run, decision: Decision, enforced: boolean): Ruling['event'] {
  const verdict = verdictOf(run, decision);
  const payload: JsonObject = {
    schema_version: '1.1.0',
    decision_id: idInEpisode('governance', run.id, String(verdict['rule_id'])),
    policy_kind: 'rules',
    policy_version: '1.0.0',
    mode: governanceMode(run),
    failure_policy: failurePolicy(run),
    enforced,
    ...verdict,
  };
  const event = run.log.append({
    phase: 'governance',
    agent: String(verdict['policy_id']),
    causedBy: run.cause,
    payload: { ...payload, governance_id: governanceId(payload) },
  });
  run.cause = event.id;
  return event;
}

/** The decision about the next act. If vetoes or audits are requested, the first act gets one and later ones may. */
function nextDecision(run: Run): Decision {
  const { governed } = run.shape;
  const noticed = governed === 'audit' || governed === 'veto-audit';
  if (!noticed || (run.counts.acts > 0 && run.random.chance(0.5))) return 'allow';
  return governed === 'audit' ? 'audit' : 'veto';
}

/** The decision about the next act. Makes it if there is none; undefined without governance. */
export function rulingFor(run: Run, step: JsonObject | undefined): Ruling | undefined {
  if (governanceMode(run) === 'off') return undefined;
  if (run.ruling === undefined || run.shape.governedEach) {
    const candidate = propose(run, proposal(run, run.shape.governedEach ? step : run.plan.steps.at(-1)));
    run.ruling = { candidate, event: decide(run, nextDecision(run), false) };
  }
  return run.ruling;
}

/** Records a candidate that governance stops, so no act may follow it. Returns the message of governance. */
export function vetoCandidate(run: Run): string {
  const { rule_id, message } = rulings.veto;
  if (run.shape.direction && !run.shape.script && run.random.chance(0.5)) blockDirection(run, rule_id);
  propose(run, proposal(run, run.plan.steps.at(-1)));
  decide(run, 'veto', true);
  return message;
}
