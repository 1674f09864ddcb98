import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../../support/in-process.ts';
import { writeTree } from '../../support/temp.ts';
import { event, started, toLog, transition } from './support.ts';

const gate = (sequence: number, passed: boolean) =>
  event(sequence, 'gate.executed', { gateName: 'lint', layer: 'u', passed });

test('show names a gate that passed later and a task that is complete only as on the way', async () => {
  const log = toLog([
    started(),
    gate(2, false),
    gate(3, true),
    event(4, 'task.assigned', { taskId: 't1', title: 'x' }),
    event(5, 'task.failed', { taskId: 't1', error: 'e' }),
    event(6, 'task.assigned', { taskId: 't1', title: 'x' }),
    event(7, 'task.completed', { taskId: 't1' }),
  ]);
  const { stdout } = await runHere(['show', join(writeTree({ 'f.events.jsonl': log }), 'f.events.jsonl')]);
  expect(stdout).toMatch(/^So far\nlast event .*, line 7\n {2}the log does not say that it ended$/m);
  expect(stdout).toMatch(/^On the way\ngate failed lint .*line 2\ntask\.failed e .*line 5$/m);
});

test('show lists a task that no event assigned, and who holds it', async () => {
  const claim = event(2, 'task.claimed', { taskId: 't1', agentId: 'impl-1', claimedAt: 'x' });
  const dir = writeTree({ 'f.events.jsonl': toLog([started(), claim]) });
  const { stdout } = await runHere(['show', join(dir, 'f.events.jsonl')]);
  expect(stdout).toMatch(/t1 +claimed +never assigned, held by impl-1$/m);
});

test('two streams of different features that did the same are equal', async () => {
  const streamOf = (name: string) =>
    toLog(
      [started(), transition(2, 'ideate', 'plan'), event(3, 'ci.status', { pr: 3, status: 'pending' })].map(
        (one) => JSON.parse(JSON.stringify(one).replaceAll('"f"', `"${name}"`)) as object,
      ),
    );
  const dir = writeTree({ 'pay.events.jsonl': streamOf('pay'), 'ops.events.jsonl': streamOf('ops') });
  const { code } = await runHere(['diff', join(dir, 'pay.events.jsonl'), join(dir, 'ops.events.jsonl')]);
  expect(code).toBe(0);
});
