import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/value.ts';
import { coordinator } from '../../src/dialects/coordinator/index.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { exarchos } from '../../src/dialects/exarchos/index.ts';
import { fishbowl } from '../../src/dialects/fishbowl/index.ts';
import { log as coordinated, happened, start } from './coordinator/logs.ts';
import { eachRecord, event, patched, started, toLog, transition } from './exarchos/support.ts';
import { started as begun, ledger, say, won } from './fishbowl/ledgers.ts';

/** After each event of a log that is followed: whether it is over. */
async function overAfter(dialect: Dialect, events: readonly JsonObject[], run?: string): Promise<boolean[]> {
  const ending = dialect.ending?.(run);
  const over: boolean[] = [];
  await eachRecord(toLog(events), (record) => over.push(ending?.isOver(record) ?? false));
  return over;
}

test.each<[string, JsonObject[], boolean[]]>([
  ['is complete', [start, happened('workflow_complete'), happened('usage_check')], [false, true, true]],
  ['has failed', [start, happened('workflow_failed')], [false, true]],
  ['was only paused', [start, happened('session_pause')], [false, false]],
  [
    'is taken up again by another session, or by a start',
    [happened('workflow_failed'), happened('session_resumed'), happened('workflow_failed'), start],
    [true, false, true, false],
  ],
])('a plan that %s', async (_, events, expected) => {
  expect(await overAfter(coordinator, coordinated(events))).toEqual(expected);
});

test.each<[string, JsonObject[], boolean[]]>([
  [
    'is completed',
    [started(), transition(2, 'review', 'completed'), event(3, 'tool.invoked', { tool: 't' })],
    [false, true, true],
  ],
  ['is pruned', [event(1, 'workflow.pruned', {})], [true]],
  ['is cancelled', [started(), event(2, 'workflow.cancel', {})], [false, true]],
  [
    'goes on after its end',
    [started(), patched(2, { phase: 'completed' }), transition(3, 'completed', 'plan')],
    [false, true, false],
  ],
  ['has no event about its work', [event(1, 'tool.invoked', { tool: 't' })], [false]],
])('a workflow that %s', async (_, events, expected) => {
  expect(await overAfter(exarchos, events)).toEqual(expected);
});

test('a ledger is over when each of its runs is over, and a run at its own end', async () => {
  const events = ledger([
    begun('a'),
    begun('b'),
    won('a'),
    say({ run_id: 'a' }),
    { ...won('b'), run_id: 'b' },
    { ...say(), run_id: null },
  ]);
  expect(await overAfter(fishbowl, events)).toEqual([false, false, false, false, true, true]);
  expect(await overAfter(fishbowl, events, 'a')).toEqual([false, false, true, true, true, true]);
});
