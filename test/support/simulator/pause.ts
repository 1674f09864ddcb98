import { compact, document, stringify } from './canonical.ts';
import { sha256 } from './hash.ts';
import { promptLines } from './prompts.ts';
import type { Run } from './run.ts';
import { settleState } from './state.ts';

/** Where a run stands while it is paused. */
interface Standstill {
  readonly checkpoint_id: string;
  readonly event_offset: number;
}

/** The files a checkpoint vouches for, in the order in which they enter its digest. */
const vouchedFor = ['events.jsonl', 'prompts.jsonl', 'state.json', 'summary.json', 'learn.jsonl'];

function artifactDigest(files: ReadonlyMap<string, Uint8Array>): string {
  const listed = vouchedFor.flatMap((name) => {
    const bytes = files.get(name);
    return bytes === undefined ? [] : [{ name, sha256: sha256(bytes), size_bytes: bytes.length }];
  });
  return sha256(stringify({ files: listed, schema_version: 'checkpoint_artifact_digest/1.0.0' }, compact));
}

/** Interrupts the run and leaves it at a checkpoint; `cause` is the event that stopped it. */
export function pause(run: Run, reason: string, cause: string): Standstill {
  const { log, random, files } = run;
  const checkpoint_id = `chk_${random.hex(12)}`;
  const checkpoint_path = `checkpoints/${checkpoint_id}/checkpoint.json`;
  const interrupted = log.append({
    phase: 'runtime',
    eventType: 'run.interrupt',
    causedBy: cause,
    payload: { kind: 'run.interrupt', status: 'interrupted', reason },
  });
  const event_offset = log.count + 1;
  const stopped = log.append({
    phase: 'runtime',
    eventType: 'run.checkpoint',
    causedBy: interrupted.id,
    payload: { kind: 'run.checkpoint', status: 'paused', checkpoint_id, event_offset, checkpoint_path },
  });
  // The digest covers the log only up to the checkpoint, not the projection that follows it.
  const eventsSoFar = log.bytes();
  const summary = `paused at checkpoint ${checkpoint_id}`;
  const settled = settleState(run, { status: 'partial', summary, metrics: {} }, 'open');
  files.set('learn.jsonl', new Uint8Array());
  if (run.prompts.length > 0) files.set('prompts.jsonl', promptLines(run));
  const checkpoint = {
    schema_version: 'checkpoint/1.0.0',
    run_id: run.id,
    checkpoint_id,
    created_at: settled.timestamp,
    event_offset,
    last_event_id: stopped.id,
    state_hash: sha256(files.get('state.json') ?? ''),
    artifact_manifest_hash: artifactDigest(new Map([...files, ['events.jsonl', eventsSoFar]])),
  };
  files.set(checkpoint_path, document(checkpoint));
  return { checkpoint_id, event_offset };
}

/** Takes the run up again where it stands. */
export function resume(run: Run, standstill: Standstill): void {
  const resumed = run.log.append({
    phase: 'runtime',
    eventType: 'run.resume',
    causedBy: run.log.last.id,
    payload: { kind: 'run.resume', status: 'resuming', ...standstill, resume_strategy: 'same_run_id' },
  });
  run.cause = run.reflectCause = resumed.id;
}
