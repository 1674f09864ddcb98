import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exarchos } from '../../../src/dialects/exarchos/index.ts';
import { times } from '../../support/length.ts';
import { answersOf, expectOneStatus } from '../../support/one-status.ts';
import { writeTree } from '../../support/temp.ts';
import { event } from './support.ts';

// list, show, read and tail -f give one phase of a workflow.

const NAME = 'f.events.jsonl';

type Said = readonly [type: string, data: object];

const start: Said = ['workflow.started', { featureId: 'f', workflowType: 'feature' }];
const custom: Said = ['workflow.started', { featureId: 'f', workflowType: 'own' }];
const plan: Said = ['workflow.transition', { from: 'ideate', to: 'plan' }];
const patch: Said = ['state.patched', { patch: { phase: 'review' } }];
const toCancelled: Said = ['workflow.transition', { from: 'plan', to: 'cancelled' }];
const cancel: Said = ['workflow.cancel', { reason: 'not needed' }];
const silent: Said = ['workflow.cancel', {}];
const cleanup: Said = ['workflow.cleanup', { mergeVerified: true, prUrl: 'u' }];
const pruned: Said = ['workflow.pruned', { stalenessMinutes: 9 }];
const failure: Said = ['task.failed', { taskId: 't', error: 'no' }];
const gate: Said = ['gate.executed', { gateName: 'lint', passed: true }];

async function answers(said: readonly Said[]) {
  const lines = said.map(([type, data], index) => `${JSON.stringify(event(index + 1, type, data))}\n`);
  const found = await answersOf(join(writeTree({ [NAME]: lines.join('') }), NAME), exarchos);
  const { listed, account, tail } = found;
  expectOneStatus({ ...found, listed: { ...listed, status: listed.status ?? 'unknown' } });
  expect(tail.isEnded, 'tail: ended').toBe(account?.isOver);
  const end = account?.isOver
    ? account.why?.find(({ kind }) => ['cancelled', 'pruned'].includes(kind))
    : undefined;
  expect(listed.why, 'list: why').toBe(end?.text);
  return found;
}

test.each<[string, Said[], string, string | undefined]>([
  ['starts', [start], 'ideate', undefined],
  ['goes on', [start, plan, failure], 'plan', undefined],
  ['is cancelled', [start, cancel], 'cancelled', 'not needed'],
  ['is cancelled twice', [start, cancel, silent], 'cancelled', 'not needed'],
  ['is cancelled twice, with something between', [start, cancel, failure, silent], 'cancelled', 'not needed'],
  ['is cancelled, then moved to its phase', [start, cancel, toCancelled], 'cancelled', 'not needed'],
  ['is cancelled and goes on', [start, cancel, plan], 'plan', undefined],
  ['is cancelled again after it went on', [start, cancel, plan, silent], 'cancelled', 'no reason given'],
  ['is completed', [start, plan, cleanup], 'completed', undefined],
])('a workflow that %s has one phase', async (_, said, status, why) => {
  const { listed } = await answers(said);
  expect([listed.status, listed.why]).toEqual([status, why]);
});

test('every command gives one phase, whatever the events are', async () => {
  const any = [start, custom, plan, patch, toCancelled, cancel, silent, cleanup, pruned, failure, gate];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...any), { maxLength: 10 }), async (said) => {
      await answers([start, ...said] as readonly Said[]);
    }),
    { numRuns: times(500, 100) },
  );
});
