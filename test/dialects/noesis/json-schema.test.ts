import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { isObject, type JsonObject, type JsonValue } from '../../../src/base/json/value.ts';
import { noesis } from '../../../src/dialects/noesis/index.ts';
import { eventByPhaseSchema } from '../../../src/dialects/noesis/schemas.ts';
import { wordedStateSchema } from '../../../src/dialects/noesis/state/schema.ts';
import { eventSchema, type Finding, verifyEpisode } from '../../../src/library/index.ts';
import { jsonSchema } from '../../../src/read/outputs/json-schema.ts';
import { writeLog } from '../../statements/events/logs.ts';
import { RUN, writeState } from '../../statements/state/states.ts';
import { breakagesOf, merged, sampleOf } from '../../support/breakages.ts';
import { sampled, times } from '../../support/length.ts';

const validator = async (name: string) => {
  const ajv = new Ajv2020({ strict: false });
  const validate = ajv.compile(await jsonSchema(name, noesis));
  return (value: unknown) => validate(value) === true;
};

const FAMILIES = [
  'event/payload',
  'event/field-type',
  'event/wrong-type',
  'event/missing-field',
  'event/vocabulary',
  'event/range',
  'governance/candidate',
  'state/schema',
  'state/vocabulary',
];
const ofSchema = ({ code }: Finding) => FAMILIES.includes(code);

/** Each branch of the event schema with a record that fits it. */
const EVENTS = eventByPhaseSchema.options.map((option) => {
  const sample = sampleOf(option) as JsonObject;
  return { option: option as z.ZodType, fine: { ...sample, metrics: { duration_ms: 1 } } as JsonObject };
});

/** Removes some members of an object, at any depth, that `keep` does not need. */
const thinned = (value: JsonValue, gone: ReadonlySet<number>, counter = { at: 0 }): JsonValue => {
  if (Array.isArray(value)) return value.map((item) => thinned(item, gone, counter));
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([key, item]) => {
    counter.at += 1;
    return gone.has(counter.at) ? [] : [[key, thinned(item, gone, counter)] as const];
  });
  return Object.fromEntries(members);
};

const gaps = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 12 }).map((all) => new Set(all));

async function findingsByLine(records: readonly JsonValue[]): Promise<Map<number, Finding[]>> {
  const log = writeLog(records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const { findings } = await verifyEpisode(log, { maxFindings: 0 });
  const lines = new Map<number, Finding[]>();
  for (const one of findings.filter(ofSchema))
    lines.set(one.line ?? 0, [...(lines.get(one.line ?? 0) ?? []), one]);
  return lines;
}

const said = (found: readonly Finding[] = []) =>
  found.map(({ severity, message }) => `${severity} ${message}`);

/** Holds what verification says of records against what the printed schema says of them. */
async function compare(isValid: (value: unknown) => boolean, records: readonly JsonValue[]): Promise<void> {
  const lines = await findingsByLine(records);
  const contradictions = records.flatMap((record, index) => {
    const found = lines.get(index + 1) ?? [];
    const valid = isValid(record);
    const refused = valid && found.some(({ severity }) => severity === 'error');
    const missed = !valid && found.every(({ severity }) => severity === 'info');
    return refused || missed ? [[valid, said(found), JSON.stringify(record).slice(0, 300)]] : [];
  });
  expect(contradictions).toEqual([]);
}

describe('the printed schema of an event', () => {
  test('has a version, and the payload rules of every phase', async () => {
    const isValid = await validator('event');
    expect(JSON.stringify(await jsonSchema('event', noesis))).toContain('1.3.0');
    const event = (phase: string, payload: JsonObject, more: JsonObject = {}) => ({
      id: 'e',
      phase,
      payload,
      ...more,
    });
    expect(isValid(event('act', {}))).toBe(false);
    expect(isValid(event('act', { input_excerpt: 'x', outcome: 'ok' }))).toBe(true);
    expect(isValid(event('governance', { governance_id: 'g', decision: 'deny', policy_id: 'p' }))).toBe(
      false,
    );
    expect(isValid(event('runtime', {}))).toBe(false);
    expect(isValid(event('runtime', {}, { event_type: 'run.state_projection' }))).toBe(false);
    expect(isValid(event('runtime', {}, { event_type: 'run.interrupt' }))).toBe(true);
    expect(isValid(event('deliberate', {}))).toBe(true);
    expect(isValid({ phase: 'start', payload: {} })).toBe(false);
  });

  test('agrees with verification about each broken rule', async () => {
    const records = EVENTS.flatMap(({ option, fine }) => [
      fine,
      ...breakagesOf(option, fine).map(({ broken }) => broken),
    ]);
    expect(records.length).toBeGreaterThan(500);
    await compare(await validator('event'), sampled(records, 150));
  });

  test('accepts what eventSchema of the library accepts, and nothing else', async () => {
    const isValid = await validator('event');
    const records = EVENTS.flatMap(({ option, fine }) => [
      fine,
      ...breakagesOf(option, fine).map(({ broken }) => broken),
    ]);
    for (const record of [...records, { id: 'a', phase: 'act', payload: {} }])
      expect([isValid(record), record]).toEqual([eventSchema.safeParse(record).success, record]);
  });

  test('agrees with verification for any selection of members', async () => {
    const isValid = await validator('event');
    const one = fc.tuple(fc.constantFrom(...EVENTS), gaps).map(([{ fine }, gone]) => thinned(fine, gone));
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 20, maxLength: 60 }), (records) =>
        compare(isValid, records),
      ),
      { numRuns: times(15, 3) },
    );
  });
});

describe('the printed schema of a state', () => {
  const STARTED = { episode: { started_at: '2026-03-02T09:00:00Z' } };
  const fine = merged(sampleOf(wordedStateSchema) as JsonObject, STARTED);

  /** Compares the findings about a state with the schema. */
  async function compareState(isValid: (value: unknown) => boolean, state: JsonValue): Promise<void> {
    const { findings } = await verifyEpisode(writeState(state, RUN));
    const found = findings.filter((one) => ofSchema(one) && one.file?.endsWith('state.json'));
    const valid = isValid(state);
    const loud = found.filter(({ severity }) => severity !== 'info');
    const message = JSON.stringify([said(found), state]);
    if (valid)
      expect(
        loud.filter(({ severity }) => severity === 'error'),
        message,
      ).toEqual([]);
    else expect(loud, message).not.toEqual([]);
  }

  test('agrees with verification for any selection of members', async () => {
    const isValid = await validator('state');
    await compareState(isValid, fine);
    await fc.assert(
      fc.asyncProperty(gaps, (gone) => compareState(isValid, thinned(fine, gone))),
      { numRuns: times(60, 10) },
    );
  });

  test('refuses words that verification refuses', async () => {
    const isValid = await validator('state');
    const broken = breakagesOf(wordedStateSchema, fine).filter((_, index) => index % 3 === 0);
    for (const { broken: state } of sampled(broken, 25)) await compareState(isValid, state);
  });
});
