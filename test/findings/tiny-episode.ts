import { compact, type JsonObject, stringify } from '../support/simulator/canonical.ts';
import { digestsOf } from '../support/simulator/disk.ts';
import type { SignatureShape, SimulatedEpisode } from '../support/simulator/episode.ts';
import { manifestBytes } from '../support/simulator/manifest.ts';

const id = 'ep_tiny';
const T = '2026-03-02T09:00:00Z';
const task = 'café →';

const event = (number: number, phase: string, payload: JsonObject, more: JsonObject = {}): JsonObject => ({
  id: `e${number}`,
  timestamp: T,
  episode_id: id,
  evidence_ids: [],
  phase,
  payload,
  ...more,
});

const file = (value: JsonObject) => Buffer.from(`${stringify(value, compact)}\n`);

/** How the tiny episode ends: sealed, sealed and signed, or not at all. */
export type TinyEnding = 'sealed' | 'running' | SignatureShape;

/** The smallest intact episode with every kind of evidence, to be damaged at every byte. */
export function tinyEpisode(ending: TinyEnding): SimulatedEpisode {
  const ended = ending !== 'running';
  const status = ended ? 'ok' : 'pending';
  const links: JsonObject = {
    events: 'events.jsonl',
    learn: 'learn.jsonl',
    ...(ended && { manifest: 'manifest.json', summary: 'summary.json' }),
  };
  const outcomes = { status, summary: null, metrics: { n: 1 } };
  const step = { id: 's', kind: 'act', description: '𝔘' };
  const act = { kind: 'k', tool: 't', input_excerpt: 'go', result_status: 'ok', step_id: 's' };
  const projected = { kind: 'run.state_projection', status, outcomes, links };
  const events = [
    event(1, 'start', { task, seed: 1 }),
    event(2, 'observe', { task, timestamp: T }, { caused_by: 'e1' }),
    event(
      3,
      'plan',
      { steps: [], step_records: [{ ...step, status: 'pending' }], source: 'p' },
      { caused_by: 'e2' },
    ),
    event(4, 'act', { action_id: 'a', ...act, outcome: 'ok', step_status: 'done' }, { caused_by: 'e3' }),
    ...(ended ? [event(5, 'terminate', { status })] : []),
    event(6, 'runtime', projected, { event_type: 'run.state_projection', caused_by: 'e5' }),
  ];
  const state = {
    version: '1.0',
    state_schema_version: '1.0.0',
    episode: { id, seed: 1, started_at: T, tags: {} },
    goal: { task, type: 'task' },
    beliefs: [],
    plan: { steps: [{ ...step, status: 'done' }], source: 'p', updated_at: T },
    memory: { facts: [] },
    outcomes: { ...outcomes, actions: [{ id: 'a', ...act, timestamp: T }] },
    links,
  };
  const files = new Map<string, Uint8Array>([
    ['events.jsonl', Buffer.concat(events.map(file))],
    ['learn.jsonl', new Uint8Array()],
    ['state.json', file(state)],
  ]);
  if (!ended) return { id, files };
  const verification = { provided: false, passed: null };
  const result = { adapter_result: 'success', outcome: 'success_unverified', verification };
  const summary = { schema_version: '1.3.0', episode_id: id, task, started_at: T, metrics: {}, ...result };
  const verdict = { outcome: 'success', verification_status: 'unverified' };
  const final = {
    schema_version: 'final/2.0.0',
    episode_id: id,
    process_id: 'p',
    run_index: 1,
    finalized_at: T,
  };
  files.set('summary.json', file(summary));
  files.set('final.json', file({ ...final, ...verdict }));
  const signature = ending === 'sealed' ? undefined : ending;
  files.set('manifest.json', manifestBytes(digestsOf(files), { episodeId: id, createdAt: T, signature }));
  return { id, files };
}
