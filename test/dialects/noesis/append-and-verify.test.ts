import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/value.ts';
import { bothAbout } from '../../support/append-agrees.ts';
import { seed, times } from '../../support/length.ts';
import { tempDir } from '../../support/temp.ts';

const EPISODE = 'ep_01KJQA4N6T3B2QK7Z3R5V8W9XY';
const event = (id: string, phase: string, payload: JsonObject, more: JsonObject = {}): JsonObject => ({
  id,
  phase,
  payload,
  timestamp: '2026-03-02T09:00:00Z',
  episode_id: EPISODE,
  evidence_ids: [],
  ...more,
});
const decision = { governance_id: 'g', policy_id: 'p', decision: 'veto', enforced: true, mode: 'enforce' };
const steps = ['act:x'];

/** Whole runs, of which a test takes a prefix. */
const COURSES: readonly (readonly JsonObject[])[] = [
  [
    event('s', 'start', { task: 't', seed: 1 }),
    event('o', 'observe', { task: 't', timestamp: '2026-03-02T09:00:00Z' }, { caused_by: 's' }),
    event('p', 'plan', { steps }, { caused_by: 'o' }),
    event('c', 'action_candidate', { action_candidate_id: 'cand' }, { caused_by: 'p' }),
    event('a', 'act', { input_excerpt: 'x', outcome: 'ok', action_candidate_id: 'cand' }, { caused_by: 'c' }),
    event('r', 'reflect', { success: true, reason: 'y' }, { caused_by: 'a' }),
    event('t', 'terminate', { status: 'completed' }),
    event('i', 'insight', { success: true }),
  ],
  [
    event('s', 'start', { task: 't' }),
    event('c', 'action_candidate', { action_candidate_id: 'cand' }),
    event('g', 'governance', decision, { caused_by: 'c' }),
    event('n', 'runtime', { status: 'interrupted' }, { event_type: 'run.interrupt', caused_by: 'g' }),
    event('k', 'runtime', { status: 'paused', checkpoint_id: 'cp' }, { event_type: 'run.checkpoint' }),
    event('u', 'runtime', { status: 'resuming', checkpoint_id: 'cp' }, { event_type: 'run.resume' }),
    event('t', 'terminate', { status: 'vetoed' }),
  ],
];

const oneOf = (...values: JsonValue[]): fc.Arbitrary<JsonValue> => fc.constantFrom(...values);

const payloads = fc.record(
  {
    task: oneOf('t', 5),
    status: oneOf('completed', 'vetoed', 'paused', 'resuming', 'blocked', 7, null),
    outcome: oneOf('ok', 'error', 3),
    result_status: oneOf('ok', 'error'),
    input_excerpt: oneOf('x', null),
    action_candidate_id: oneOf('cand', 'other'),
    decision: oneOf('allow', 'veto', 'deny'),
    enforced: oneOf(true, false),
    mode: oneOf('audit', 'enforce'),
    governance_id: oneOf('g', 'h'),
    checkpoint_id: oneOf('cp', 'nowhere'),
    steps: oneOf(steps, ['x'], 'x'),
    success: oneOf(true, 'yes'),
    duration_ms: oneOf(-5, 5),
    blocking: oneOf(true, false),
    kind: oneOf('veto', 'hint', 'terminate'),
    evidence_ids: oneOf(['event:observe:9'], []),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

const envelopes = fc.record({
  id: oneOf('new', '', 4),
  phase: oneOf(
    'start',
    'observe',
    'plan',
    'act',
    'governance',
    'intuition',
    'runtime',
    'terminate',
    'odd',
    5,
  ),
  caused_by: oneOf('s', 'p', 'nobody', 'new', null),
  timestamp: oneOf('2026-03-02T10:00:00Z', '2020-01-01T00:00:00Z', 'today', 5),
  episode_id: oneOf(EPISODE, 'ep_other', 3),
  evidence_ids: oneOf([], ['event:observe:1'], ['event:act:77'], 'x'),
  event_type: oneOf('run.resume', 'run.checkpoint', 'run.state_projection', 'tool.execution', ''),
  agent_id: oneOf('x', 3),
  metrics: oneOf({ duration_ms: -1 }, { started_at: 'x' }, {}),
  payload: payloads,
}) as fc.Arbitrary<JsonObject>;

/** Events near the right ones: nearly all others would be refused for their envelope alone. */
const candidates = fc
  .tuple(fc.constantFrom(...COURSES), fc.nat(8), envelopes, fc.uniqueArray(fc.nat(9), { maxLength: 3 }))
  .map(([course, length, wild, changed]) => {
    const before = course.slice(0, length);
    const right = course[length] ?? event('next', 'memory', { status: 'skipped' });
    const keys = Object.keys(wild);
    const next: JsonObject = { ...right, id: 'next' };
    for (const index of changed) {
      const key = keys[index];
      if (key === 'payload') next[key] = { ...(next[key] as JsonObject), ...(wild[key] as JsonObject) };
      else if (key !== undefined) next[key] = wild[key] as JsonValue;
    }
    return { before, event: next };
  });

test('append refuses an event exactly if verify reports an error or a warning because of it', async () => {
  const folder = tempDir();
  let [accepted, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(candidates, async ({ before, event: next }) => {
      const answers = await bothAbout(folder, {
        before,
        event: next,
        dialect: 'noesis',
        name: 'events.jsonl',
      });
      if (answers.refused === undefined) accepted += 1;
      else refused += 1;
      expect({ ...answers, isRefused: answers.refused !== undefined }).toMatchObject({
        isRefused: answers.reported.length > 0,
      });
    }),
    { numRuns: times(1000, 150), seed },
  );
  expect(Math.min(accepted, refused)).toBeGreaterThan(20);
});
