import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/base/json/value.ts';
import { EVENT_TYPES } from '../../../src/dialects/exarchos/event-types.ts';
import { bothAbout } from '../../support/append-agrees.ts';
import { seed, times } from '../../support/length.ts';
import { tempDir } from '../../support/temp.ts';
import { event, patched, started, transition } from './support.ts';

const end = (sequence: number, type: string, from: string) =>
  event(sequence, `workflow.${type}`, {
    from,
    to: type === 'cancel' ? 'cancelled' : 'completed',
    trigger: 't',
    featureId: 'f',
  });

/** Whole workflows, of which a test takes a prefix and changes the next event. */
const COURSES: readonly (readonly JsonObject[])[] = [
  [
    started(),
    transition(2, 'ideate', 'plan'),
    patched(3, { phase: 'delegate' }),
    end(4, 'cleanup', 'delegate'),
    end(5, 'cleanup', 'delegate'),
  ],
  [started(), end(2, 'cancel', 'ideate'), transition(3, 'cancelled', 'plan')],
  [
    started(),
    event(2, 'task.assigned', { taskId: 'a', title: 'T' }),
    event(3, 'task.claimed', { taskId: 'a', agentId: 'x', claimedAt: 'now' }),
    event(4, 'task.completed', { taskId: 'a' }),
    event(5, 'workflow.checkpoint', { counter: 1, phase: 'ideate', featureId: 'f' }),
  ],
  [
    started(),
    event(2, 'workflow.guard-failed', { guard: 'g', from: 'ideate', to: 'plan', featureId: 'f' }),
    transition(3, 'ideate', 'plan'),
  ],
];

const oneOf = (...values: JsonValue[]): fc.Arbitrary<JsonValue> => fc.constantFrom(...values);

const wild: fc.Arbitrary<JsonObject> = fc.record({
  type: oneOf(...EVENT_TYPES.keys()),
  timestamp: oneOf('2020-01-01T00:00:00Z', '2026-05-01T00:00:00.000Z', 'today'),
  schemaVersion: oneOf('1.0', '2.0', 1),
  agentId: oneOf('x', '', 5),
  data: oneOf({}, { taskId: 'a' }, { featureId: 'g' }, 'text'),
}) as fc.Arbitrary<JsonObject>;

const data: fc.Arbitrary<JsonObject> = fc.record(
  {
    from: oneOf('ideate', 'plan', 'cancelled', 'completed', 5),
    to: oneOf('plan', 'review', 'cancelled', 'completed'),
    phase: oneOf('ideate', 'plan'),
    featureId: oneOf('f', 'g', 7),
    taskId: oneOf('a', 'b', ''),
    patch: oneOf({}, { 'tasks[9].status': 'x' }, 'oops'),
    counter: oneOf(1, 'one'),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

/** Events near the right ones. Their numbers are right: the writer sets them. */
const candidates = fc
  .tuple(fc.constantFrom(...COURSES), fc.nat(5), wild, data, fc.uniqueArray(fc.nat(7), { maxLength: 2 }))
  .map(([course, length, other, more, changed]) => {
    const at = Math.min(length, course.length - 1);
    const next = structuredClone(course[at] ?? {}) as JsonObject;
    for (const index of changed) {
      const name = Object.keys(other)[index];
      if (name === undefined) next['data'] = { ...(next['data'] as JsonObject), ...more };
      else next[name] = other[name] as JsonValue;
    }
    return { before: course.slice(0, at), event: next };
  });

test('append refuses an event exactly if verify reports an error or a warning because of it', async () => {
  const folder = tempDir();
  let [accepted, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(candidates, async ({ before, event: next }) => {
      const answers = await bothAbout(folder, {
        before,
        event: next,
        dialect: 'exarchos',
        name: 'f.events.jsonl',
      });
      if (answers.refused === undefined) accepted += 1;
      else refused += 1;
      expect({ ...answers, isRefused: answers.refused !== undefined }).toMatchObject({
        isRefused: answers.reported.length > 0,
      });
    }),
    { numRuns: times(800, 150), seed },
  );
  expect(Math.min(accepted, refused)).toBeGreaterThan(15);
});
