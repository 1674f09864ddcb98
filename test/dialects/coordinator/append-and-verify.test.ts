import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/value.ts';
import { EVENT_TYPES } from '../../../src/dialects/coordinator/vocabulary.ts';
import { bothAbout } from '../../support/append-agrees.ts';
import { seed, times } from '../../support/length.ts';
import { tempDir } from '../../support/temp.ts';
import { complete, detailOf, dispatch, happened, log, resume, start, wholeTask } from './logs.ts';

const pause = happened('session_pause', { reason: 'limit', remaining_percent: 1, resets_at: 'x' });
const done = (totals: JsonObject = {}) =>
  happened('workflow_complete', { total_tasks: 1, compactions: 0, session_resumes: 0, ...totals });
const audit = happened('auditor_dispatched', { task_id: '1', agent_id: 'a', files_to_audit: [] });
const rejected = happened('auditor_fail', { task_id: '1', agent_id: 'a', failures: [], required_fixes: [] });
const delegated = happened('expert_delegated', {
  run_id: 'r',
  agent_id: 'x',
  agent_type: 't',
  from_agent_id: 'd',
  task_id: '1',
  request_type: 'q',
  request_summary: 's',
});

/** Whole plans, of which a test takes a prefix and changes the next event. */
const COURSES: readonly (readonly JsonObject[])[] = [
  [start, ...wholeTask('1'), done()],
  [start, dispatch('1', 'd'), audit, rejected, complete('1', 'a')],
  [start, dispatch('1', 'd'), delegated, dispatch('2', 'e'), complete('1', 'e')],
  [start, ...wholeTask('1'), pause, resume('s1', 's2', { complete: 1 })],
  [start, dispatch('1', 'd'), resume('s1', 's2', { open: 1 }), { ...dispatch('2', 'd'), session_id: 's2' }],
  [start, ...wholeTask('1'), done(), dispatch('1', 'd')],
];

const oneOf = (...values: JsonValue[]): fc.Arbitrary<JsonValue> => fc.constantFrom(...values);

const wild: fc.Arbitrary<JsonObject> = fc.record({
  timestamp: oneOf('2020-01-01T00:00:00Z', '2026-02-01T00:00:00Z', '2026-02-01T00:00:00', 'today', 5),
  sequence: oneOf(1, 2, 4, 9, 40, 1.5, '3'),
  session_id: oneOf('s1', 's2', 's9', '', 7),
  event_type: oneOf(...EVENT_TYPES.keys(), 'agent_stalled', 'invented', '', 4),
  agent_id: oneOf('d', 'a', 'e', 'dev-1', 'aud-1', 'new', null, 3),
  task_id: oneOf('1', '2', null, 3),
}) as fc.Arbitrary<JsonObject>;

const details: fc.Arbitrary<JsonObject> = fc.record(
  {
    total_tasks: oneOf(0, 1, 7, '1'),
    compactions: oneOf(0, 2),
    session_resumes: oneOf(0, 1),
    previous_session_id: oneOf('s1', 's2', 's7', 5, null),
    in_progress_tasks_count: oneOf(0, 1, 9),
    completed_tasks_count: oneOf(0, 1, 9, '1'),
    blocked_by: oneOf([], ['2'], 'none'),
    run_id: oneOf('r', 'q'),
    all_passed: oneOf(true, false, 'yes'),
    task_id: oneOf('1', '9'),
    invented: oneOf(1),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

/** Events near the right ones: nearly all others would be refused for their envelope alone. */
const candidates = fc
  .tuple(fc.constantFrom(...COURSES), fc.nat(9), wild, details, fc.uniqueArray(fc.nat(7), { maxLength: 2 }))
  .map(([course, length, other, more, changed]) => {
    const whole = log(course);
    const at = Math.min(length, whole.length - 1);
    const right = whole[at] ?? {};
    const event = structuredClone(right) as JsonObject;
    for (const index of changed) {
      const name = Object.keys(other)[index];
      if (name === undefined) event['details'] = { ...(event['details'] as JsonObject), ...more };
      else event[name] = other[name] as JsonValue;
    }
    const spec = EVENT_TYPES.get(String(event['event_type']));
    // The details of another type are those that the documents list for it.
    if (event['event_type'] !== right['event_type'] && spec !== undefined)
      event['details'] = Object.fromEntries(
        spec.fields.filter((name) => !/^(?:task|agent)_id$/.test(name)).map((name) => [name, detailOf(name)]),
      );
    return { before: whole.slice(0, at), event };
  });

test('append refuses an event exactly if verify reports an error or a warning because of it', async () => {
  const folder = tempDir();
  let [accepted, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(candidates, async ({ before, event }) => {
      const answers = await bothAbout(folder, {
        before,
        event,
        dialect: 'coordinator',
        name: 'event-log.jsonl',
      });
      if (answers.refused === undefined) accepted += 1;
      else refused += 1;
      expect({ ...answers, isRefused: answers.refused !== undefined }).toMatchObject({
        isRefused: answers.reported.length > 0,
      });
    }),
    { numRuns: times(1000, 200), seed },
  );
  expect(Math.min(accepted, refused)).toBeGreaterThan(20);
});
