import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gapBefore, type Run, SequenceNumbers } from '../../../src/dialects/exarchos/checks/numbers.ts';
import { IdIndex } from '../../../src/log/id-index.ts';
import { event, started, toLog, told, verifyEvents, verifyFiles } from './support.ts';

const log = (...sequences: number[]) => [started(), ...sequences.map((n) => event(n, 'test.result'))];
const messages = async (...sequences: number[]) =>
  (await verifyEvents(log(...sequences))).findings.map(
    ({ code, line, message }) => `${code} ${line}: ${message}`,
  );

describe('sequences', () => {
  test('that count up by one have no finding', async () => {
    expect(await messages(2, 3, 4)).toEqual([]);
  });

  test('a gap is one finding', async () => {
    expect(await messages(2, 7, 8)).toEqual([
      'sequence/gap 3: sequence 2 is followed by 7: 3 to 6 are missing',
    ]);
  });

  test('a gap that is filled later is not reported, but the late numbers go backwards', async () => {
    expect(await messages(2, 5, 3, 4)).toEqual([
      'sequence/backwards 4: sequence 3 and 4 (lines 4 and 5) comes after 5: lines and numbers are not in the same order',
    ]);
    expect(await messages(2, 6, 4)).toEqual([
      'sequence/gap 3: sequence 2 is followed by 6: 2 of the numbers 3 to 5 are missing',
      'sequence/backwards 4: sequence 4 comes after 6: lines and numbers are not in the same order',
    ]);
  });

  test('a repeated number is a finding', async () => {
    expect(await messages(2, 2, 3)).toEqual([
      'sequence/duplicate 3: sequence 2: the number is already on line 2',
    ]);
    expect(await messages(2, 4, 3, 3)).toEqual([
      'sequence/backwards 4: sequence 3 comes after 4: lines and numbers are not in the same order',
      'sequence/duplicate 5: sequence 3: the number is already on line 4',
    ]);
  });

  test('a count that starts again is one finding', async () => {
    expect(await messages(2, 3, 1, 2, 3, 4)).toEqual([
      'sequence/duplicate 4: sequence 1 to 3 (lines 4 to 6): the numbers are already on lines 1 to 3',
    ]);
  });

  test('two writers that use each number twice are one finding', async () => {
    const twice = Array.from({ length: 50 }, (_, index) => [index + 2, index + 2]).flat();
    expect(await messages(...twice)).toHaveLength(1);
  });

  test('a missing head is a warning, and info in the rotated stream', async () => {
    const late = [event(8, 'test.result'), event(9, 'workflow.checkpoint')];
    const report = await verifyEvents(late);
    expect(told(report)).toEqual(['warn sequence/gap 1 sequence']);
    expect(report.findings[0]?.message).toBe('the stream begins at 8: 1 to 7 are missing');
    const telemetry = toLog(late.map((one) => ({ ...one, streamId: 'telemetry' })));
    const name = 'telemetry.events.jsonl';
    expect(told(await verifyFiles({ [name]: telemetry }, name))).toEqual(['info sequence/gap 1 sequence']);
  });

  test('each stream counts on its own', async () => {
    const other = { streamId: 'g' };
    const both = [
      started(),
      event(1, 'test.result', undefined, other),
      event(2, 'test.result'),
      event(2, 'test.result', undefined, other),
    ];
    expect(told(await verifyFiles({ 'spool.jsonl': toLog(both) }, 'spool.jsonl'))).toEqual([]);
    expect(told(await verifyEvents(both))).toEqual(['warn consistency/stream-id 2 streamId']);
  });

  test('a sequence inside the data does not count', async () => {
    const events = [started(), event(2, 'workflow.snapshot_taken', { projectionId: 'p', sequence: 99 })];
    expect(told(await verifyEvents(events))).toEqual([]);
  });

  test('endless damage gives a bounded number of findings', async () => {
    const odd = Array.from({ length: 1000 }, (_, index) => index * 2 + 3);
    const gaps = await messages(...odd);
    expect(gaps).toHaveLength(101);
    expect(gaps[0]).toBe('sequence/gap undefined: 900 more such places');
    const down = await messages(...odd.toReversed());
    expect(down.filter((text) => text.startsWith('sequence/backwards'))).toHaveLength(101);
  });

  test('the largest number does no harm', async () => {
    expect((await messages(2, Number.MAX_SAFE_INTEGER, 3)).length).toBe(2);
  });
});

test('numbers get the findings that a plain list of them gives', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 60 }), (sequences) => {
      const numbers = new SequenceNumbers(new IdIndex(), 's');
      const lines = new Map<number, number>();
      const skips: Run[] = [];
      for (const [index, sequence] of sequences.entries()) {
        const line = index + 1;
        const max = Math.max(0, ...lines.keys());
        const step = numbers.take(sequence, line);
        const known = lines.get(sequence);
        if (known !== undefined) expect(step).toEqual({ kind: 'repeat', line: known });
        else if (sequence < max) expect(step).toEqual({ kind: 'late' });
        else expect(step.kind).toBe(sequence === max + 1 ? 'next' : 'skip');
        if (step.kind === 'skip') skips.push(step.run);
        if (known === undefined) lines.set(sequence, line);
      }
      for (let n = 1; n <= 31; n += 1) expect(numbers.lineOf(n)).toBe(lines.get(n));
      const missing = skips.reduce((sum, run) => sum + gapBefore(run).missing, 0);
      expect(missing).toBe(Math.max(0, ...lines.keys()) - lines.size);
    }),
  );
});
