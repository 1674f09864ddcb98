import { join } from 'node:path';
import { verifyEpisode } from '../../../src/library/verify.ts';
import { tempDir, writeSettled } from '../../support/temp.ts';

type Parts = Readonly<Record<string, unknown>>;

export const EPISODE = 'ep_01KJPWD6M0GKJVH2GKEFTDNN55';

const START = Date.parse('2026-03-02T09:00:00Z');

/** When the event on a line happened. */
export const timeOf = (line: number): string => new Date(START + line * 1000).toISOString();

/** An event without its envelope; a value of undefined takes a field of the envelope away. */
export const event = <Payload = unknown>(
  phase: string,
  payload: Payload = {} as Payload,
  more: Parts = {},
) => ({
  phase,
  payload,
  ...more,
});

export const start = event('start', { task: 'Rotate the keys', seed: 7, using: 'core.minimal' });
export const observe = event('observe', { task: 'Rotate the keys', tags: {}, timestamp: timeOf(0) });
export const interpret = event('interpret', { signals: [] });
export const plan = event('plan', {
  steps: ['act:rotate'],
  step_records: [{ id: 'step-1', kind: 'act', description: 'rotate', status: 'pending' }],
});
export const act = event('act', { input_excerpt: 'rotate', outcome: 'ok', tool: 'vault' });
export const reflect = event('reflect', { success: true, reason: 'all steps are done' });
export const terminate = event('terminate', { status: 'ok' });
export const direction = {
  schema_version: '1.2.0',
  directive_id: 'directive-1',
  status: 'applied',
  reason: 'heuristic',
  policy_id: 'planner.meta',
  policy_version: '1.0.0',
  policy_kind: 'rules',
} as const;

/** Events with their envelopes, one a line: ids `e1`, `e2` and so on, a second from one to the next. */
export function enveloped(events: readonly Parts[]): Parts[] {
  return events.map((one, index) => ({
    id: `e${index + 1}`,
    episode_id: EPISODE,
    agent_id: 'agent',
    evidence_ids: [],
    timestamp: timeOf(index + 1),
    ...one,
  }));
}

/** The bytes of a log of these events. */
export function textOf(events: readonly Parts[]): string {
  return enveloped(events)
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('');
}

/** Writes a log into a new folder. */
export function writeLog(text: string | Uint8Array): string {
  const path = join(tempDir(), 'log.jsonl');
  writeSettled(path, text);
  return path;
}

/**
 * The findings about a log of these events, as `severity code path`, in the order of the log: that a run has
 * not ended yet is left out.
 */
export async function told(...events: Parts[]): Promise<string[]> {
  const { findings } = await verifyEpisode(writeLog(textOf(events)));
  return findings
    .filter(({ code }) => code !== 'order/terminate-missing')
    .map(({ severity, code, path }) => `${severity} ${code}${path === undefined ? '' : ` ${path}`}`);
}

/** The findings about one event after a start. */
export const toldOf = (phase: string, payload: unknown, more: Parts = {}): Promise<string[]> =>
  told(start, event(phase, payload, more));
