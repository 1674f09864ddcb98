import { document, indented, type JsonObject, stringify, unsorted } from './canonical.ts';
import { isoTime } from './clock.ts';
import { manifestBytes } from './manifest.ts';
import type { Run } from './run.ts';
import { projectState, writeState } from './state.ts';
import { finalOf, insightMetrics, summaryOf } from './summary.ts';

type EndedStatus = 'ok' | 'error' | 'vetoed' | 'aborted';

const proposalId = ({ id, adapter }: Run, number: number) => `policy:${adapter}.${number}:${id}`;

/** The ids of the proposals. */
const proposalIds = (run: Run): string[] =>
  Array.from({ length: run.shape.learnProposals }, (_, index) => proposalId(run, index + 1));

/** Writes learn.jsonl. The events about it come before. */
function learn(run: Run): void {
  run.disk.append('learn.jsonl', '');
  for (let number = 1; number <= run.shape.learnProposals; number++) {
    const id = proposalId(run, number);
    const record: JsonObject = {
      schema_version: 'learn/1.0',
      id,
      episode_id: run.id,
      agent_id: 'system',
      timestamp: run.log.last.timestamp,
      payload: {
        id,
        policy_id: `policy:${run.adapter}.${number}`,
        basis: {
          success: run.shape.ending === 'ok',
          reasons: [run.shape.script?.lesson ?? run.text.words(2)],
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
    run.disk.append('learn.jsonl', `${stringify(record, unsorted)}\n`);
  }
}

/** Whether more is learned at the end: if a directive was applied, or if there was no reflection. */
const learnsAtTheEnd = ({ counts, shape }: Run): boolean =>
  counts.directionApplied > 0 || (counts.reflects === 0 && shape.learnProposals > 0);

/** Logs proposals: after reflection, and again at the end if there are more. */
export function recordLearning(run: Run, causedBy: string, when: 'reflecting' | 'at the end'): void {
  const early = when === 'reflecting';
  const proposal_ids = early && learnsAtTheEnd(run) ? [] : proposalIds(run);
  run.log.append({
    phase: 'learn',
    causedBy,
    ...(early && { timed: true as const }),
    payload: {
      learn_path: 'learn.jsonl',
      learn_schema: 'learn/1.0',
      proposal_count: proposal_ids.length,
      proposal_ids,
      applied: false,
    },
  });
}

function seal(run: Run): void {
  const { disk, shape, clock } = run;
  if (!shape.legacy) disk.replace('final.json', () => document(finalOf(run, isoTime(clock.blink()))));
  const files = new Map(
    disk.names.flatMap((name) => {
      const digest = disk.digest(name);
      return digest === undefined ? [] : [[name, digest] as const];
    }),
  );
  const options = {
    episodeId: run.id,
    createdAt: isoTime(clock.blink()),
    signature: shape.signature,
    legacy: shape.legacy,
  };
  disk.replace('manifest.json', () => manifestBytes(files, options));
}

/** Ends the run: the runtime's finalisation, in its order. */
export function finish(run: Run, status: EndedStatus): void {
  const { log, disk, shape } = run;
  const terminated = log.append({ phase: 'terminate', payload: { status, message: run.outcomes.summary } });
  if (!shape.legacy) learn(run);
  const { outcomes } = run;
  run.links = {
    events: 'events.jsonl',
    ...(shape.legacy ? {} : { learn: 'learn.jsonl' }),
    summary: 'summary.json',
    manifest: 'manifest.json',
  };
  run.outcomes = { ...outcomes, status };
  writeState(run);
  projectState(run);
  if (learnsAtTheEnd(run) && !shape.legacy) recordLearning(run, terminated.id, 'at the end');
  log.append({
    phase: 'insight',
    payload: { summary_path: 'summary.json', metrics: insightMetrics(run) },
  });
  const summary = summaryOf(run, terminated.micros - run.startMicros);
  disk.replace('summary.json', () =>
    shape.legacy ? Buffer.from(stringify(summary, indented)) : document(summary),
  );
  log.append({
    phase: 'memory',
    agent: 'memory',
    payload: { status: 'skipped', reason: 'port_missing', capability: 'long_term_memory' },
  });
  if (shape.sealed) seal(run);
}
