import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { coordinator } from '../../../src/dialects/coordinator/index.ts';
import { times } from '../../support/length.ts';
import { answersOf, expectOneStatus } from '../../support/one-status.ts';
import { writeTree } from '../../support/temp.ts';
import { happened, wholeTask } from './logs.ts';

// list, show, read and tail -f give one status of a plan.

const NAME = 'event-log.jsonl';
const start = happened('session_start', { plan_file: 'p.md', total_tasks: 1 });
const restart = happened('session_start', { plan_file: 'other.md' });
const resumed = happened('session_resumed', { previous_session_id: 'a' });
/** A resume as the second revision writes it. */
const formerResume = happened('session_resume', { plan_file: 'former.md' });
const pause = happened('session_pause', { reason: 'lunch' });
const complete = happened('workflow_complete', { reason: 'all done' });
const failed = happened('workflow_failed', { reason: 'no budget' });
const silent = happened('workflow_failed');

async function answers(events: readonly JsonObject[]) {
  const lines = events.map((event, index) => {
    const time = new Date(Date.UTC(2026, 0, 17, 9, 0, index)).toISOString();
    return `${JSON.stringify({ timestamp: time, sequence: index + 1, session_id: null, ...event })}\n`;
  });
  const found = await answersOf(join(writeTree({ [NAME]: lines.join('') }), NAME), coordinator);
  const { listed, account, tail } = found;
  expectOneStatus({ ...found, listed: { ...listed, status: listed.status ?? 'unknown' } });
  expect(tail.isEnded, 'tail: ended').toBe(account?.isOver);
  expect(tail.isPaused, 'tail: paused').toBe(account?.status === 'paused');
  return found;
}

test.each<[string, JsonObject[], string, string | undefined]>([
  ['runs', [start], 'running', undefined],
  ['is paused', [start, pause], 'paused', 'lunch'],
  ['is resumed', [start, pause, resumed], 'running', undefined],
  ['fails', [start, failed], 'failed', 'no budget'],
  ['fails without a reason', [start, silent], 'failed', undefined],
  ['is paused after its end', [start, complete, pause], 'paused', 'lunch'],
  [
    'is resumed after its end, in the form of an older writer',
    [start, failed, formerResume],
    'running',
    undefined,
  ],
  ['starts again with another plan', [start, complete, restart], 'running', undefined],
])('a plan that %s has one status', async (_, events, status, why) => {
  const { listed } = await answers(events);
  expect([listed.status, listed.why]).toEqual([status, why]);
});

test('a plan that is started again with another plan keeps the first, however far away the second is', async () => {
  const filler = Array.from({ length: times(800, 400) }, () =>
    happened('task_claimed', { note: 'x'.repeat(200) }),
  );
  for (const again of [restart, formerResume])
    for (const between of [[], filler])
      for (const after of [[], filler]) {
        const { listed } = await answers([start, ...between, again, ...after]);
        expect(listed.task).toBe('p.md');
      }
});

test('every command gives one status, whatever the events are', async () => {
  const events = [start, restart, resumed, formerResume, pause, complete, failed, silent, ...wholeTask('t')];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...events), { maxLength: 10 }),
      fc.array(fc.constantFrom(null, 'a', 'b'), { minLength: 11, maxLength: 11 }),
      async (some, sessions) => {
        await answers(
          [start, ...some].map((event, index) => ({ ...event, session_id: sessions[index] ?? null })),
        );
      },
    ),
    { numRuns: times(500, 100) },
  );
});
