import { renameSync, truncateSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesGlob } from '../../src/base/text/glob.ts';
import { noesis } from '../../src/dialects/noesis/index.ts';
import { copyLines, readLines } from '../../src/read/select/copy-lines.ts';
import { LineRanges } from '../../src/read/select/line-ranges.ts';
import { whyNothing } from '../../src/read/select/no-match.ts';
import { parseFields, pickFields } from '../../src/read/select/pick-fields.ts';
import { selectLines } from '../../src/read/select/select.ts';
import { compileSearch, excerptOf } from '../../src/read/select/text-search.ts';
import { times } from '../support/length.ts';
import { tempFile } from '../support/temp.ts';

const NO_FILTERS = { phases: [], types: [], agents: [] };

async function copied(path: string, lines: LineRanges): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of copyLines(path, lines)) parts.push(part.bytes);
  return Buffer.concat(parts).toString();
}

describe('the lines of a selection', () => {
  test('come out as they are stored, in any order, far apart or not', async () => {
    const stored = Array.from({ length: 300 }, (_, n) => `{"n":${n},"s":"${'é'.repeat((n * 977) % 3000)}"}`);
    const path = tempFile(`\n${stored.join('\n\n')}`);
    const { lines } = await selectLines(path, { filters: NO_FILTERS }, noesis);
    expect(await copied(path, lines)).toBe(`${stored.join('\n')}\n`);

    const order = fc.array(fc.nat({ max: stored.length - 1 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(order, async (wanted) => {
        const some = new LineRanges();
        for (const n of wanted) some.add(lines.line(n), lines.byteStart(n), lines.byteEnd(n));
        expect(await copied(path, some)).toBe(wanted.map((n) => `${stored[n]}\n`).join(''));
      }),
      { numRuns: 30 },
    );
  });

  test('that have disappeared are an error, and not left out silently', async () => {
    const lines = new LineRanges();
    lines.add(1, 0, 100);
    const reading = readLines(tempFile('{}\n'), lines);
    await expect(reading.next()).rejects.toMatchObject({ code: 'log-changed' });
  });

  test('of a log that is truncated or replaced while it is searched are dropped', async () => {
    const line = `{"id":"a","phase":"act","text":"${'x'.repeat(1000)}"}\n`;
    for (const change of [
      (path: string) => truncateSync(path, 100),
      (path: string) => {
        writeFileSync(`${path}.new`, line.repeat(5000));
        renameSync(`${path}.new`, path);
      },
    ]) {
      const path = tempFile(line.repeat(5000));
      let done = false;
      const time: typeof noesis.view.time = (record) => {
        if (!done) change(path);
        done = true;
        return noesis.view.time(record);
      };
      const source = { ...noesis, view: { ...noesis.view, time } };
      await expect(selectLines(path, { filters: NO_FILTERS }, source)).rejects.toMatchObject({
        code: 'log-changed',
      });
    }
  });

  test('of a replaced file are an error, and not printed as garbage', async () => {
    const path = tempFile('{"id":1}\n{"id":2}\n');
    const { lines: found } = await selectLines(path, { filters: NO_FILTERS }, noesis);
    writeFileSync(`${path}.new`, '[1234]\n[12345]\n');
    renameSync(`${path}.new`, path);
    await expect(copied(path, found)).rejects.toMatchObject({ code: 'log-changed' });
  });

  test('need little memory, and can be cut at both ends', () => {
    fc.assert(
      fc.property(fc.nat(2000), fc.nat(2000), fc.nat(2000), (count, last, first) => {
        const lines = new LineRanges();
        for (let n = 1; n <= count; n += 1) lines.add(n, n * 10, n * 10 + 9);
        lines.keepLast(last);
        lines.keepFirst(first);
        const expected = Array.from({ length: count }, (_, n) => n + 1)
          .slice(Math.max(0, count - last))
          .slice(0, first);
        const numbers = Array.from({ length: lines.length }, (_, index) => lines.line(index));
        expect(numbers).toEqual(expected);
        for (let index = 0; index < lines.length; index += 1) {
          expect(lines.only(index).byteStart(0)).toBe(lines.line(index) * 10);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('a selection', () => {
  test('stops at the first corrupt line, and yields the lines before it', async () => {
    const path = tempFile('{"phase":"a"}\n{"phase":"b"}\nx\n{"phase":"a"}\n');
    const { lines, corruption } = await selectLines(
      path,
      { filters: { ...NO_FILTERS, phases: ['a'] } },
      noesis,
    );
    expect([lines.length, corruption?.line]).toEqual([1, 3]);
  });

  test('keeps the last of very many', async () => {
    const path = tempFile(Array.from({ length: 20_000 }, (_, n) => `{"n":${n}}\n`).join(''));
    const { lines } = await selectLines(path, { filters: NO_FILTERS, last: 3 }, noesis);
    expect(await copied(path, lines)).toBe('{"n":19997}\n{"n":19998}\n{"n":19999}\n');
  });
});

describe('picking fields', () => {
  const pick = (event: object, fields: string) =>
    JSON.stringify(pickFields(event as Parameters<typeof pickFields>[0], parseFields(fields)));

  test.each<[object, string, string]>([
    [{ id: '1', payload: { a: 1, b: 2 } }, 'id,payload.a', '{"id":"1","payload":{"a":1}}'],
    [{ a: { b: 1, c: 2 } }, 'a.c,a.b', '{"a":{"c":2,"b":1}}'],
    [{ a: null }, 'a,b,a.b', '{"a":null}'],
    [{ a: [{ x: 1 }, { x: 2 }] }, 'a[1].x', '{"a":{"1":{"x":2}}}'],
    [{ a: { b: 1 } }, 'a,a.b', '{"a":{"b":1}}'],
    [{ 'a.b': 1 }, '["a.b"]', '{"a.b":1}'],
    [{ a: 'text' }, 'a.length', '{}'],
    [{}, 'toString,constructor', '{}'],
  ])('%j by %s', (event, fields, expected) => {
    expect(pick(event, fields)).toBe(expected);
  });

  test('never touches a prototype', () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":1}}') as object;
    expect(pick(hostile, '__proto__.polluted')).toBe('{"__proto__":{"polluted":1}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test.each(['', 'a,', ',a', 'a..b', 'a b', '['])('%j is not a list of fields', (text) => {
    expect(() => parseFields(text)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});

describe('globs', () => {
  test('match as the same words with .* between them do', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', '.', '*'), { maxLength: 8 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (glob, word) => {
        const pattern = glob
          .split('*')
          .map((part) => part.replaceAll('.', '\\.'))
          .join('.*');
        expect(matchesGlob(word, glob)).toBe(new RegExp(`^${pattern}$`).test(word));
      }),
      { numRuns: times(1000, 200) },
    );
  });

  test('are fast for a hostile one', () => {
    expect(matchesGlob('a'.repeat(100_000), `${'a*'.repeat(1000)}b`)).toBe(false);
  });
});

describe('a search for an expression', () => {
  test('marks each place, and no empty one', () => {
    const { placesIn } = compileSearch('/b*/');
    expect(placesIn('abba b')).toEqual([
      [1, 3],
      [5, 6],
    ]);
    expect(compileSearch('/x/').placesIn('x'.repeat(2000)).length).toBeLessThan(2000);
  });

  test('shows the text around the first place, and nothing if there is none', () => {
    const text = `${'a'.repeat(60)}needle${'b'.repeat(60)}`;
    expect(excerptOf(compileSearch('/ne+dle/'), text)).toBe(`…${'a'.repeat(40)}needle${'b'.repeat(40)}…`);
    expect(excerptOf(compileSearch('needle'), 'a needle')).toBe('a needle');
    expect(excerptOf(compileSearch('needle'), 'none')).toBeUndefined();
  });
});

test('in a torn log, an event before the damage has its chain, and a later one has none', async () => {
  const path = tempFile('{"id":"event_1","phase":"act"}\n{"torn\n');
  const chainOf = async (chain: string) => {
    const { lines, corruption } = await selectLines(path, { filters: NO_FILTERS, chain }, noesis);
    return [lines.length, corruption?.line];
  };
  expect([await chainOf('event_1'), await chainOf('event_2')]).toEqual([
    [1, 2],
    [0, 2],
  ]);
});

test('an event without a time is in no range', async () => {
  const path = tempFile('{"id":"a","phase":"act"}\n');
  const { lines } = await selectLines(path, { filters: { ...NO_FILTERS, since: 0 } }, noesis);
  expect(lines.length).toBe(0);
});

test('the first twenty of many corrupt lines are named', async () => {
  const path = tempFile(`{"id":"a"}\n${'{"torn\n'.repeat(25)}`);
  const { skipped } = await selectLines(path, { filters: NO_FILTERS, partial: true }, noesis);
  const lines = Array.from({ length: 20 }, (_, at) => at + 2);
  expect(skipped).toEqual({ count: 25, lines, reason: 'not JSON: the text ends inside a string' });
  const none = { ...NO_FILTERS, phases: ['nothing'] };
  expect(await whyNothing(path, none, noesis)).toEqual(['no event of phase nothing']);
  // A log of this format has no runs.
  const ofRun = { ...NO_FILTERS, own: [{ name: 'run', values: ['r1'] }] };
  expect(await whyNothing(path, ofRun, noesis)).toEqual(['no event of run r1']);
});
