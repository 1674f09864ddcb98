import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { coordinator } from '../../src/dialects/coordinator/index.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { exarchos } from '../../src/dialects/exarchos/index.ts';
import { fishbowl } from '../../src/dialects/fishbowl/index.ts';
import { otlp } from '../../src/dialects/otlp/index.ts';
import { jsonSchema } from '../../src/read/outputs/json-schema.ts';
import { SAMPLES } from '../support/cli.ts';
import { log as coordinated, start } from './coordinator/logs.ts';
import { started } from './exarchos/support.ts';
import { ledger, RUN } from './fishbowl/ledgers.ts';

const STATE = {
  session_id: 's',
  saved_at: '2026-01-17T09:00:00Z',
  completed_tasks: ['1'],
  available_tasks: {},
};
const WORKFLOW = { featureId: 'f', workflowType: 'feature', phase: 'plan', artifacts: {}, tasks: [] };

test.each<{ dialect: Dialect; name: string; stored: unknown }>([
  { dialect: coordinator, name: 'event', stored: coordinated([start])[0] },
  { dialect: coordinator, name: 'state', stored: STATE },
  { dialect: exarchos, name: 'event', stored: started() },
  { dialect: exarchos, name: 'state', stored: WORKFLOW },
  { dialect: fishbowl, name: 'event', stored: ledger(RUN)[0] },
])('$dialect.name has a schema of what it stores as $name', async ({ dialect, name, stored }) => {
  const own = (await dialect.schemas?.())?.[name];
  expect(own?.schema.safeParse(stored).success).toBe(true);
  expect(own?.schema.safeParse({}).success).toBe(false);
  expect(await jsonSchema(name, dialect)).toMatchObject({ title: own?.title, type: 'object' });
});

test.each<{ dialect: Dialect; event: object; broken: object }>([
  {
    dialect: fishbowl,
    event: { ...ledger(RUN)[0] },
    broken: { payload: { seed: 7 } },
  },
  { dialect: exarchos, event: started(), broken: { data: { featureId: 7 } } },
  {
    dialect: exarchos,
    event: { ...started(), type: 'gate.executed', data: {} },
    broken: { data: { dimension: 7 } },
  },
  { dialect: exarchos, event: { ...started(), type: 'mine.own', data: { a: 1 } }, broken: { data: [] } },
  {
    dialect: coordinator,
    event: { ...coordinated([start])[0], event_type: 'workflow_complete', details: { total_tasks: 5 } },
    broken: { details: { total_tasks: '5' } },
  },
  {
    dialect: coordinator,
    event: { ...coordinated([start])[0], event_type: 'of_tomorrow', details: { total_tasks: '5' } },
    broken: { details: [] },
  },
])(
  'the schema of an event of $dialect.name has the payload of its type',
  async ({ dialect, event, broken }) => {
    const own = (await dialect.schemas?.())?.['event'];
    const isValid = new Ajv2020({ strict: false }).compile(await jsonSchema('event', dialect));
    for (const [stored, isFine] of [
      [event, true],
      [{ ...event, ...broken }, false],
    ] as const) {
      expect(own?.schema.safeParse(stored).success).toBe(isFine);
      expect(isValid(stored)).toBe(isFine);
    }
  },
);

test.each<[Dialect, string]>([
  [exarchos, 'exarchos/demo-feature.events.jsonl'],
  [coordinator, 'coordinator/nested-two-sessions.jsonl'],
  [fishbowl, 'fishbowl/ledger-10-runs.scrubbed.jsonl'],
])('the schema of an event of $name fits what its program wrote', async (dialect, log) => {
  const own = (await dialect.schemas?.())?.['event'];
  const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(
    await jsonSchema('event', dialect),
  );
  const events = readFileSync(join(SAMPLES, log), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.length).toBeGreaterThan(20);
  for (const event of events) {
    expect(own?.schema.safeParse(event).success).toBe(true);
    expect(isValid(event)).toBe(true);
  }
});

test('a dialect without schemas has only those of outputs and of chains', async () => {
  await expect(jsonSchema('event', otlp)).rejects.toMatchObject({
    code: 'usage',
    hint: expect.stringContaining('known schemas: report, chain, list, show'),
  });
  expect(await jsonSchema('report', otlp)).toMatchObject({ title: 'The report of noesis verify -j' });
});
