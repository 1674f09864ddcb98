import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/value.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { genericDialect } from '../../src/dialects/generic/index.ts';
import { summarize } from '../../src/find/summary.ts';
import { writeTree } from '../support/temp.ts';
import { happened, log as numbered, resume, start } from './coordinator/logs.ts';
import { event, patched, started, toLog, transition } from './exarchos/support.ts';

/** The list entry of a log, with other files next to it. */
function listed(name: string, events: readonly JsonObject[], files: Readonly<Record<string, string>> = {}) {
  const dir = writeTree({ [name]: toLog(events), ...files });
  const { task, status } = summarize(name, undefined, join(dir, name));
  return [task, status];
}

/** More than a list reads from one end of a log. */
const PADDING = Array.from({ length: 800 }, (_, index) =>
  event(index + 3, 'tool.invoked', { tool: 'x'.repeat(100) }),
);

test.each([
  ['its first phase', [started()], ['f', 'ideate']],
  ['its last transition', [started(), transition(2, 'ideate', 'plan')], ['f', 'plan']],
  ['a patched phase', [started(), patched(2, { phase: 'review' })], ['f', 'review']],
  ['a cancel', [started(), transition(2, 'a', 'b'), event(3, 'workflow.cancel', {})], ['f', 'cancelled']],
  ['a cleanup', [started(), event(2, 'workflow.cleanup', {}), event(3, 'task.failed')], ['f', 'completed']],
  ['no workflow', [event(1, 'tool.invoked', { tool: 't' })], [undefined, undefined]],
  ['a type of its own', [started(1, 'own')], ['f', undefined]],
  ['a start without information', [event(1, 'workflow.started', ['x'])], [undefined, undefined]],
  ['an odd transition', [started(), event(2, 'workflow.transition', { to: 7 })], ['f', 'ideate']],
])('an exarchos stream with %s', (_, events, expected) => {
  expect(listed('f.events.jsonl', events)).toEqual(expected);
});

test('a long exarchos stream has the phase of its events, however far back they are', () => {
  const events = [started(), transition(2, 'ideate', 'plan'), ...PADDING];
  expect(listed('f.events.jsonl', events)).toEqual(['f', 'plan']);
  expect(listed('f.events.jsonl', events, { 'f.state.json': '{"phase":"review"}' })).toEqual(['f', 'plan']);
});

test('an exarchos stream whose events have no phase has that of its state file', () => {
  const state = (text: string) => listed('f.events.jsonl', [started(1, 'own')], { 'f.state.json': text });
  expect(state('{"phase":"review"}')).toEqual(['f', 'review']);
  expect(state('["phase"]')).toEqual(['f', undefined]);
});

const fishbowl = (run: string, kind: string, payload: JsonObject = {}): JsonObject => ({
  id: `${run}-${kind}`,
  run_id: run,
  turn: 0,
  kind,
  actor: 'conductor',
  payload,
});

test.each([
  ['goes on', [fishbowl('a', 'run.started', { seed: 'A vault' })], ['A vault', 'running']],
  [
    'is over',
    [fishbowl('a', 'run.started', { seed: 'A vault' }), fishbowl('a', 'run.finished', { reason: 'budget' })],
    ['A vault', 'budget'],
  ],
  [
    'is one of several',
    [fishbowl('a', 'run.started', { seed: 'A vault' }), fishbowl('b', 'run.finished', { reason: 'budget' })],
    ['A vault (and other runs)', undefined],
  ],
  [
    'never started',
    [fishbowl('a', 'agent.spoke', { text: 'x' }), fishbowl('b', 'x.y')],
    [undefined, undefined],
  ],
])('a fishbowl run that %s', (_, events, expected) => {
  expect(listed('ledger.jsonl', events)).toEqual(expected);
});

const pause = happened('session_pause', { reason: 'usage_limit' });
test.each([
  ['goes on', [start], ['p.md', 'running']],
  ['is paused', [start, pause], ['p.md', 'paused']],
  ['was resumed', [start, pause, resume('s1', 's2')], ['p.md', 'running']],
  ['is complete', [start, happened('workflow_complete'), happened('usage_check')], ['p.md', 'complete']],
  ['has failed', [start, happened('workflow_failed')], ['p.md', 'failed']],
  ['lacks its beginning', [pause], [undefined, 'paused']],
  ['says nothing of the whole', [happened('usage_check')], [undefined, undefined]],
])('a coordinator log that %s', (_, events, expected) => {
  expect(listed('event-log.jsonl', numbered(events))).toEqual(expected);
});

test('a coordinator log without its beginning has its plan from the state file', () => {
  const state = { 'state.json': '{"plan_file":"other.md"}' };
  expect(listed('event-log.jsonl', numbered([pause]), state)).toEqual(['other.md', 'paused']);
});

test('a log of unknown format has no title', () => {
  expect(listed('x.jsonl', [{ a: 1 }])).toEqual([undefined, undefined]);
});

test('a dialect without state files finds none, whatever is next to the log', () => {
  const dir = writeTree({ 'x.jsonl': '{}\n', 'state.json': '{"status":"done"}' });
  const path = join(dir, 'x.jsonl');
  const dialect: Dialect = {
    ...genericDialect(),
    stateFile: () => undefined,
    summary: ({ state }) => ({ task: 't', status: state() === undefined ? 'no state' : 'a state' }),
  };
  const sample = { path, size: 3, head: Buffer.from('{}\n'), records: [{}], dialect };
  expect(summarize('x', undefined, path, sample)).toMatchObject({ task: 't', status: 'no state' });
});
