import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { upcast } from '../../src/dialects/upcast.ts';
import type { UpcastStep } from '../../src/dialects/upcast-schema.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

const REQUEST = { dialect: 'd', type: 't', wanted: 'now', member: 'version' } as const;

const read = (event: JsonObject, steps: readonly Partial<UpcastStep>[], version: string | number = 'old') =>
  upcast(
    event,
    { ...REQUEST, version },
    steps.map((step) => ({ dialect: 'd', from: 'old', to: 'now', ...step })),
  );

describe('a step', () => {
  test('renames, sets and drops members at any depth, and leaves the stored event as it is', () => {
    const stored = Object.freeze({ a: { b: 1, c: 2 }, x: 'y', gone: true });
    expect(
      read(stored, [
        {
          rename: { 'a.b': 'data.deep.b', 'no.such': 'z', x: 'a.x' },
          set: { 'data.kind': 'new', 'a.c': 3 },
          drop: ['gone', 'a.nothing', 'no.such'],
        },
      ]),
    ).toEqual({ a: { c: 3, x: 'y' }, data: { deep: { b: 1 }, kind: 'new' }, version: 'now' });
    expect(stored).toEqual({ a: { b: 1, c: 2 }, x: 'y', gone: true });
  });

  test('for a type goes before one for all types, and one for another type is not taken', () => {
    const steps = [
      { set: { by: 'all' } },
      { type: 't', set: { by: 'type' } },
      { type: 'u', set: { by: 'other' } },
    ];
    expect(read({}, steps)).toMatchObject({ by: 'type' });
    expect(read({}, [{ type: 'u' }])).toBeUndefined();
  });

  test('of another dialect or version leads nowhere, and a circle ends', () => {
    expect(read({}, [{ dialect: 'other' }])).toBeUndefined();
    expect(read({}, [{ from: '1' }], 1)).toBeUndefined();
    expect(read({}, [{ to: 'older' }, { from: 'older', to: 'old' }])).toBeUndefined();
    const event = {};
    expect(read(event, [], 'now')).toBe(event);
  });

  test('follows another as far as they lead, in any order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.infiniteStream(fc.nat()), (length, order) => {
        const steps = Array.from({ length }, (_, index) => ({
          dialect: 'd',
          from: index,
          to: index + 1,
          set: { [`was-${index}`]: true },
        }));
        const shuffled = steps
          .map((step) => [order.next().value as number, step] as const)
          .sort(([a], [b]) => a - b)
          .map(([, step]) => step);
        const now = upcast({}, { ...REQUEST, version: 0, wanted: length }, shuffled);
        expect(Object.keys(now ?? {})).toHaveLength(length + 1);
      }),
    );
  });
});

describe('[[upcast]] in noesis.toml', () => {
  const TOML = `[[upcast]]
dialect = "exarchos"
type = "workflow.transition"
from = "0.9"
to = "1.0"
rename = { "data.target" = "data.to" }
set = { "data.trigger" = "unknown" }
drop = ["data.note"]
`;
  const line = (sequence: number, type: string, data: object, schemaVersion: string) =>
    `${JSON.stringify({ streamId: 'f', sequence, timestamp: '2026-04-01T10:00:00.000Z', type, schemaVersion, data })}\n`;
  const LOG =
    line(1, 'workflow.started', { featureId: 'f', workflowType: 'feature' }, '1.0') +
    line(2, 'workflow.transition', { featureId: 'f', from: 'ideate', target: 'plan', note: 'x' }, '0.9');

  test('lets verify, project and append read an older form, which stays as it is stored', async () => {
    const cwd = writeTree({ 'f.events.jsonl': LOG });
    const before = await runHere(['verify', 'f.events.jsonl', '--strict'], { cwd });
    expect(before.code).toBe(1);
    expect(before.stdout).toContain('event/schema-version');
    writeFileSync(join(cwd, 'noesis.toml'), TOML);
    const after = await runHere(['verify', 'f.events.jsonl', '--strict', '-j'], { cwd });
    expect(after.code).toBe(0);
    expect(JSON.parse(after.stdout)).toMatchObject({
      policy: { settings: { exarchos: { upcast: [{ from: '0.9', to: '1.0', drop: ['data.note'] }] } } },
    });
    const state = await runHere(['project', 'f.events.jsonl', '-j'], { cwd });
    expect(JSON.parse(state.stdout)).toMatchObject({ phase: 'plan' });
    const old = { type: 'workflow.transition', schemaVersion: '0.9', data: { featureId: 'f', from: 'plan' } };
    const append = await runHere(['append', 'f.events.jsonl', '--event', JSON.stringify(old)], { cwd });
    expect(append.stderr).not.toContain('is not known');
    expect(readFileSync(join(cwd, 'f.events.jsonl'), 'utf8').startsWith(LOG)).toBe(true);
  });

  test.each([
    ['dialect = "coordinator"\nfrom = 1\nto = 2', /dialect/],
    ['dialect = "exarchos"\nfrom = 1', /to/],
    [
      'dialect = "exarchos"\nfrom = "1.0"\nto = "1.0"\nset = { type = "x" }',
      /to must lead to another version/,
    ],
    ['dialect = "exarchos"\nfrom = 1\nto = 2\nrename = { "a.__proto__" = "b" }', /rename/],
    ['dialect = "exarchos"\nfrom = 1\nto = 2\ndrop = ["a..b"]', /drop/],
    ['dialect = "exarchos"\nfrom = 1\nto = 2\nmove = {}', /move/],
  ])('is refused if it is wrong: %j', async (text, message) => {
    const cwd = writeTree({ 'f.events.jsonl': LOG, 'noesis.toml': `[[upcast]]\n${text}\n` });
    const { code, stderr } = await runHere(['verify', 'f.events.jsonl'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
