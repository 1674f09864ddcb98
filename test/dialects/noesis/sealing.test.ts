import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { runHere } from '../../support/in-process.ts';
import { tempDir, writeSettled } from '../../support/temp.ts';
import { act, event } from './events.ts';

const EPISODE = 'ep_01KJPWD6M0GKJVH2GKEFTDNN55';
const TIME = '2026-03-02T09:00:00Z';

/** Seals an episode of these events and documents by force. Returns the written files by name. */
async function sealed(events: readonly JsonObject[], documents: Readonly<Record<string, unknown>> = {}) {
  const dir = join(tempDir(), EPISODE);
  mkdirSync(dir);
  writeSettled(join(dir, 'events.jsonl'), events.map((one) => `${JSON.stringify(one)}\n`).join(''));
  for (const [name, value] of Object.entries(documents))
    writeSettled(join(dir, name), typeof value === 'string' ? value : JSON.stringify(value));
  const { code, stdout, stderr } = await runHere(['seal', dir, '--force', '-j']);
  if (code !== 0 && stdout === '') throw new Error(stderr);
  const read = (name: string) => JSON.parse(readFileSync(join(dir, name), 'utf8'));
  return { written: JSON.parse(stdout).written as string[], dir, read };
}

const start = (payload: JsonObject = {}, more: JsonObject = {}) =>
  event('start', payload, { id: 's', ...more });
const terminate = (status: unknown) => event('terminate', { status }, { id: 't', timestamp: TIME });

describe('the documents of a run that is sealed without them', () => {
  test('report only what is certain about a log without information', async () => {
    const { written, read } = await sealed([start()]);
    expect(written).toEqual(['summary.json', 'final.json', 'manifest.json']);
    const { metrics, ...summary } = read('summary.json');
    expect(summary).toMatchObject({
      episode_id: EPISODE,
      task: '',
      started_at: '',
      duration_sec: null,
      tags: {},
      adapter_result: 'skipped',
      outcome: 'error',
    });
    expect(summary).not.toHaveProperty('seed');
    expect(summary.flags).not.toHaveProperty('using');
    expect(metrics).toMatchObject({ plan_adherence: 0, tool_coverage: 0, success: false, act_count: 0 });
    expect(read('final.json')).toMatchObject({
      episode_id: EPISODE,
      process_id: 'unknown',
      run_index: 1,
      outcome: 'interrupted',
      verification_status: 'not_applicable',
    });
  });

  test('come from the state if the log does not have them', async () => {
    const { read } = await sealed([start(), act({ outcome: 'ok' }, { id: 'a', timestamp: TIME })], {
      'state.json': {
        episode: {
          id: 'ep_of_the_state',
          started_at: '2026-03-02T08:00:00Z',
          using: 'core',
          seed: 7,
          tags: { a: 1 },
        },
        goal: { task: 'of the state' },
        plan: { steps: [{ status: 'done' }, { status: 'pending' }, 'no step', { status: 'done' }] },
        process: { id: 'p-1', run_index: 3 },
      },
    });
    expect(read('summary.json')).toMatchObject({
      episode_id: 'ep_01KJPWD6M0GKJVH2GKEFTDNN55',
      task: 'of the state',
      seed: 7,
      started_at: '2026-03-02T08:00:00Z',
      flags: { using: 'core' },
      tags: { a: 1 },
      metrics: { plan_adherence: 0.5, tool_coverage: 1, act_count: 1 },
      process: { id: 'p-1', run_index: 3 },
    });
    expect(read('final.json')).toMatchObject({ process_id: 'p-1', run_index: 3 });
  });

  test('come from the log, and last from its start to its end', async () => {
    const { read } = await sealed(
      [
        start(
          { task: 'of the log', using: 'x', seed: 9 },
          { timestamp: '2026-03-02T08:59:58.5Z', episode_id: EPISODE },
        ),
        event('governance', { decision: 'veto', enforced: false }),
        event('insight', { metrics: { plan_adherence: 0.25 } }),
        terminate('ok'),
      ],
      { 'state.json': { goal: { task: 'of the state' } } },
    );
    expect(read('summary.json')).toMatchObject({
      task: 'of the log',
      seed: 9,
      started_at: '2026-03-02T08:59:58.5Z',
      duration_sec: 1.5,
      flags: { using: 'x' },
      metrics: { plan_adherence: 0.25, veto_count: 1, success: true },
      adapter_result: 'success',
      outcome: 'success_unverified',
    });
    expect(read('final.json')).toMatchObject({ outcome: 'success', verification_status: 'unverified' });
  });

  test.each([
    ['ok', 'success', 'unverified'],
    ['error', 'error', 'not_applicable'],
    ['vetoed', 'vetoed', 'not_applicable'],
    ['aborted', 'cancelled', 'not_applicable'],
    [7, 'interrupted', 'not_applicable'],
  ])('say how a run went that ended as %j', async (status, outcome, verification_status) => {
    const { read } = await sealed([start(), terminate(status)]);
    expect(read('final.json')).toMatchObject({ outcome, verification_status });
  });

  test('ignore an invalid word in a summary', async () => {
    const { written, read } = await sealed([start(), terminate('ok')], {
      'summary.json': { outcome: 'odd' },
    });
    expect(written).toEqual(['final.json', 'manifest.json']);
    expect(read('final.json')).toMatchObject({ outcome: 'error', verification_status: 'not_applicable' });
  });

  test('ignore a state that is not an object, or not JSON', async () => {
    for (const state of ['7', '{']) {
      const { read } = await sealed([start({ task: 't' })], { 'state.json': state });
      expect(read('summary.json')).toMatchObject({ task: 't', tags: {} });
    }
  });

  test('are not older than the last event', async () => {
    const late = '2999-01-01T00:00:00Z';
    const { read } = await sealed([start({}, { timestamp: late })]);
    expect(read('final.json')['finalized_at']).toBe(late);
    const { read: now } = await sealed([start({}, { timestamp: 'then' })]);
    expect(Date.parse(now('final.json')['finalized_at'])).toBeGreaterThan(Date.parse(TIME));
  });

  test('come with the file for learning where the state links it', async () => {
    const { written, dir } = await sealed([start()], { 'state.json': { links: { learn: 'learn.jsonl' } } });
    expect(written).toEqual(['learn.jsonl', 'summary.json', 'final.json', 'manifest.json']);
    expect(readFileSync(join(dir, 'learn.jsonl'), 'utf8')).toBe('');
  });
});
