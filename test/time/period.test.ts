import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseInstant } from '../../src/base/time/instant.ts';
import { periodOf } from '../../src/base/time/period.ts';

describe('the week of a day', () => {
  test.each([
    ['2026-03-02', '2026-W10'],
    ['2026-03-08', '2026-W10'],
    ['2025-12-29', '2026-W01'],
    ['2027-01-03', '2026-W53'],
    ['2024-12-30', '2025-W01'],
  ])('of %s is %s', (day, week) => {
    expect(periodOf(day, 'week')).toBe(week);
  });

  test('begins on the Monday that options take for it', () => {
    const days = fc.date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(days, (date) => {
        const day = date.toISOString().slice(0, 10);
        const monday = parseInstant(periodOf(day, 'week')) ?? Number.NaN;
        const since = Date.parse(day) - monday;
        expect(since >= 0 && since < 7 * 86_400_000).toBe(true);
      }),
    );
  });
});

test('a month is the first part of a day, and what is not a day is returned', () => {
  expect(periodOf('2026-03-02', 'month')).toBe('2026-03');
  expect(periodOf('2026-03-02', 'day')).toBe('2026-03-02');
  expect(periodOf('unknown', 'month')).toBe('unknown');
});
