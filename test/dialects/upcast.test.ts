import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/value.ts';
import { requireDialect } from '../../src/dialects/kit/sample.ts';
import { upcast } from '../../src/dialects/kit/upcast.ts';
import type { UpcastStep } from '../../src/dialects/kit/upcast-schema.ts';
import { withFormats } from '../../src/dialects/registry.ts';
import { projectEpisode } from '../../src/library/index.ts';
import { offerStates } from '../../src/show/page/app/states-in-page.ts';
import { episodePage } from '../../src/show/page/episode.ts';
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

  test('for a type comes before one for all types, and one for another type is ignored', () => {
    const steps = [
      { set: { by: 'all' } },
      { type: 't', set: { by: 'type' } },
      { type: 'u', set: { by: 'other' } },
    ];
    expect(read({}, steps)).toMatchObject({ by: 'type' });
    expect(read({}, [{ type: 'u' }])).toBeUndefined();
  });

  test('may be for the types that match a glob, and one for the type itself comes first', () => {
    expect(read({}, [{ type: '*', set: { by: 'glob' } }])).toMatchObject({ by: 'glob' });
    expect(
      read({}, [
        { type: 't*', set: { by: 'glob' } },
        { type: 't', set: { by: 'type' } },
      ]),
    ).toMatchObject({ by: 'type' });
    expect(read({}, [{ type: 'u*' }])).toBeUndefined();
  });

  test('of another dialect or version has no effect, and a cycle ends', () => {
    expect(read({}, [{ dialect: 'other' }])).toBeUndefined();
    expect(read({}, [{ from: '1' }], 1)).toBeUndefined();
    expect(read({}, [{ to: 'older' }, { from: 'older', to: 'old' }])).toBeUndefined();
    const event = {};
    expect(read(event, [], 'now')).toBe(event);
  });

  test('follows steps as far as they lead, in any order', () => {
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
    [
      'dialect = "exarchos"\nfrom = 1\nto = 2\nrename = { "a.__proto__" = "b" }',
      /rename.*must not name __proto__/,
    ],
    ['dialect = "exarchos"\nfrom = 1\nto = 2\nset = { "__proto__" = 1 }', /set must not name __proto__/],
    ['dialect = "exarchos"\nfrom = 1\nto = 2\ndrop = ["x.prototype"]', /drop\[0\] must not name __proto__/],
    ['dialect = "exarchos"\nfrom = 1\nto = 2\nset = { "a b" = 1 }', /must be a member of an event/],
    ['dialect = "exarchos"\nfrom = 1\nto = 2\nset = 1', /set must be a table/],
    ['dialect = "exarchos"\nfrom = 1\nto = 2\ndrop = ["a..b"]', /drop/],
    ['dialect = "exarchos"\nfrom = 1\nto = 2\nmove = {}', /move/],
  ])('is refused if it is wrong: %j', async (text, message) => {
    const cwd = writeTree({ 'f.events.jsonl': LOG, 'noesis.toml': `[[upcast]]\n${text}\n` });
    const { code, stderr } = await runHere(['verify', 'f.events.jsonl'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

/** Logs with one event in an older form, the same with that event in the newest, and the steps between. */
const FORMS = [
  {
    name: 'f.events.jsonl',
    dialect: 'exarchos',
    steps: `dialect = "exarchos"
from = "0.9"
to = "1.0"
rename = { kind = "type", "data.target" = "data.to", when = "timestamp" }`,
    event: (sequence: number, type: string, data: JsonObject) => ({
      streamId: 'f',
      sequence,
      timestamp: `2026-04-01T10:00:0${sequence}.000Z`,
      type,
      schemaVersion: '1.0',
      data,
    }),
    older: ({ type, timestamp, data, ...rest }: JsonObject): JsonObject => {
      const { to, ...others } = data as JsonObject;
      return {
        ...rest,
        kind: type as string,
        when: timestamp as string,
        schemaVersion: '0.9',
        data: { ...others, target: to as string },
      };
    },
    events: [
      ['workflow.started', { featureId: 'f', workflowType: 'feature' }],
      ['workflow.transition', { featureId: 'f', from: 'ideate', to: 'plan', trigger: 'user' }],
    ],
    filters: ['-t', 'workflow.transition'],
  },
  {
    name: 'ledger.jsonl',
    dialect: 'fishbowl',
    steps: `dialect = "fishbowl"
from = 9
to = 1
rename = { what = "kind", "payload.why" = "payload.reason", at = "created_at" }`,
    event: (sequence: number, kind: string, payload: JsonObject) => ({
      id: `e${sequence}`,
      run_id: 'r1',
      turn: sequence - 1,
      kind,
      actor: 'conductor',
      payload,
      created_at: `2026-04-01T10:00:0${sequence}Z`,
      schema_version: 1,
    }),
    older: ({ kind, created_at: at, payload, ...rest }: JsonObject): JsonObject => {
      const { reason, ...others } = payload as JsonObject;
      return {
        ...rest,
        what: kind as string,
        at: at as string,
        schema_version: 9,
        payload: { ...others, why: reason as string },
      };
    },
    events: [
      ['run.started', { goal: 'win', seed: 's' }],
      ['run.finished', { reason: 'user_stop' }],
    ],
    filters: ['-t', 'run.finished'],
  },
] as const;

describe.each(FORMS)('an older form of $name', ({ name, dialect, steps, event, older, events, filters }) => {
  const lines = (last: (stored: JsonObject) => JsonObject) =>
    events.map(([type, data], index) => {
      const stored: JsonObject = event(index + 1, type, { ...data });
      return `${JSON.stringify(index === 1 ? last(stored) : stored)}\n`;
    });
  const configuration = { 'noesis.toml': `[[upcast]]\n${steps}\n` };
  const now = writeTree({ [name]: lines((stored) => stored).join(''), ...configuration });
  const then = writeTree({ [name]: lines(older).join(''), ...configuration });
  const cut = (text: string, folder: string) =>
    text
      .replaceAll(folder, '')
      .replaceAll(/"(?:log_)?bytes": ?\d+|\b\d+ B\b|noesis-(?:test-)?\w{6}/g, '')
      .replaceAll(/"(?:sha256|hash|digest)": ?"[^"]*"/g, '');

  test.each([
    ['list', '.'],
    ['list', '-j', '.'],
    ['show', name],
    ['show', name, '-j'],
    ['read', name, '-j'],
    ['read', name],
    ['timeline', name, '-j'],
    ['events', name],
    ['events', name, ...filters],
    ['events', name, '--tree'],
    ['tail', name],
    ['stats', name, '-j'],
    ['project', name, '-j'],
    ['verify', name, '--strict'],
    ['sql', 'select line, type, agent, time, outcome from events order by line', name, '-j'],
    ['export', name, '--format', 'chrome'],
  ])('is read as the newest one by %s %s %s %s', async (...args) => {
    const [a, b] = [await runHere(args, { cwd: now }), await runHere(args, { cwd: then })];
    expect(a.code).toBe(0);
    expect([b.code, cut(b.stdout, then)]).toEqual([a.code, cut(a.stdout, now)]);
  });

  test('is printed as it is stored for programs, whatever selects it', async () => {
    const [, stored] = lines(older);
    for (const args of [filters, ['--last', '1']])
      expect((await runHere(['events', name, ...args, '-j'], { cwd: then })).stdout).toBe(stored);
    const copy = join(then, 'copy');
    await runHere(['redact', name, '-o', copy], { cwd: then });
    expect(readFileSync(join(copy, name), 'utf8')).toBe(lines(older).join(''));
  });

  test('is the newest one for diff, and for the library if it is given the steps', async () => {
    const { code, stdout } = await runHere(['diff', join(now, name), name], { cwd: then });
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('changed')]);
    const upcasts = parse(`[[upcast]]\n${steps}`)['upcast'] as JsonObject[];
    const settings = { [dialect]: { upcast: upcasts } };
    const states = await Promise.all([
      projectEpisode(join(now, name)),
      projectEpisode(join(then, name), { settings }),
      projectEpisode(join(then, name)),
    ]);
    expect(states[1]).toEqual(states[0]);
    expect(states[2]).not.toEqual(states[0]);
  });

  test('has the rows of the newest one on the page, which has the steps for its states', async () => {
    const page = async (cwd: string) => {
      const upcasts = parse(configuration['noesis.toml'])['upcast'] as UpcastStep[];
      return withFormats({ named: {}, upcasts }, async () => {
        const log = { name, path: join(cwd, name), dialect: requireDialect(dialect) };
        return (await episodePage(log, undefined)).document;
      });
    };
    const [a, b] = [await page(now), await page(then)];
    expect({ ...b.table, byteEnd: [] }).toEqual({ ...a.table, byteEnd: [] });
    expect(b.upcasts).toMatchObject([{ dialect }]);
    await import(`../../src/dialects/${dialect}/states.ts`).then(({ states }) => offerStates(states));
    const stateOf = (stored: readonly string[], upcasts?: readonly UpcastStep[]) => {
      globalThis.noesisStates?.begin(undefined, upcasts);
      for (const [index, line] of stored.entries()) globalThis.noesisStates?.add(line, index + 1);
      return globalThis.noesisStates?.snapshot();
    };
    const wanted = stateOf(lines((stored) => stored));
    expect(stateOf(lines(older), b.upcasts)).toBe(wanted);
    expect(stateOf(lines(older))).not.toBe(wanted);
  });
});
