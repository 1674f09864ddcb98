import { document, indented, type JsonObject, stringify, unsorted } from './canonical.ts';
import { manifestBytes } from './manifest.ts';
import { promptLines } from './prompts.ts';
import { adapter, type Run } from './run.ts';
import { settleState } from './state.ts';
import { finalOf, insightMetrics, summaryOf, terminalMetrics } from './summary.ts';

type EndedStatus = 'ok' | 'error' | 'vetoed' | 'aborted';

const messages: Record<EndedStatus, string> = {
  ok: 'completed all steps',
  error: 'adapter failed',
  vetoed: 'action vetoed by governance',
  aborted: 'run aborted by its caller',
};

/** Writes learn.jsonl and returns the ids of its records. */
function learn(run: Run): string[] {
  const ids: string[] = [];
  let lines = '';
  for (let number = 1; number <= run.shape.learnProposals; number++) {
    const policy_id = `policy:${adapter}.${number}`;
    const id = `${policy_id}:${run.id}`;
    const record: JsonObject = {
      schema_version: 'learn/1.0',
      id,
      episode_id: run.id,
      agent_id: 'system',
      timestamp: run.log.last.timestamp,
      payload: {
        id,
        policy_id,
        basis: {
          success: run.shape.ending === 'ok',
          reasons: [run.text.words(2)],
          latencies: {},
          counts: {},
        },
        proposal: [{ key: 'adapter.timeout_s', value: 30 + number }],
        applied: false,
        scope: 'episode',
        ttl: null,
        approval: 'pending',
      },
    };
    ids.push(id);
    lines += `${stringify(record, unsorted)}\n`;
  }
  run.files.set('learn.jsonl', Buffer.from(lines));
  return ids;
}

function recordLearning(run: Run, proposal_ids: string[], reflectId: string | undefined): void {
  if (reflectId === undefined && proposal_ids.length === 0) return;
  run.log.append({
    phase: 'learn',
    causedBy: reflectId,
    payload: {
      learn_path: 'learn.jsonl',
      learn_schema: 'learn/1.0',
      proposal_count: proposal_ids.length,
      proposal_ids,
      applied: false,
      applied_count: 0,
    },
  });
}

/** Ends the run: the runtime's finalisation, in its order. */
export function finish(run: Run, status: EndedStatus, reflectId: string | undefined): void {
  const { log, files, shape } = run;
  // Older runtimes learned before they terminated.
  if (shape.legacy) recordLearning(run, [], reflectId);
  const message = messages[status];
  const terminated = log.append({ phase: 'terminate', payload: { status, message } });
  const proposals = shape.legacy ? [] : learn(run);
  settleState(run, { status, summary: message, metrics: terminalMetrics(run) }, 'ended');
  if (!shape.legacy) recordLearning(run, proposals, reflectId);
  log.append({
    phase: 'insight',
    payload: { summary_path: 'summary.json', metrics: insightMetrics(run) },
  });
  const summary = summaryOf(run, terminated.micros - run.startMicros);
  files.set('summary.json', shape.legacy ? Buffer.from(stringify(summary, indented)) : document(summary));
  const remembered = log.append({
    phase: 'memory',
    agent: 'memory',
    payload: { status: 'skipped', reason: 'port_missing', capability: 'long_term_memory' },
  });
  files.set('events.jsonl', log.bytes());
  if (run.prompts.length > 0) files.set('prompts.jsonl', promptLines(run));
  if (!shape.sealed) return;
  const sealedAt = remembered.timestamp;
  if (!shape.legacy) files.set('final.json', document(finalOf(run, sealedAt)));
  files.set(
    'manifest.json',
    manifestBytes(files, {
      episodeId: run.id,
      createdAt: sealedAt,
      signature: shape.signature,
      legacy: shape.legacy,
    }),
  );
}
