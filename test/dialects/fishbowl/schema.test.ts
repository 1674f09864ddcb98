import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { coerceInteger, coerceTime } from '../../../src/dialects/fishbowl/schema/coerce.ts';
import { eventSchema } from '../../../src/dialects/fishbowl/schema/event.ts';
import { readEvent, readEventLine } from './read-event.ts';

const VECTORS = join(import.meta.dirname, '../../samples/fishbowl/envelope-vectors.jsonl');

interface Vector {
  readonly name: string;
  readonly line: string;
  readonly accepted: boolean;
  readonly normalized?: JsonObject;
}

const vectors: Vector[] = readFileSync(VECTORS, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((row) => JSON.parse(row));

describe('the vectors of the engine', () => {
  test('are complete', () => expect(vectors).toHaveLength(91));

  test.each(vectors.map((vector) => [vector.name, vector] as const))(
    '%s',
    (_, { line, accepted, normalized }) => {
      expect(readEventLine(line)).toEqual(accepted ? normalized : undefined);
    },
  );
});

const GOOD: JsonObject = {
  id: 'e1',
  run_id: 'r1',
  turn: 1,
  kind: 'agent.spoke',
  actor: 'a',
  payload: { text: 'hi' },
  created_at: '2026-06-01T00:00:00Z',
  schema_version: 1,
};

describe('the strict reading', () => {
  test('takes the eight members of the document and the three that came later', () => {
    expect(readEvent(GOOD, 'strict')).toEqual({
      ...GOOD,
      session_id: null,
      model_profile: null,
      model_id: null,
    });
    const whole = { ...GOOD, session_id: 's', model_profile: 'fast', model_id: 'm' };
    expect(readEvent(whole, 'strict')).toEqual(whole);
  });

  test.each([
    ['a turn in quotes', { turn: '3' }],
    ['a turn with a fraction', { turn: 3.5 }],
    ['true for a turn', { turn: true }],
    ['a version in quotes', { schema_version: '1' }],
    ['a time without an offset', { created_at: '2026-06-01T00:00:00' }],
    ['a time of another zone', { created_at: '2026-06-01T02:00:00+02:00' }],
    ['a day that is not', { created_at: '2026-02-30T00:00:00Z' }],
    ['a number for a time', { created_at: 1717200000 }],
    ['a kind with a final newline', { kind: 'agent.spoke\n' }],
    ['an unknown member', { offset: 1 }],
    ['a payload that is a list', { payload: [] }],
  ])('refuses %s', (_, change) => {
    expect(readEvent({ ...GOOD, ...change } as JsonObject, 'strict')).toBeUndefined();
  });

  test.each(['id', 'run_id', 'turn', 'kind', 'actor', 'payload', 'created_at', 'schema_version'])(
    'refuses an event without %s',
    (key) => {
      const { [key]: _, ...rest } = GOOD;
      expect(readEvent(rest, 'strict')).toBeUndefined();
    },
  );

  test('refuses a member named __proto__ as any other', () => {
    const event = JSON.parse(`{"__proto__":{},${JSON.stringify(GOOD).slice(1)}`) as JsonObject;
    expect(readEvent(event, 'strict')).toBeUndefined();
    expect(readEvent(event)).toBeUndefined();
  });

  test('whatever it accepts, the compatible one accepts unchanged', () => {
    const text = fc.string();
    const event = fc.record(
      {
        id: text,
        run_id: text,
        turn: fc.integer(),
        kind: fc.constantFrom('a.b', 'agent.spoke', 'x1.y2.z3', 'nodot'),
        actor: text,
        payload: fc.dictionary(text, fc.jsonValue()),
        created_at: fc.constantFrom('2026-06-01T00:00:00Z', '2026-06-01T00:00:00.25Z', '2026-06-01'),
        schema_version: fc.integer(),
        session_id: fc.option(text),
      },
      { requiredKeys: ['id', 'run_id', 'turn', 'kind', 'actor', 'payload', 'created_at', 'schema_version'] },
    );
    fc.assert(
      fc.property(event, (given) => {
        const strict = readEvent(given as unknown as JsonObject, 'strict');
        if (strict === undefined) return;
        const lax = readEvent(given as unknown as JsonObject);
        expect(lax).toEqual({ ...strict, created_at: coerceTime(strict.created_at) });
      }),
    );
  });

  test('is the source of the JSON Schema', () => {
    expect(z.toJSONSchema(eventSchema)).toMatchObject({ additionalProperties: false });
  });
});

describe('coercion', () => {
  test.each([
    ['1_000', 1000],
    ['007', 7],
    ['+3', 3],
    ['-007', -7],
    ['-0', 0],
    ['\n3\n', 3],
    ['\u00a03', 3],
    ['1_0.0', 10],
    [1e20, undefined],
    ['3.', undefined],
    ['.0', undefined],
    ['1e3', undefined],
    ['1__0', undefined],
    ['_1', undefined],
    ['--3', undefined],
    ['３', undefined],
    ['0x1', undefined],
    ['', undefined],
    ['\u001f3', undefined],
    [null, undefined],
    [[], undefined],
  ])('reads %j as the integer %j', (value, expected) => expect(coerceInteger(value)).toBe(expected));

  test.each([
    ['2026-06-01T00:00:00+0200', '2026-06-01T00:00:00+02:00'],
    ['2026-06-01T00:00:00-00:30', '2026-06-01T00:00:00-00:30'],
    ['2026-06-01T00:00:00,5Z', '2026-06-01T00:00:00.500000Z'],
    ['2026-06-01_00:00', '2026-06-01T00:00:00'],
    ['2026-06-01T00:00:00+00:00', '2026-06-01T00:00:00Z'],
    ['0001-01-01', '0001-01-01T00:00:00'],
    ['-5', '1969-12-31T23:59:55Z'],
    ['.5', '1970-01-01T00:00:00.500000Z'],
    [-1.25, '1969-12-31T23:59:58.750000Z'],
    [20_000_000_000, '2603-10-11T11:33:20Z'],
    [20_000_000_001, '1970-08-20T11:33:20.001000Z'],
    ['2026-06-01T00', undefined],
    ['2026-06-01T00:00:00+02', undefined],
    ['2026-06-01T00:00:00+24:00', undefined],
    ['2026-06-01T00:00:00.Z', undefined],
    ['2026-02-29', undefined],
    ['0000-01-01', undefined],
    [' 5', undefined],
    ['1e3', undefined],
    [1e18, undefined],
    [true, undefined],
  ])('reads %j as the time %j', (value, expected) => expect(coerceTime(value)).toBe(expected));

  test('gives back what it has written', () => {
    const instant = fc.date({
      min: new Date('0001-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, (date) => {
        const text = coerceTime(date.toISOString());
        expect(coerceTime(text)).toBe(text);
        expect(new Date(text ?? '').getTime()).toBe(date.getTime());
      }),
    );
  });
});
