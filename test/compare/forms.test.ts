import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/value.ts';
import { nestedEvent } from '../../src/dialects/coordinator/read.ts';
import { diffRuns } from '../../src/library/index.ts';
import { ledger, RUN, started, verdict, won } from '../dialects/fishbowl/ledgers.ts';
import { SAMPLES } from '../support/cli.ts';
import { tempFile } from '../support/temp.ts';

const stored = (events: readonly JsonObject[]): string =>
  tempFile(events.map((event) => `${JSON.stringify(event)}\n`).join(''));

const SAME = { equal: true, counts: { changed: 0, missing: 0, added: 0 }, state: [] };

test('two runs of a ledger that differ in their ids alone are equal', async () => {
  const run = (id: string) =>
    stored(ledger([started(id), verdict(id), won(id)]).map((event) => ({ ...event, run_id: id })));
  expect(await diffRuns(run('r'), run('s'))).toMatchObject(SAME);
});

test('a ledger with eight fields equals one with eleven if the additional fields are empty', async () => {
  const eight = ledger(RUN);
  const eleven = (model: string | null) =>
    stored(eight.map((event) => ({ ...event, session_id: null, model_profile: null, model_id: model })));
  expect(await diffRuns(stored(eight), eleven(null))).toMatchObject(SAME);
  const { counts, first } = await diffRuns(stored(eight), eleven('m1'));
  expect(counts.changed).toBe(RUN.length);
  expect(first).toMatchObject({ fields: [{ path: 'model_id', a: null, b: 'm1' }] });
});

const NESTED = join(SAMPLES, 'coordinator/nested-two-sessions.jsonl');

test('the nested and the flat form of a coordinator log are equal', async () => {
  const events = readFileSync(NESTED, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
  const flat = events.map(({ details, ...event }) => ({ ...event, ...(details as JsonObject) }));
  expect(await diffRuns(NESTED, stored(flat as JsonObject[]))).toMatchObject(SAME);
  const other = events.map((event, index) => (index === 8 ? { ...event, details: { forged: 1 } } : event));
  expect((await diffRuns(NESTED, stored(other as JsonObject[]))).counts).toMatchObject({ changed: 1 });
});

test.each<[JsonObject, JsonObject]>([
  [{ no: 'type' }, { no: 'type' }],
  [
    { event: 'critic_pass', timestamp: 't', developer_id: 'd', details: { task_id: '1', x: 1 } },
    {
      timestamp: 't',
      sequence: null,
      session_id: null,
      event_type: 'critic_pass',
      agent_id: 'd',
      task_id: '1',
      details: { x: 1 },
    },
  ],
  [
    { event_type: 'critic_pass', sequence: 1, session_id: 's', task_id: '1', details: { task_id: '2' } },
    {
      timestamp: null,
      sequence: 1,
      session_id: 's',
      event_type: 'critic_pass',
      agent_id: null,
      task_id: '1',
      details: { task_id: '2' },
    },
  ],
])('an event is nested, and an id that contradicts another one stays: %j', (event, nested) => {
  expect(nestedEvent(event)).toEqual(nested);
});
