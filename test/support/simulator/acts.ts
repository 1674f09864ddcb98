import { float, type JsonObject } from './canonical.ts';
import { rulingFor } from './governance.ts';
import type { Run } from './run.ts';
import { writeState } from './state.ts';

/** Optional fields of an act that no real episode has. Older runtimes did not know them. */
function extras(run: Run): JsonObject {
  const { random, text } = run;
  if (run.shape.script || run.shape.legacy) return {};
  return {
    ...(random.chance(0.1) ? { provenance: { source: 'planner', evidence_ids: ['event:plan:1'] } } : {}),
    ...(random.chance(0.1)
      ? { result_artifacts: [{ type: 'file', uri: `out/${random.int(100)}.txt`, sha256: random.hex(64) }] }
      : {}),
    ...(random.chance(0.1) ? { 'x-trace': { span: random.hex(16), note: text.words(1) } } : {}),
  };
}

/** The step of an act. A tool works on the last step, and reports no status. */
function stepOf(run: Run, failed: boolean) {
  const { random, shape, plan } = run;
  if (shape.adapter === 'tool') return { step: plan.steps.at(-1), status: undefined };
  const step = plan.steps[run.actsOfPlan % plan.steps.length];
  if (shape.script) return { step, status: failed ? 'failed' : 'done' };
  if (step === undefined || random.chance(0.05)) return { step: undefined, status: undefined };
  const status = failed ? 'failed' : random.chance(0.1) ? 'running' : 'done';
  return { step, status: random.chance(0.05) ? undefined : status };
}

function fails({ shape, counts, random }: Run): boolean {
  if (shape.ending === 'failed-tool') return true;
  return shape.failures && (counts.acts === 0 || (!shape.script && random.chance(0.3)));
}

/** Sets the status of a run after its last act. The outcome of a tool is that of the run. */
function conclude(run: Run): void {
  const { shape } = run;
  if (shape.adapter === 'tool') {
    const failed = shape.ending === 'failed-tool';
    const summary = failed ? 'tool exploded: connection refused' : run.text.words(3);
    run.outcomes = {
      status: failed ? 'error' : 'ok',
      summary,
      metrics: { success: float(failed ? 0 : 1) },
    };
  } else if (shape.ending === 'ok') {
    const metrics = { task_score: 0.75, goal_success: 0.8, efficiency: 0.7 };
    const summary = `Completed ${run.counts.acts} minimal steps.`;
    run.outcomes = { status: 'ok', summary, metrics };
  }
}

/** Records one act on the next step of the plan, after governance if there is any. */
export function makeAct(run: Run): void {
  const { text, counts, adapter, shape } = run;
  const failed = fails(run);
  const { step, status } = stepOf(run, failed);
  const ruling = rulingFor(run, step);
  counts.acts += 1;
  run.actsOfPlan += 1;
  const id = `act-${counts.acts}`;
  const action = {
    kind: 'adapter',
    tool: adapter,
    input_excerpt:
      shape.adapter === 'tool' ? run.task : String((shape.script && step?.['description']) ?? text.words(8)),
    result_status: failed ? 'error' : 'ok',
    ...(step && { step_id: step['id'] }),
    ...(ruling && !shape.legacy && { 'x-action_candidate_id': ruling.candidate }),
    ...extras(run),
  };
  const event = run.log.append({
    phase: 'act',
    agent: adapter,
    causedBy: ruling?.event.id ?? run.cause,
    timed: true,
    payload: {
      action_id: id,
      ...action,
      outcome: action.result_status,
      ...(ruling && { action_candidate_id: ruling.candidate }),
      ...(status !== undefined && { step_status: status }),
    },
  });
  if (step !== undefined && status !== undefined) step['status'] = status;
  run.actions.push({ id, ...action, timestamp: event.timestamp });
  run.cause = event.id;
  if (counts.acts === shape.acts) conclude(run);
  if (!shape.legacy) writeState(run);
}

/** The reasons for the outcome, in the roll-up act and the reflection. */
export function reasons({ shape, plan }: Run): string[] {
  if (shape.adapter === 'tool') return [shape.ending === 'failed-tool' ? 'adapter_error' : 'adapter_ok'];
  return plan.steps.map((step) => `step:${String(step['id'])}:${String(step['kind'])}`);
}

/** Records the roll-up act, which counts as none. */
export function makeSyntheticAct(run: Run): void {
  run.log.append({
    phase: 'act',
    agent: run.adapter,
    causedBy: run.rollUpCause,
    timed: { since: run.workMicros },
    payload: {
      input_excerpt: String(run.plan.steps[0]?.['description'] ?? run.task),
      outcome: run.shape.ending === 'failed-tool' ? 'error' : 'ok',
      adapter: run.adapter,
      reasons: reasons(run),
      synthetic: true,
    },
  });
}
