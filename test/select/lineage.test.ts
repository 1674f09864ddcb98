import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noesis } from '../../src/dialects/noesis/index.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { LogParser } from '../../src/log/parser.ts';
import type { LineRanges } from '../../src/read/select/line-ranges.ts';
import { Lineage } from '../../src/read/select/lineage.ts';

interface Link {
  readonly id?: string;
  readonly caused_by?: string | null;
}

function lineageOf(events: readonly Link[]): Lineage {
  const lineage = new Lineage(noesis);
  const parser = new LogParser(AS_STORED, { record: (record) => lineage.add(record), corrupt: () => {} });
  const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  parser.filled(parser.room().write(text));
  return lineage;
}

const numbers = (lines: LineRanges) => Array.from({ length: lines.length }, (_, index) => lines.line(index));

async function chain(events: readonly Link[], id: string) {
  const { lines, end } = await lineageOf(events).chain(id);
  return { lines: numbers(lines), end };
}

describe('the chain of an event', () => {
  const events = [{ id: 'start' }, { id: 'plan', caused_by: 'start' }, { id: 'act', caused_by: 'plan' }];

  test('is the event, then each ancestor', async () => {
    expect(await chain(events, 'act')).toEqual({ lines: [3, 2, 1], end: undefined });
    expect(await chain(events, 'start')).toEqual({ lines: [1], end: undefined });
  });

  test('ends at a missing cause, and says so', async () => {
    expect(await chain([{ id: 'act', caused_by: 'gone' }], 'act')).toEqual({
      lines: [1],
      end: { kind: 'missing', id: 'gone' },
    });
  });

  test('ends at a cycle, and says so', async () => {
    const cycle = [
      { id: 'a1', caused_by: 'a3' },
      { id: 'a2', caused_by: 'a1' },
      { id: 'a3', caused_by: 'a2' },
    ];
    expect(await chain(cycle, 'a2')).toEqual({ lines: [2, 1, 3], end: { kind: 'cycle', id: 'a2' } });
    expect(await chain([{ id: 'self', caused_by: 'self' }], 'self')).toEqual({
      lines: [1],
      end: { kind: 'cycle', id: 'self' },
    });
  });

  test('goes forwards and backwards in the log', async () => {
    expect((await chain([{ id: 'early', caused_by: 'late' }, { id: 'late' }], 'early')).lines).toEqual([
      1, 2,
    ]);
  });

  test('takes the first of two events with one id', async () => {
    expect(
      (await chain([{ id: 'same' }, { id: 'same', caused_by: 'same' }, { id: 'x', caused_by: 'same' }], 'x'))
        .lines,
    ).toEqual([3, 1]);
  });

  test('skips events without an id, and reads null as no cause', async () => {
    expect(await chain([{}, { id: 'a', caused_by: null }], 'a')).toEqual({ lines: [2], end: undefined });
  });

  test('begins at a prefix of at least four characters that fits one event only', async () => {
    const ids = [{ id: 'evt-one' }, { id: 'evt-other' }, { id: 'abcd' }, { id: 'abcdef' }];
    expect((await chain(ids, 'evt-on')).lines).toEqual([1]);
    expect((await chain(ids, 'abcd')).lines).toEqual([3]);
    await expect(chain(ids, 'evt-o')).rejects.toThrow(expect.objectContaining({ code: 'event-ambiguous' }));
    await expect(chain([{ id: 'evt-one' }], 'evt')).rejects.toThrow(
      expect.objectContaining({ code: 'event-missing' }),
    );
    await expect(chain(ids, 'nowhere')).rejects.toThrow(expect.objectContaining({ code: 'event-missing' }));
    await expect(chain(ids, '')).rejects.toThrow(expect.objectContaining({ code: 'event-missing' }));
  });
});

describe('in any log, with cycles and gaps and repeated ids', () => {
  const id = fc.integer({ min: 0, max: 7 }).map((n) => `id-${n}`);
  const link = fc.record({ id, caused_by: fc.option(id, { nil: null }) }, { requiredKeys: [] });
  const links = fc.array(link, { minLength: 1, maxLength: 12 });

  test('a chain ends, names no event twice, and each was caused by the next', async () => {
    await fc.assert(
      fc.asyncProperty(links, id, async (events, from) => {
        fc.pre(events.some((event) => event.id === from));
        const { lines, end } = await chain(events, from);
        expect(new Set(lines).size).toBe(lines.length);
        const on = (line: number | undefined) => events[(line ?? 0) - 1];
        expect(on(lines[0])?.id).toBe(from);
        lines.slice(1).forEach((line, index) => {
          expect(on(line)?.id).toBe(on(lines[index])?.caused_by);
        });
        const last = on(lines.at(-1))?.caused_by ?? undefined;
        expect(last).toBe(end?.id);
      }),
    );
  });

  test('the descendants of an event are those whose chain it is in', async () => {
    await fc.assert(
      fc.asyncProperty(links, id, async (events, from) => {
        const first = events.findIndex((event) => event.id === from) + 1;
        fc.pre(first > 0);
        // The causes of an event, directly from the definition.
        const leads = (line: number, seen = new Set<number>()): boolean => {
          if (line === first) return true;
          if (seen.has(line)) return false;
          seen.add(line);
          const cause = events[line - 1]?.caused_by;
          const parent = cause ? events.findIndex((event) => event.id === cause) + 1 : 0;
          return parent > 0 && leads(parent, seen);
        };
        const expected = events.map((_, index) => index + 1).filter((line) => leads(line));
        expect(numbers(await lineageOf(events).descendants(from))).toEqual(expected);
      }),
    );
  });
});

test('a chain of a hundred thousand events is walked without a crash', async () => {
  const events = Array.from({ length: 20_000 }, (_, n) => ({ id: `e-${n}`, caused_by: `e-${n - 1}` }));
  const lineage = new Lineage(noesis);
  const parser = new LogParser(AS_STORED, { record: (record) => lineage.add(record), corrupt: () => {} });
  for (const event of events) parser.filled(parser.room().write(`${JSON.stringify(event)}\n`));
  expect((await lineage.chain('e-19999')).lines.length).toBe(20_000);
  expect((await lineage.descendants('e-0')).length).toBe(20_000);
});

test('of a log without ids needs a line number', async () => {
  await expect(chain([{}, {}], 'abcd')).rejects.toMatchObject({
    code: 'event-missing',
    hint: 'the events of this log have no ids: give a line number',
  });
});

test('the first five of many events with that beginning are named', async () => {
  const events = Array.from({ length: 7 }, (_, at) => ({ id: `event_${at}` }));
  await expect(chain(events, 'event')).rejects.toThrow(
    'event is the beginning of the ids of 7 events: event_0, event_1, event_2, event_3, event_4, …',
  );
  await expect(chain(events.slice(0, 5), 'event')).rejects.toThrow(/event_4$/);
});

test('an event is among those before a corrupt line, or not', async () => {
  const lineage = lineageOf([{ id: 'event_1' }]);
  expect([await lineage.has('event_1'), await lineage.has('event_2')]).toEqual([true, false]);
});
