import { mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { firstRecords } from '../../../src/dialects/kit/sample.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'noesis-sample-'));
  // A file that was just written may change again without another time, so it is read each time.
  const later = Date.now() + 60_000;
  vi.spyOn(Date, 'now').mockReturnValue(later);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const lines = (count: number, text = 'x'): string =>
  Array.from({ length: count }, (_, index) => `${JSON.stringify({ index, text })}\n`).join('');

const upTo = (path: string, count: number) => firstRecords(path, ({ length }) => length >= count);

describe('the first records of a log', () => {
  test('are the same in any order of the questions', () => {
    let files = 0;
    const counts = fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 6 });
    const texts = fc.integer({ min: 1, max: 5000 });
    fc.assert(
      fc.property(counts, fc.integer({ min: 0, max: 25 }), texts, (questions, records, size) => {
        files += 1;
        const [log, copy] = [join(folder, `${files}.jsonl`), join(folder, `${files}-copy.jsonl`)];
        writeFileSync(log, lines(records, 'x'.repeat(size)));
        writeFileSync(copy, lines(records, 'x'.repeat(size)));
        const all = upTo(log, 20) ?? [];
        expect(all.length).toBeLessThanOrEqual(Math.min(records, 20));
        expect(all.map(({ index }) => index)).toEqual(all.map((_, index) => index));
        for (const count of questions) expect(upTo(copy, count)).toEqual(all.slice(0, count));
      }),
      { numRuns: 40 },
    );
  });

  test('are parsed once for questions that follow each other', () => {
    const log = join(folder, 'a.jsonl');
    writeFileSync(log, lines(3));
    const [first] = upTo(log, 1) ?? [];
    const [again, second] = upTo(log, 2) ?? [];
    expect(again).toBe(first);
    expect(second).toEqual({ index: 1, text: 'x' });
  });

  test('are read again if the file changed, whatever its size and time of modification say', async () => {
    const log = join(folder, 'a.jsonl');
    const other = join(folder, 'b.jsonl');
    const texts = () => upTo(log, 20)?.map(({ text }) => text);
    writeFileSync(log, lines(1, 'a'));
    const { atime, mtime } = statSync(log);
    expect(texts()).toEqual(['a']);
    // Some kernels count the times of files in steps of up to ten milliseconds.
    await sleep(30);
    writeFileSync(log, lines(1, 'b'));
    utimesSync(log, atime, mtime);
    expect(texts()).toEqual(['b']);
    writeFileSync(log, lines(1, 'c'), { flag: 'a' });
    expect(texts()).toEqual(['b', 'c']);
    writeFileSync(other, lines(1, 'd'));
    renameSync(other, log);
    expect(texts()).toEqual(['d']);
    rmSync(log);
    expect(texts()).toBeUndefined();
  });

  test('are read again if the file changed in the last two seconds', () => {
    vi.restoreAllMocks();
    const log = join(folder, 'a.jsonl');
    writeFileSync(log, lines(1));
    const [first] = upTo(log, 1) ?? [];
    expect(upTo(log, 1)?.[0]).not.toBe(first);
  });
});
