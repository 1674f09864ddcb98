import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/value.ts';
import { coordinator } from '../../src/dialects/coordinator/index.ts';
import { states as ofPlans } from '../../src/dialects/coordinator/states.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { exarchos } from '../../src/dialects/exarchos/index.ts';
import { states as ofWorkflows } from '../../src/dialects/exarchos/states.ts';
import { fishbowl } from '../../src/dialects/fishbowl/index.ts';
import { states as ofLedgers } from '../../src/dialects/fishbowl/states.ts';
import type { DialectStates } from '../../src/dialects/kit/states.ts';
import { log as coordinated, start, wholeTask } from './coordinator/logs.ts';
import { eachRecord, event, started, toLog, transition } from './exarchos/support.ts';
import { started as begun, ledger, RUN } from './fishbowl/ledgers.ts';

const PLAN = coordinated([start, ...wholeTask('1')]);
const WORKFLOW = [
  started(),
  transition(2, 'ideate', 'plan'),
  event(3, 'task.assigned', { taskId: 't1', title: 'One' }),
];
const LEDGER = ledger([...RUN, begun('other')]);

interface Case {
  readonly dialect: Dialect;
  readonly states: DialectStates;
  readonly events: readonly JsonObject[];
  readonly run?: string;
}

test.each<Case>([
  { dialect: coordinator, states: ofPlans, events: PLAN },
  { dialect: exarchos, states: ofWorkflows, events: WORKFLOW },
  { dialect: fishbowl, states: ofLedgers, events: LEDGER },
  { dialect: fishbowl, states: ofLedgers, events: LEDGER, run: 'r' },
])('a page has the states of $dialect.name as the commands do, of run $run', async (one) => {
  const { dialect, states, events, run } = one;
  const projector = await dialect.projector({ run });
  await eachRecord(toLog(events), (record) => projector.add(record));
  const fold = states.fold(run);
  for (const [index, one] of events.entries()) fold.addEvent(one, index + 1);
  const { value } = fold.result();
  expect(value).toEqual(projector.result().value);
  const view = states.view(value);
  expect(view).toEqual(await dialect.stateView?.(value, 'projected'));
  expect(view.flatMap(({ fields = [] }) => fields)).not.toEqual([]);
  expect(view.flatMap(({ table }) => table?.rows ?? [])).not.toEqual([]);
});
