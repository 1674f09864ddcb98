import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NoesisError } from '../../src/base/errors.ts';
import { parseExactJson } from '../../src/base/json/parse.ts';
import type { JsonObject } from '../../src/base/json/value.ts';
import { Content, type ContentRules } from '../../src/read/compare/content.ts';
import { times } from '../support/length.ts';

const NONE: ReadonlySet<string> = new Set();
const USUAL: ContentRules = { ignore: [], durations: false, exact: false };
const content = new Content(USUAL);
const paths = (a: JsonObject, b: JsonObject, rules: Partial<ContentRules> = {}) => {
  const own = new Content({ ...USUAL, ...rules });
  return own.differences(a, b, own.ownNames(a), own.ownNames(b)).map(({ path }) => path);
};

describe('a part that always differs', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['ids', { id: '4bfd7fda-2583-4366-a1be-59634a58e305' }, { id: '86af2be3-453a-4f3b-8780-83a194bbf5e7' }],
    ['ids in texts', { at: 'in ep_01KJPWD6M0GKJVH2GKEFTDNN55' }, { at: 'in ep_01KJQ6PSG0DGB6DN0XWB2R05AD' }],
    ['ids of tools', { use: 'toolu_01AbcDefGhiJklMnoPq' }, { use: 'toolu_09ZzzDefGhiJklMnoPq' }],
    ['ids with a date', { at: 'ep_20251111_021915_752337_6365' }, { at: 'ep_20251112_031915_1_2' }],
    ['times', { note: 'at 2026-03-02T09:00:00.020Z' }, { note: 'at 2026-03-03 10:00:00+01:00' }],
    ['numbers that are times', { started_at: 17 }, { started_at: 18 }],
    ['durations', { metrics: { duration_ms: 3.5 } }, { metrics: { duration_ms: 4 } }],
    ['durations in other words', { elapsedMs: 3 }, { elapsedMs: 4 }],
    ['digests', { hash: 'sha256:a59d0e7ff8dab30f' }, { hash: 'sha256:96b749e25f5f6e6e' }],
    ['places', { sequence: 4, data: { parentUuid: 'a' } }, { sequence: 5, data: { parentUuid: 'b' } }],
    [
      'the name of the run',
      { streamId: 'one', data: { feature: 'one' } },
      { streamId: 'two', data: { feature: 'two' } },
    ],
  ])('is not a difference: %s', (_, a, b) => {
    expect(paths(a, b)).toEqual([]);
    expect(paths(a, b, { exact: true, durations: true })).not.toEqual([]);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['numbers', { payload: { score: 0.95 } }, { payload: { score: 0.4 } }],
    ['timeouts', { payload: { timeout_ms: 1 } }, { payload: { timeout_ms: 2 } }],
    ['words', { payload: { decision: 'veto' } }, { payload: { decision: 'allow' } }],
    ['steps', { step_id: 'step-1' }, { step_id: 'step-2' }],
    ['a member more', { a: 1 }, { a: 1, b: null }],
    ['an item more', { a: [1] }, { a: [1, 2] }],
    ['the kind of a value', { a: '1' }, { a: 1 }],
  ])('hides nothing else: %s', (_, a, b) => {
    expect(paths(a, b)).toHaveLength(1);
  });

  test('durations are compared on request', () => {
    expect(paths({ duration_ms: 1 }, { duration_ms: 2 }, { durations: true })).toEqual(['duration_ms']);
  });
});

describe('--ignore', () => {
  const [a, b] = [
    { payload: { steps: [{ text: 'x', n: 1 }, { text: 'y' }] } },
    { payload: { steps: [{ text: 'z', n: 2 }] } },
  ];

  test.each<[string[], string[]]>([
    [[], ['payload.steps[0].text', 'payload.steps[0].n', 'payload.steps[1]']],
    [['payload.steps.*.text'], ['payload.steps[0].n', 'payload.steps[1]']],
    [['payload.steps[0]'], ['payload.steps[1]']],
    [['payload'], []],
    [['payload.steps.*'], []],
    [['text'], ['payload.steps[0].text', 'payload.steps[0].n', 'payload.steps[1]']],
  ])('%j leaves %j', (ignore, left) => {
    expect(paths(a, b, { ignore })).toEqual(left);
  });

  test('is a path', () => {
    expect(() => new Content({ ...USUAL, ignore: ['a b'] })).toThrow(NoesisError);
  });
});

const key = fc.constantFrom('id', 'episode_id', 'started_at', 'duration_ms', 'note', 'n');
const leaf = fc.oneof(
  fc.constantFrom(
    'x',
    'y',
    '2026-03-02T09:00:00Z',
    '2026-03-02T09:00:01Z',
    'ep_01KJPWD6M0GKJVH2GKEFTDNN55',
    '',
  ),
  fc.constantFrom(0, 1, -0, 1e21, 0.1),
  fc.constantFrom(null, true),
);
const { value } = fc.letrec<{ value: unknown; array: unknown; object: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaf, tie('array'), tie('object')),
  array: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
}));
const object = fc.dictionary(key, value, { maxKeys: 4 }).map((made) => made as JsonObject);
const rules = fc.record({
  ignore: fc.subarray(['note', 'n.*', '*.id', 'id.*.n']),
  durations: fc.boolean(),
  exact: fc.boolean(),
});

test('two values have equal canonical texts exactly if nothing differs', () => {
  fc.assert(
    fc.property(object, object, rules, (a, b, chosen) => {
      const own = new Content(chosen);
      const differences = own.differences(a, b, NONE, NONE);
      expect(own.canonical(a, NONE) === own.canonical(b, NONE)).toBe(differences.length === 0);
    }),
    { numRuns: times(2000, 400) },
  );
});

test('numbers are compared by their values, however they are written', () => {
  const written = (text: string) =>
    parseExactJson(`{"n":${text}}`, () => JSON.parse(`{"n":${text}}`)) as JsonObject;
  for (const [a, b, equal] of [
    ['1', '1.0', true],
    ['100', '1e2', true],
    ['12345678901234567890', '12345678901234567891', false],
    ['12345678901234567890', '1234567890123456789e1', true],
    ['1e400', '10e399', true],
    ['0.1', '0.10', true],
    ['-0.0', '0', true],
  ] as const) {
    expect([a, b, content.canonical(written(a), NONE) === content.canonical(written(b), NONE)]).toEqual([
      a,
      b,
      equal,
    ]);
    expect([a, b, content.differences(written(a), written(b), NONE, NONE).length === 0]).toEqual([
      a,
      b,
      equal,
    ]);
  }
});

test('a long text takes no longer than its length', () => {
  for (const unit of ['a', 'a_', '0', '1_', '2026-03-02T', 'ab1', 'A_1', '-', 'toolu_'])
    content.text(`${unit.repeat(200_000)}!`);
});
