import { describe, expect, test } from 'vitest';
import { tinyEpisode } from '../findings/tiny-episode.ts';
import { damagedBytes, faultOfLog, firstBadLine, Patient } from './damage.ts';

describe('the log of a sealed episode', () => {
  const patient = new Patient(tinyEpisode('sealed'));

  test('every damage at every byte fails verification, on the right line', { timeout: 600_000 }, async () => {
    expect((await patient.verify()).findings).toEqual([]);
    const { tried, wrong } = await patient.endure('events.jsonl', (report, damage) =>
      report.verdict === 'fail' ? faultOfLog(report, damage) : `the verdict is ${report.verdict}`,
    );
    expect(wrong).toEqual([]);
    expect(tried).toBe(5 * damagedBytes(patient.bytes('events.jsonl')).length + 1);
  });
});

describe('the oracle', () => {
  test.each([
    ['{}\n{}\n', undefined],
    ['{}\n\n \r\n{}', undefined],
    ['{}\n{\n{}\n', 2],
    ['{}\n\n[]\n', 3],
    ['\u2003{}\u001c\n', undefined],
    ['\ufeff{}\n', 1],
    ['{}\n{"a":1', 2],
  ])('%j', (text, line) => {
    expect(firstBadLine(Buffer.from(text))).toBe(line);
  });
});
