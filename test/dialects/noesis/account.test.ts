import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { toneOf } from '../../../src/dialects/noesis/event/outcome.ts';
import { spanOf } from '../../../src/dialects/noesis/show/span.ts';
import { runHere } from '../../support/in-process.ts';
import { tempDir, writeSettled } from '../../support/temp.ts';
import { act, event, plan } from './events.ts';

/** The output of `noesis show` for a run with these events after its start. */
async function shown(...events: readonly JsonObject[]) {
  const dir = join(tempDir(), 'ep_account');
  mkdirSync(dir);
  const lines = [event('start', { task: 'the task' }), ...events].map((one) => `${JSON.stringify(one)}\n`);
  writeSettled(join(dir, 'events.jsonl'), lines.join(''));
  const { stdout } = await runHere(['show', dir, '-j']);
  const { task, status, is_over, why, on_the_way, steps } = JSON.parse(stdout);
  return { task, status, is_over, why, on_the_way, steps };
}

const runtime = (type: string, payload: JsonObject = {}): JsonObject =>
  event('runtime', payload, { event_type: type });

describe('why a run ended', () => {
  test('events without a reason are shown as such', async () => {
    const { status, is_over, why } = await shown(
      event('governance', { decision: 'veto', enforced: true }),
      act({ adapter: 'core', outcome: 'error' }),
      runtime('run.interrupt', { status: 'interrupted' }),
    );
    expect([status, is_over]).toEqual(['interrupted', false]);
    expect(why).toEqual([
      {
        kind: 'veto',
        text: 'no reason given',
        tone: 'bad',
        line: 2,
        facts: ['policy', 'rule', 'score', 'mode'].map((label) => [label, null]),
      },
      {
        kind: 'failed act',
        text: 'no reason given',
        tone: 'bad',
        line: 3,
        facts: [
          ['tool', 'core'],
          ['step', null],
          ['result', 'error'],
        ],
      },
      { kind: 'interrupt', text: 'no reason given', tone: 'doubtful', line: 4 },
    ]);
  });

  test('of several failed acts the last is shown, with its error and their number', async () => {
    const { why } = await shown(
      act({ tool: 'a', outcome: 'error', error: 'first' }),
      act({ tool: 'b', result_status: 'failed', error: { message: 'second' }, step_id: 's' }),
      act({ outcome: 'error', synthetic: true }),
    );
    expect(why).toEqual([
      {
        kind: 'failed act',
        text: 'second',
        tone: 'bad',
        line: 3,
        facts: [
          ['tool', 'b'],
          ['step', 's'],
          ['result', 'failed'],
          ['failed acts', 2],
        ],
      },
    ]);
  });

  test('a pause is shown with its checkpoint, if it has one, until the run is resumed', async () => {
    const paused = async (payload: JsonObject, ...more: JsonObject[]) =>
      (await shown(runtime('run.checkpoint', { status: 'paused', ...payload }), ...more)).why;
    const pause = { kind: 'pause', tone: 'doubtful', line: 2 };
    expect(await paused({})).toEqual([{ ...pause, text: 'paused at a checkpoint' }]);
    expect(await paused({ checkpoint_id: 'chk_1' })).toEqual([{ ...pause, text: 'paused at chk_1' }]);
    expect(await paused({}, runtime('run.resume', { status: 'resuming' }))).toEqual([]);
  });

  test('an end without a message is shown by its status', async () => {
    const ended = async (payload: JsonObject) => (await shown(event('terminate', payload))).why;
    const end = { kind: 'terminate', line: 2 };
    expect(await ended({ status: 'ok', message: 'all done' })).toEqual([
      { ...end, text: 'all done', tone: 'good' },
    ]);
    expect(await ended({ status: 'odd' })).toEqual([{ ...end, text: 'odd', tone: 'muted' }]);
    expect(await ended({})).toEqual([{ ...end, text: 'ended', tone: 'muted' }]);
  });

  test('a run without a status is running', async () => {
    expect(await shown(act({ outcome: 'ok' }))).toMatchObject({
      task: 'the task',
      status: 'running',
      is_over: false,
      why: [],
    });
  });

  test('a step of labels is pending until an act gives its status', async () => {
    const { steps } = await shown(
      plan({ steps: ['act:one', 'act:two'] }),
      act({ step_id: 'step-1', step_status: 'done', outcome: 'ok' }, { metrics: { duration_ms: 5 } }),
    );
    expect(steps).toEqual([
      expect.objectContaining({ status: 'done', tone: 'good', duration_ms: 5, line: 3 }),
      expect.objectContaining({ status: 'pending' }),
    ]);
  });
});

test('a known status has a tone', () => {
  const words = ['success', 'errored', 'partial', 'odd'];
  expect(words.map(toneOf)).toEqual(['good', 'bad', 'doubtful', undefined]);
});

describe('the result of an event', () => {
  test.each([
    [event('error', {}), 'error'],
    [event('reflect', { success: 0 }), 'error'],
    [event('reflect', { success: true }), 'ok'],
    [event('direction', { status: 'blocked' }), 'veto'],
    [event('terminate', { status: 'vetoed' }), 'veto'],
    [event('terminate', { status: 'aborted' }), 'error'],
    [event('act', { outcome: 'error' }), 'error'],
    [event('governance', { decision: 'veto' }), 'veto'],
    [event('reason', null), 'ok'],
  ])('%j: %s', (one, status) => {
    expect(spanOf(one).status).toBe(status);
  });
});
