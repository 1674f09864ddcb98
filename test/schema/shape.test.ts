import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { isInstant } from '../../src/base/time/instant.ts';
import { isUtcTime } from '../../src/dialects/fishbowl/schema/event.ts';
import { LogForm } from '../../src/log/log-form.ts';
import { LogParser } from '../../src/log/parser.ts';
import { RowSource } from '../../src/log/row.ts';
import { layoutOf } from '../../src/log/row-layout.ts';
import { isAny, like, NEVER, unlike } from '../../src/log/schema/shape.ts';
import { shapeOf } from '../../src/log/schema/zod-shape.ts';
import { times } from '../support/length.ts';

/** Which of some values the table of a schema allows as the member `v` of a record. */
function allowed(schema: z.ZodType, values: readonly unknown[]): boolean[] {
  const source = RowSource.open(LogForm.stored(layoutOf(undefined, {}, [], () => [shapeOf(schema)])));
  const found: boolean[] = [];
  const parser = new LogParser(source, {
    row: ({ isAccepted }) => found.push(isAccepted),
    corrupt: () => expect.fail('nothing is corrupt'),
  });
  for (const value of values) {
    const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
    parser.filled(bytes.copy(parser.room()));
  }
  source.close();
  return found;
}

const literal = fc.constantFrom<string | number | boolean | null>('a', 'b', 0, 1, 2.5, true, null);

/** Schemas of every kind that a table knows, and of some that it does not. */
const { schema } = fc.letrec<{ schema: z.ZodType; leaf: z.ZodType; object: z.ZodType }>((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom<z.ZodType>(
      z.string(),
      z.string().min(1),
      z.string().min(2).max(3),
      z.string().length(2),
      z.string().regex(/^[ab]+$/),
      z.string().refine(isInstant),
      z.string().refine(isUtcTime),
      z.iso.datetime(),
      z.uuid(),
      z.email(),
      z.number(),
      z.int(),
      z.number().int().min(0),
      z.number().gt(0).lt(2),
      z.number().max(1),
      z.number().refine(Number.isInteger),
      z.number().multipleOf(2),
      z.boolean(),
      z.null(),
      z.unknown(),
      z.any(),
      z.never(),
      z.undefined(),
      z.enum(['a', 'b']),
      z.custom<string>((value) => value === 'a'),
      z.string().refine((text) => text !== 'a'),
      z.string().transform((text) => text.length),
      z.string().startsWith('a'),
      z.coerce.string(),
    ),
    fc.array(literal, { minLength: 1, maxLength: 3 }).map((values) => z.literal(values)),
  ),
  object: fc
    .tuple(
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'a "b"'), tie('schema'), { maxKeys: 3 }),
      fc.constantFrom('loose', 'strict', 'plain', 'catchall'),
      tie('schema'),
    )
    .map(([shape, kind, rest]) => {
      if (kind === 'loose') return z.looseObject(shape);
      if (kind === 'strict') return z.strictObject(shape);
      return kind === 'plain' ? z.object(shape) : z.object(shape).catchall(rest);
    }),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    tie('object'),
    tie('schema').map((one) => one.optional()),
    tie('schema').map((one) => one.nullable()),
    tie('schema').map((one) => one.nullish()),
    tie('schema').map((one) => z.nonoptional(one)),
    tie('schema').map((one) => one.readonly()),
    fc.tuple(tie('schema'), fc.nat(2), fc.nat(3)).map(([one, min, more]) =>
      z
        .array(one)
        .min(min)
        .max(min + more),
    ),
    fc.tuple(tie('schema'), tie('schema')).map(([one, other]) => z.union([one, other])),
    fc.tuple(tie('schema'), tie('schema')).map(([one, other]) => z.tuple([one, other])),
    fc.tuple(tie('schema'), tie('schema')).map(([one, rest]) => z.tuple([one], rest)),
    fc.tuple(tie('object'), tie('object')).map(([one, other]) => z.intersection(one, other)),
    tie('schema').map((one) => z.record(z.string(), one)),
  ),
}));

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    literal,
    fc.constantFrom(
      '',
      'aa',
      'ab',
      'abc',
      'abcd',
      'é',
      '😀',
      '2026-03-01T10:42:00Z',
      '2026-03-01',
      -1,
      1e30,
      0.1,
      3,
      false,
    ),
    fc.uuid(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'a "b"', '__proto__'), tie('value'), { maxKeys: 4 }),
  ),
}));

const records = fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c'), value, { maxKeys: 3 }), {
  minLength: 1,
});

describe('the table of a schema', () => {
  it('allows nothing that the schema refuses', () => {
    fc.assert(
      fc.property(schema, records, (one, values) => {
        for (const [index, isAllowed] of allowed(one, values).entries())
          if (isAllowed) expect(one.safeParse(JSON.parse(JSON.stringify(values[index]))).success).toBe(true);
      }),
      { numRuns: times(1500, 300) },
    );
  });

  it('allows many random values', () => {
    // Every run uses equal values, so that the number of allowed ones does not depend on chance.
    const samples = fc.sample(fc.tuple(schema, records), { seed: 1, numRuns: 300 });
    const yes = samples.flatMap(([one, values]) => allowed(one, values)).filter(Boolean);
    expect(yes.length).toBeGreaterThan(100);
  });

  it('allows what the schemas of formats allow', () => {
    const event = z.looseObject({
      id: z.string().min(1),
      at: z.iso.datetime(),
      n: z.int().min(1),
      words: z.array(z.enum(['a', 'b'])).nullish(),
      any: z.unknown(),
      deep: z.strictObject({ yes: z.boolean().optional(), of: z.record(z.string(), z.number()) }),
      one: z.union([z.literal(0), z.literal(1), z.boolean()]),
      by: z.discriminatedUnion('k', [
        z.object({ k: z.literal('x'), x: z.string() }),
        z.object({ k: z.literal('y'), y: z.string() }),
      ]),
    });
    const fine = {
      id: 'é',
      at: '2026-03-01T10:42:00.034512Z',
      n: 3,
      words: ['b', 'a'],
      any: null,
      deep: { of: { p: 1.5 } },
      one: 0,
      by: { k: 'y', y: '' },
      more: [{}],
    };
    expect(event.safeParse(fine).error).toBeUndefined();
    const broken = [
      { id: '' },
      { at: '2026-03-01' },
      { n: 0 },
      { n: 1.5 },
      { words: ['c'] },
      { any: undefined },
      { deep: { of: {}, no: 1 } },
      { deep: { of: { p: '1' } } },
      { one: 2 },
      { by: { k: 'y', x: '' } },
    ];
    const values = [fine, ...broken.map((change) => ({ ...fine, ...change }))];
    expect(allowed(event, values)).toEqual([true, ...broken.map(() => false)]);
  });

  it('recognises when it is empty', () => {
    expect(isAny(shapeOf(z.unknown()))).toBe(true);
    expect(isAny(shapeOf(z.union([z.unknown(), z.string()])))).toBe(true);
    expect(isAny(shapeOf(z.json()))).toBe(false);
    expect(shapeOf(z.string().transform(Number))).toEqual(NEVER);
  });
});

describe('schemas that a table cannot express allow nothing', () => {
  const numbers = (from: number, count: number) =>
    z.union(
      Array.from({ length: count }, (_, at) =>
        z
          .number()
          .min(from + at)
          .max(from + at),
      ),
    );
  const multipleOf = (count: number) => new RegExp(`^(?:a{${count}})*$`);

  it.each<[string, z.ZodType, unknown]>([
    ['a format of numbers', z.int32(), 1],
    ['an expression that looks ahead', z.string().regex(/(?=a)a/), 'a'],
    [
      'two expressions that take too much together',
      z.string().regex(multipleOf(41)).regex(multipleOf(43)),
      '',
    ],
    ['a literal that JSON has not', z.literal(1n), 1],
    ['a record whose keys are checked', z.record(z.string().min(1), z.unknown()), {}],
    ['a union of too many forms', numbers(0, 65), 1],
    ['two unions of too many forms together', z.intersection(numbers(0, 9), numbers(0, 9)), 1],
    ['a union of which one option may hold', z.xor([z.string(), z.number()]), 1],
    ['a transformation', z.unknown().transform(String), 1],
  ])('%s', (_what, schema, value) => {
    expect(allowed(z.object({ v: schema }), [{ v: value }])).toEqual([false]);
  });

  it('similar schemas are expressed', () => {
    expect(allowed(z.object({ v: z.literal(false) }), [{ v: false }, { v: true }])).toEqual([true, false]);
    expect(allowed(z.object({ v: numbers(0, 64) }), [{ v: 1 }, { v: 65 }])).toEqual([true, false]);
    expect(like(/(?=a)a/)).toBe(NEVER);
    expect(unlike(/(?=a)a/)).toBe(NEVER);
  });
});
