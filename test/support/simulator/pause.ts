import { compact, document, stringify } from './canonical.ts';
import { isoTime } from './clock.ts';
import { sha256 } from './hash.ts';
import type { Run } from './run.ts';
import { projectState, writeState } from './state.ts';

/** The checkpoint of a paused run. */
export interface Standstill {
  readonly checkpoint_id: string;
  readonly event_offset: number;
}

/** The files that a checkpoint covers, in the order of its digest. */
const vouchedFor = ['events.jsonl', 'prompts.jsonl', 'state.json', 'summary.json', 'learn.jsonl'];

function artifactDigest({ disk }: Run): string {
  const files = vouchedFor.flatMap((name) => {
    const digest = disk.digest(name);
    return digest === undefined ? [] : [{ name, ...digest }];
  });
  return sha256(stringify({ files, schema_version: 'checkpoint_artifact_digest/1.0.0' }, compact));
}

/** Records that the run is interrupted; `cause` is the event that stopped it. */
export function interrupt({ log }: Run, reason: string, cause: string): void {
  log.append({
    phase: 'runtime',
    eventType: 'run.interrupt',
    causedBy: cause,
    payload: { kind: 'run.interrupt', status: 'interrupted', reason },
  });
}

/** Pauses the run at a checkpoint: the file covers everything so far, the event comes after it. */
export function checkpoint(run: Run): Standstill {
  const { log, random, disk, clock } = run;
  const checkpoint_id = `chk_${random.hex(12)}`;
  const checkpoint_path = `checkpoints/${checkpoint_id}/checkpoint.json`;
  const standstill = { checkpoint_id, event_offset: log.count };
  const record = {
    schema_version: 'checkpoint/1.0.0',
    run_id: run.id,
    ...standstill,
    created_at: isoTime(clock.blink()),
    last_event_id: log.last.id,
    state_hash: disk.digest('state.json')?.sha256,
    artifact_manifest_hash: artifactDigest(run),
    adapter_label: run.using,
  };
  disk.replace(checkpoint_path, () => document(record));
  log.append({
    phase: 'runtime',
    eventType: 'run.checkpoint',
    causedBy: log.last.id,
    payload: { kind: 'run.checkpoint', status: 'paused', ...standstill, checkpoint_path },
  });
  return standstill;
}

/** Pauses as the runtime does after a veto: writes the checkpoint before the state that names it. */
export function pauseOnVeto(run: Run, reason: string): Standstill {
  interrupt(run, reason, run.cause);
  const standstill = checkpoint(run);
  run.disk.append('learn.jsonl', '');
  const summary = `${reason} (paused at checkpoint ${standstill.checkpoint_id})`;
  run.outcomes = { status: 'partial', summary, metrics: {} };
  run.links = { events: 'events.jsonl', learn: 'learn.jsonl' };
  writeState(run);
  projectState(run);
  return standstill;
}

/** Resumes the run. */
export function resume(run: Run, standstill: Standstill): void {
  run.log.append({
    phase: 'runtime',
    eventType: 'run.resume',
    causedBy: run.log.last.id,
    payload: { kind: 'run.resume', status: 'resuming', ...standstill, resume_strategy: 'same_run_id' },
  });
}

/**
 * Continues in another process, which has read the state back. It lost the details of the steps, governance and intuition,
 * and has only the bare name of the adapter. No new plan event records this.
 */
export function readBack(run: Run): void {
  const { plan, log } = run;
  run.plan = {
    source: 'planner.resume',
    updated_at: isoTime(run.clock.tick()),
    ...(plan.rationale === undefined ? {} : { rationale: plan.rationale }),
    steps: plan.steps.map(({ rationale: _, inputs: __, outputs: ___, depends_on: ____, ...kept }) => kept),
  };
  run.adapter = run.using;
  run.faculties = false;
  run.ruling = undefined;
  run.cause = run.reflectCause = run.rollUpCause = log.last.id;
}
