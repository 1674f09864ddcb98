import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { codex } from '../../../src/dialects/sessions/codex/index.ts';
import { RolloutReader } from '../../../src/dialects/sessions/codex/reader.ts';
import { brief, verifyEvents } from '../verify-events.ts';

// A turn with several answers of the model that was aborted long after its last call, and another turn after it.

const at = (second: number): string => new Date(Date.UTC(2026, 3, 8, 11, 0, second)).toISOString();
const record = (type: string, payload: object, second: number): JsonObject => ({
  timestamp: at(second),
  type,
  payload: { ...payload },
});
const call = (id: string, second: number) =>
  record(
    'response_item',
    { type: 'function_call', name: 'exec_command', call_id: id, arguments: '{"cmd":"make"}' },
    second,
  );
const output = (id: string, second: number) =>
  record(
    'response_item',
    { type: 'function_call_output', call_id: id, output: 'Process exited with code 0\nOutput:\nok' },
    second,
  );

/** The second answer has two calls at once. */
const EVENTS = [
  record('session_meta', { id: '019d6d29-8cf7-7fe3-adc9-8c3e4d9d5603', cli_version: '0.118.0' }, 0),
  record('event_msg', { type: 'task_started', turn_id: 't1' }, 1),
  record('event_msg', { type: 'user_message', message: 'Build it' }, 2),
  call('a', 3),
  output('a', 4),
  call('b', 10),
  call('c', 10),
  output('b', 11),
  output('c', 12),
  call('d', 20),
  output('d', 21),
  record('event_msg', { type: 'turn_aborted', turn_id: 't1', reason: 'interrupted' }, 1800),
  record('event_msg', { type: 'task_started', turn_id: 't2' }, 1900),
  record('event_msg', { type: 'user_message', message: 'Again' }, 1901),
  record(
    'response_item',
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done' }] },
    1902,
  ),
  record('event_msg', { type: 'task_complete', turn_id: 't2', last_agent_message: 'Done' }, 1903),
];

const without = (id: string) =>
  EVENTS.filter(({ payload }) => {
    const { type, call_id } = payload as JsonObject;
    return !(type === 'function_call_output' && call_id === id);
  });
const lineOf = (id: string): number =>
  EVENTS.findIndex(({ payload }) => (payload as JsonObject)['call_id'] === id) + 1;

/** How long a call took that has no result. */
function lastedOf(id: string): number | undefined {
  const reader = new RolloutReader();
  for (const [index, event] of without(id).entries()) reader.add(event, index + 1);
  return reader.document().calls.find((one) => one.id === id)?.duration_ms;
}

describe('a call without its result', () => {
  test.each(['b', 'c'])('is a warning if the model was asked again in the turn: %s', async (id) => {
    expect(brief(await verifyEvents(codex.verify, without(id)))).toEqual([
      `warn tool/unanswered ${lineOf(id)}`,
    ]);
  });

  test('is a note if it is a call of the last answer, because the turn was aborted there', async () => {
    expect(brief(await verifyEvents(codex.verify, without('d')))).toEqual([
      `info tool/unanswered ${lineOf('d')}`,
    ]);
  });

  test('is a warning if only the calls of the turn show it, and no turn comes after it', async () => {
    const events = without('b').slice(0, 10);
    expect(brief(await verifyEvents(codex.verify, events))).toContain(`warn tool/unanswered ${lineOf('b')}`);
  });

  test('lasted until the turn was aborted only if nothing came after it', () => {
    expect(lastedOf('d')).toBe(1_780_000);
    for (const id of ['b', 'c']) expect(lastedOf(id)).toBeUndefined();
  });
});
