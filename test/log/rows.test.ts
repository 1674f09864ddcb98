import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { isInstant } from '../../src/base/time/instant.ts';
import { useAccelerator } from '../../src/log/accelerator/use.ts';
import { LogForm } from '../../src/log/log-form.ts';
import { LogParser } from '../../src/log/parser.ts';
import { type Row, RowSource } from '../../src/log/row.ts';
import { layoutOf, membersLayout, type RowLayout } from '../../src/log/row-layout.ts';
import { shapeOf } from '../../src/log/schema/zod-shape.ts';
import { times } from '../support/length.ts';

const text = z.string();
const envelope = z.looseObject({
  id: text,
  kind: text,
  time: z.string().refine(isInstant).optional(),
  cause: text.nullish(),
  n: z.int().min(1).max(9000).optional(),
});
const payloads = {
  a: z.looseObject({
    payload: z.strictObject({
      word: z.enum(['x', 'y', 'long word']),
      list: z
        .array(z.union([text, z.null()]))
        .max(3)
        .optional(),
      share: z.number().min(0).max(1).nullish(),
    }),
  }),
  b: z.looseObject({
    payload: z.looseObject({
      either: z.union([z.object({ a: text }), z.looseObject({ b: z.boolean() }), z.literal(3)]),
      pair: z.tuple([z.int(), text]).optional(),
      code: z
        .string()
        .regex(/^[a-z]+(?:\.[a-z0-9]{2,4})?$/)
        .optional(),
      short: z.string().min(2).max(4).optional(),
    }),
  }),
};
const schemas: Record<string, z.ZodType> = { a: payloads.a, b: payloads.b };

const layout = layoutOf(
  'kind',
  {
    id: ['id', 'id'],
    cause: ['cause', 'id'],
    time: ['time', 'time'],
    n: ['n', 'number'],
    word: 'payload.word',
    share: ['payload.share', 'number'],
    deep: ['payload.either.b', 'text'],
    others: ['payload', 'others'],
  },
  Object.entries(schemas).map(
    ([type, schema]) => [type, () => [shapeOf(envelope), shapeOf(schema)]] as const,
  ),
  () => [shapeOf(envelope)],
);

interface Seen {
  readonly line: number;
  readonly bytes: readonly [number, number];
  readonly isAccepted: boolean;
  readonly json: string;
  readonly columns: unknown;
}

function seen(row: Row): Seen {
  const { at } = layout;
  const ordinal = (column: number) => {
    const number = row.ordinal(column);
    return number < 0 ? undefined : row.texts.textOf(number);
  };
  const { record } = row;
  return {
    line: row.line,
    bytes: [record.byteStart, record.byteEnd],
    isAccepted: row.isAccepted,
    json: record.text,
    columns: {
      type: row.type,
      name: row.id,
      id: ordinal(at.id),
      cause: ordinal(at.cause),
      time: row.time(at.time),
      n: row.number(at.n),
      word: row.text(at.word),
      share: row.number(at.share),
      kinds: Object.values(at)
        .slice(0, 7)
        .map((column) => row.kind(column)),
      values: Object.values(at)
        .slice(0, 7)
        .map((column) => row.value(column)),
    },
  };
}

function read(
  bytes: Uint8Array,
  how: RowLayout,
  pieces = [bytes.length],
): { rows: Seen[]; corrupt: unknown[] } {
  const rows: Seen[] = [];
  const corrupt: unknown[] = [];
  const source = RowSource.open(LogForm.stored(how));
  const parser = new LogParser(source, {
    row: (row) => rows.push(seen(row)),
    corrupt: (found) => corrupt.push(found),
  });
  let at = 0;
  for (let k = 0; at < bytes.length; k += 1) {
    const room = parser.room();
    const count = Math.min(room.length, Math.max(1, pieces[k % pieces.length] ?? 1), bytes.length - at);
    room.set(bytes.subarray(at, at + count));
    parser.filled(count);
    at += count;
  }
  parser.end();
  source.close();
  return { rows, corrupt };
}

function bothWays(bytes: Uint8Array, pieces?: number[]): { rows: Seen[]; accepted: number } {
  useAccelerator('always');
  const fast = read(bytes, layout, pieces);
  useAccelerator('never');
  const plain = read(bytes, layout);
  const strip = ({ rows, corrupt }: typeof fast) => ({
    rows: rows.map(({ isAccepted: _, ...rest }) => rest),
    corrupt,
  });
  expect(strip(fast)).toEqual(strip(plain));
  return { rows: fast.rows, accepted: fast.rows.filter(({ isAccepted }) => isAccepted).length };
}

/** Whether there is nothing to say about a record: what an accepted one must be. */
function isFine(json: string): boolean {
  const value: unknown = JSON.parse(json);
  if (!envelope.safeParse(value).success) return false;
  const { kind } = value as { kind: string };
  return !Object.hasOwn(schemas, kind) || schemas[kind]?.safeParse(value).success === true;
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 3 });
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(null, true, 0, -0, 1.5, 1e300, 12345678901234, '', 'x', '\ud800', 'ü', [], {}),
);
const record = fc.record(
  {
    id: fc.oneof({ weight: 8, arbitrary: fc.oneof(fc.uuid(), fc.string()) }, odd),
    cause: maybe(fc.oneof(fc.uuid(), fc.constant(null), odd)),
    kind: fc.oneof({ weight: 8, arbitrary: fc.constantFrom('a', 'b', 'c') }, odd),
    time: maybe(
      fc.oneof(
        fc
          .date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-01-01') })
          .map((date) => date.toISOString()),
        fc.constantFrom(
          '2026-03-01T10:42:00.034512+00:00',
          '2026-03-01',
          '2026-02-30T00:00:00Z',
          '1969-12-31T23:59:59.999999Z',
        ),
        odd,
      ),
    ),
    n: maybe(fc.oneof(fc.integer({ min: -1, max: 9001 }), fc.double(), odd)),
    payload: fc.oneof(
      fc.record(
        {
          word: fc.constantFrom('x', 'y', 'z', 'long word', 3),
          list: fc.array(fc.oneof(fc.string(), fc.constant(null), fc.integer())),
          share: fc.oneof(fc.double({ min: -0.1, max: 1.1 }), fc.constant(null)),
        },
        { requiredKeys: ['word'] },
      ),
      fc.record(
        {
          either: fc.oneof(
            fc.record({ a: fc.string() }),
            fc.record({ b: fc.boolean() }),
            fc.constantFrom(3, 4),
            odd,
          ),
          pair: fc.oneof(fc.tuple(fc.integer(), fc.string()), fc.array(fc.integer())),
          code: fc.constantFrom('abc', 'abc.d1', 'abc.', 'Abc', 'ab\n', ''),
          short: fc.string({ maxLength: 6, unit: 'grapheme' }),
          more: odd,
        },
        { requiredKeys: ['either'] },
      ),
      odd,
    ),
    'x-more': maybe(odd),
  },
  { requiredKeys: ['id', 'kind', 'payload'] },
);

/** A record as some writer would write it: keys in any order, with spaces, with escapes. */
const written = fc
  .tuple(record, fc.integer({ min: 0, max: 2 }), fc.boolean(), fc.boolean())
  .map(([value, indent, sorted, reversed]) => {
    const entries = Object.entries(value);
    if (sorted) entries.sort(([a], [b]) => (a < b ? -1 : 1));
    if (reversed) entries.reverse();
    const json = JSON.stringify(Object.fromEntries(entries), null, indent);
    return json.replaceAll('\n', ' ');
  });

const mutated = fc
  .tuple(
    written,
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.constantFrom(
          '"',
          '\\',
          '{',
          '}',
          ',',
          ':',
          '0',
          '9',
          'e',
          '.',
          '-',
          '\u0000',
          '\t',
          '[',
          'n',
          ' ',
          '\\u0061',
          ',"id":"y"',
          '"kind":"b",',
        ),
      ),
      { maxLength: 2 },
    ),
  )
  .map(([json, edits]) =>
    edits.reduce((now, [at, piece]) => {
      const place = at % (now.length + 1);
      return now.slice(0, place) + piece + now.slice(place + (at % 2));
    }, json),
  );

const [uuidA, uuidB] = ['285a01a7-9d46-4fc5-ac3b-7bc7b717183f', '285a01a7-9d46-4fc5-ac3b-7bc7b717183e'];

afterEach(() => useAccelerator('always'));

describe('rows', () => {
  it('are the same with the accelerator and without it, and what it accepts the schemas accept', () => {
    fc.assert(
      fc.property(
        fc.array(written, { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(300)),
        (lines, pieces) => {
          const found = bothWays(Buffer.from(`${lines.join('\n')}\n`), pieces);
          for (const row of found.rows) if (row.isAccepted) expect(isFine(row.json), row.json).toBe(true);
          // Few may be refused that are fine.
          const fine = found.rows.filter(({ json }) => isFine(json) && !json.includes('\\'));
          const missed = fine.filter(({ isAccepted }) => !isAccepted);
          for (const { json } of missed)
            expect(json).toMatch(/\d{15}|e[-+]?\d|\d\.\d{14}|[^\x20-\x7e]|T?\d\d:\d\d|\d{4}-\d\d-\d\d/);
        },
      ),
      { numRuns: times(300, 60) },
    );
  });

  it('of random records are accepted often enough to test what is accepted', () => {
    // Every run uses equal records, so that the number of accepted ones does not depend on chance.
    const lines = fc.sample(written, { seed: 1, numRuns: 400 });
    const { accepted } = bothWays(Buffer.from(`${lines.join('\n')}\n`));
    expect(accepted).toBeGreaterThan(lines.length / 50);
  });

  it('are the same for lines that are damaged', () => {
    fc.assert(
      fc.property(
        fc.array(mutated, { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat(300)),
        (lines, pieces) => {
          const { rows } = bothWays(Buffer.from(lines.join('\n')), pieces);
          for (const row of rows) if (row.isAccepted) expect(isFine(row.json), row.json).toBe(true);
        },
      ),
      { numRuns: times(300, 60) },
    );
  });

  it('are the same for damaged bytes', () => {
    fc.assert(
      fc.property(
        fc.array(written, { minLength: 1, maxLength: 6 }),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }),
        (lines, edits) => {
          const bytes = Buffer.from(`${lines.join('\n')}\n`);
          for (const [at, byte] of edits) bytes[at % bytes.length] = byte;
          const { rows } = bothWays(bytes);
          for (const row of rows) if (row.isAccepted) expect(isFine(row.json), row.json).toBe(true);
        },
      ),
      { numRuns: times(300, 60) },
    );
  });

  it('accept records without findings, however the type is found', () => {
    const fine = [
      '{"id":"1","kind":"a","payload":{"word":"x"}}',
      '{"payload":{"word":"long word","list":["p",null]},"kind":"a","id":"2"}',
      '{"id":"3","payload":{"either":3,"more":[{}]},"kind":"b","time":"2026-03-01T10:42:00Z"}',
      '{"id":"4","payload":{"anything":[1]},"kind":"of no table"}',
      '{"id":"5","payload":{"either":{"b":true}},"kind":"b"}',
    ];
    const { rows } = bothWays(Buffer.from(`${[...fine, ...fine.toReversed(), ...fine].join('\n')}\n`));
    expect(rows.map(({ isAccepted }) => isAccepted)).toEqual(Array.from({ length: 15 }, () => true));
  });

  it('know equal texts, the empty one too, in whichever column and order they come', () => {
    const ids = fc.constantFrom('', 'a', 'b', 'longer than eight', 'longer than aught', uuidA, uuidB);
    const line = fc
      .tuple(ids, fc.option(ids, { nil: undefined }))
      .map(([id, cause]) => JSON.stringify({ id, kind: 'a', payload: { word: 'x' }, cause }));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), fc.array(fc.nat(300)), (lines, pieces) => {
        const { rows, accepted } = bothWays(Buffer.from(`${lines.join('\n')}\n`), pieces);
        expect(accepted).toBe(rows.length);
      }),
    );
  });

  it('are made of objects alone', () => {
    const lines = ['{"id":"1"}', ' ["act","ok"]', '"id"', '3', 'null', '{"id":"2"}'];
    const found = { rows: 0, corrupt: 0 };
    const source = RowSource.open(LogForm.stored(membersLayout({ name: 'id' })));
    const parser = new LogParser(source, {
      row: () => (found.rows += 1),
      corrupt: () => (found.corrupt += 1),
    });
    parser.filled(Buffer.from(`${lines.join('\n')}\n`).copy(parser.room()));
    parser.end();
    source.close();
    expect(found).toEqual({ rows: 2, corrupt: 4 });
  });

  it('know many ids, long ones and halves of pairs among them, as one text each', () => {
    const ids = [
      ...Array.from({ length: 20_000 }, (_, n) => `id-${n}`),
      'x'.repeat(200_000),
      '\ud800',
      '\udfff\ud800',
      '\ufffd',
      '\ud83d\ude00',
    ];
    const lines = ids.map((id) => JSON.stringify({ id, kind: 'c', cause: id }));
    const source = RowSource.open(LogForm.stored(layout));
    const ordinals: number[] = [];
    const parser = new LogParser(source, {
      row(row) {
        expect(row.ordinal(layout.at.id)).toBe(row.ordinal(layout.at.cause));
        ordinals.push(row.ordinal(layout.at.id));
      },
      corrupt: () => expect.fail('nothing is corrupt'),
    });
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    for (let at = 0; at < bytes.length; ) {
      const room = parser.room();
      const count = bytes.copy(room, 0, at);
      parser.filled(count);
      at += count;
    }
    expect(new Set(ordinals).size).toBe(ids.length);
    expect(ordinals.map((ordinal) => source.row.texts.textOf(ordinal))).toEqual(ids);
    expect(ids.map((id) => source.row.texts.find(id))).toEqual(ordinals);
    expect(source.row.texts.find('never seen')).toBe(-1);
    expect(source.row.texts.size).toBe(ids.length);
    source.close();
  });

  it('read an object whose long keys differ only in the middle, and reject one with a repeated key', () => {
    useAccelerator('always');
    const keys = ['ephemeral_1h_input_tokens', 'ephemeral_5m_input_tokens', 'cache_creation_input_tokens'];
    const all = Array.from({ length: 40 }, (_, n) => `the same beginning ${n} and the same end of all`);
    const objectOf = (names: readonly string[]) => `{${names.map((name) => `"${name}":1`).join(',')}}`;
    const source = RowSource.open(LogForm.stored(layout));
    const read: boolean[] = [];
    const parser = new LogParser(source, {
      row: () => read.push(source.accelerator?.isRead === true),
      corrupt: () => expect.unreachable(),
    });
    const lines = [keys, all, [...keys, ...keys.slice(0, 1)], [...all, ...all.slice(7, 8)]].map(
      (names) => `{"id":"a","kind":"c","more":${objectOf(names)}}\n`,
    );
    parser.filled(Buffer.from(lines.join('')).copy(parser.room()));
    source.close();
    expect(read).toEqual([true, true, false, false]);
  });
});
