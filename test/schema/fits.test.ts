import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as coordinatorEvents from '../../src/dialects/coordinator/schema/event.ts';
import * as exarchosArtifacts from '../../src/dialects/exarchos/schema/artifacts.ts';
import * as exarchosDelivery from '../../src/dialects/exarchos/schema/delivery.ts';
import * as exarchosEvents from '../../src/dialects/exarchos/schema/event.ts';
import * as exarchosParts from '../../src/dialects/exarchos/schema/parts.ts';
import * as exarchosQuality from '../../src/dialects/exarchos/schema/quality.ts';
import * as exarchosWork from '../../src/dialects/exarchos/schema/work.ts';
import * as exarchosWorkflow from '../../src/dialects/exarchos/schema/workflow.ts';
import * as fishbowlEvents from '../../src/dialects/fishbowl/schema/event.ts';
import * as fishbowlPayloads from '../../src/dialects/fishbowl/schema/payloads.ts';
import * as checkpoints from '../../src/dialects/noesis/checkpoint/schema.ts';
import * as payloads from '../../src/dialects/noesis/event/payloads.ts';
import * as events from '../../src/dialects/noesis/event/schema.ts';
import * as artifacts from '../../src/dialects/noesis/files/schemas.ts';
import * as finals from '../../src/dialects/noesis/seal/final-schema.ts';
import * as manifests from '../../src/dialects/noesis/seal/manifest-schema.ts';
import * as states from '../../src/dialects/noesis/state/schema.ts';
import { fits } from '../../src/log/schema/fits.ts';
import { misfits } from '../../src/log/schema/misfits.ts';
import { times } from '../support/length.ts';

/** Every schema in a module: exported alone, in a list, or by name. */
function schemasIn(value: unknown): z.ZodType[] {
  if (value instanceof z.ZodType) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(schemasIn);
}

const ALL = [
  ...schemasIn({ ...events, ...states, ...manifests, ...artifacts, ...finals, ...checkpoints }),
  ...schemasIn([
    Object.values(payloads.PAYLOADS).map((rules) => rules()),
    ['run.state_projection', 'run.resume'].map((type) => payloads.rulesFor('runtime', type)),
  ]),
  ...schemasIn({ ...exarchosEvents, ...exarchosArtifacts, ...fishbowlEvents }),
  ...schemasIn([
    { ...fishbowlPayloads },
    { ...coordinatorEvents },
    { ...exarchosDelivery, ...exarchosParts, ...exarchosQuality, ...exarchosWork, ...exarchosWorkflow },
  ]),
];

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.constantFrom('', 0, 1, -1, 0.5, 2 ** 53, Number.POSITIVE_INFINITY, null, [], {}),
);

type Def = z.core.$ZodTypes['_zod']['def'];

/** Values of which many fit a schema and the rest nearly do. */
function nearly(schema: z.ZodType, depth = 0): fc.Arbitrary<unknown> {
  const def = schema._zod.def as unknown as Def;
  const inner = (part: unknown) => nearly(part as z.ZodType, depth + 1);
  const fitting = (): fc.Arbitrary<unknown> => {
    switch (def.type) {
      case 'string':
        return fc.oneof(
          fc.string({ maxLength: 4 }),
          fc.constantFrom('2026-03-01T10:00:00.000Z', `sha256:${'0'.repeat(64)}`, 'a.b'),
        );
      case 'number':
        return fc.oneof(fc.integer({ min: -2, max: 9 }), fc.double({ noNaN: true }));
      case 'boolean':
        return fc.boolean();
      case 'literal':
        return fc.constantFrom<unknown>(...def.values);
      case 'enum':
        return fc.constantFrom<unknown>(...Object.values(def.entries));
      case 'optional':
        return fc.oneof(fc.constant(undefined), inner(def.innerType));
      case 'nullable':
        return fc.oneof(fc.constant(null), inner(def.innerType));
      case 'array':
        return fc.array(inner(def.element), { maxLength: 2 });
      case 'record':
        return fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), inner(def.valueType), { maxKeys: 2 });
      case 'union':
        return fc.oneof(...def.options.map(inner));
      case 'object': {
        const members = Object.entries(def.shape).map(([key, part]) => [key, inner(part)] as const);
        const required = members
          .map(([key]) => key)
          .filter((key) => !(def.shape[key] as z.ZodType).safeParse(undefined).success);
        const known = fc.record(Object.fromEntries(members), { requiredKeys: required });
        const further = fc.dictionary(fc.constantFrom('other', ...Object.keys(def.shape)), anything, {
          maxKeys: 1,
        });
        return fc.oneof(
          { weight: 4, arbitrary: known },
          { weight: 1, arbitrary: fc.tuple(known, further).map(([a, b]) => ({ ...a, ...b })) },
        );
      }
      default:
        return anything;
    }
  };
  return fc.oneof({ weight: 9 + depth * 60, arbitrary: fitting() }, { weight: 1, arbitrary: anything });
}

/** Issues as reported. zod also measures values with a length that have the wrong type. */
function told(issues: readonly z.core.$ZodIssue[]): unknown[] {
  const isFirst = ({ path }: z.core.$ZodIssue, at: number) => {
    const before = issues[at - 1];
    return before?.code !== 'invalid_type' || before.path.join() !== path.join();
  };
  // zod's messages do not name the type of the value.
  return issues
    .filter(isFirst)
    .map((issue) => (issue.code === 'invalid_type' ? { ...issue, message: '' } : issue));
}

describe('what fits a schema', () => {
  it('is compared with zod', () => {
    expect(ALL.length).toBeGreaterThan(100);
  });

  it.each(ALL.map((schema, index) => [index, schema] as const))(
    'is what zod says, schema %i',
    (_, schema) => {
      fc.assert(
        fc.property(nearly(schema), (value) => {
          expect(fits(schema, value)).toBe(schema.safeParse(value).success);
        }),
        { numRuns: times(100, 20) },
      );
    },
  );

  it.each(ALL.map((schema, index) => [index, schema] as const))(
    'is explained place by place as zod explains the whole, schema %i',
    (_, schema) => {
      fc.assert(
        fc.property(nearly(schema), (value) => {
          const { error } = schema.safeParse(value);
          fc.pre(error !== undefined);
          const issues = [...misfits(schema, value)].flatMap((misfit) =>
            misfit.issues.map((issue) => ({ ...issue, path: [...misfit.path, ...issue.path] })),
          );
          expect(told(issues)).toEqual(told(error.issues));
        }),
        { numRuns: times(100, 20), maxSkipsPerRun: 1000 },
      );
    },
  );

  it('is tested with fitting values for nine of ten schemas', () => {
    // Every run uses equal values, so that the number of fitting ones does not depend on chance.
    const hit = ALL.filter((schema) =>
      fc.sample(nearly(schema), { seed: 1, numRuns: 100 }).some((value) => schema.safeParse(value).success),
    );
    expect(hit.length).toBeGreaterThan(ALL.length * 0.9);
  });

  it('uses zod for unknown parts of a schema', () => {
    const schema = z.object({ at: z.iso.datetime(), id: z.uuid(), n: z.number().multipleOf(3) });
    const value = { at: '2026-03-01T10:00:00Z', id: '6f1c2f4e-3b1a-4c0d-9e8f-0a1b2c3d4e5f', n: 6 };
    expect(fits(schema, value)).toBe(true);
    for (const wrong of [{ at: 'soon' }, { id: 'x' }, { n: 4 }])
      expect(fits(schema, { ...value, ...wrong })).toBe(false);
  });
});

describe('a kind of schema that no format uses', () => {
  const VALUES = [
    undefined,
    null,
    true,
    0,
    1,
    2,
    2.5,
    -1,
    2 ** 40,
    2 ** 53,
    '',
    'a',
    'ab',
    'b',
    'abc',
    [],
    ['a'],
    [1, 2],
    {},
    { a: 1 },
    { a: 'x', b: 1 },
    { a: 'x', b: 'y' },
    { kind: 'a' },
    { kind: 'b', n: 1 },
  ];

  it.each<[string, z.ZodType]>([
    ['above and below', z.number().gt(0).lt(2)],
    ['from and to', z.number().gte(0).lte(2)],
    ['a number of 32 bits', z.int32()],
    ['a float', z.float32()],
    ['a check for 32 bits', z.number().check(z.int32())],
    ['a text of a beginning', z.string().startsWith('a')],
    ['a text of a format', z.email()],
    ['a pattern', z.string().regex(/^a/)],
    [
      'a check of several values',
      z.string().superRefine((text, at) => {
        if (text === 'a') at.addIssue('no');
      }),
    ],
    ['null', z.null()],
    ['an object whose other members are of one kind', z.object({ a: z.string() }).catchall(z.string())],
    ['an object with a check', z.object({ a: z.unknown() }).refine(({ a }) => a === 1)],
    ['a record with a check', z.record(z.string(), z.unknown()).refine((record) => 'a' in record)],
    ['a record whose keys are checked', z.record(z.string().max(1), z.unknown())],
    ['a record of some keys', z.record(z.enum(['a', 'b']), z.unknown())],
    [
      'a union discriminated by a member',
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('a') }),
        z.object({ kind: z.literal('b'), n: z.number() }),
      ]),
    ],
    ['a tuple', z.tuple([z.number(), z.number()])],
  ])('gets the same result from zod: %s', (_what, schema) => {
    expect(VALUES.map((value) => fits(schema, value))).toEqual(
      VALUES.map((value) => schema.safeParse(value).success),
    );
  });
});
