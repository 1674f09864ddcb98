import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseWhen } from '../../src/base/time/words.ts';

/** A Sunday, on the clock of this machine. */
const NOW = new Date(2026, 10, 22, 14, 30, 0).getTime();
const at = (...[month, day, hour = 0, minute = 0, second = 0]: number[]): number =>
  new Date(2026, (month ?? 1) - 1, day, hour, minute, second).getTime();

describe('words for times', () => {
  test.each<[string, number]>([
    ['now', NOW],
    ['today', at(11, 22)],
    ['yesterday', at(11, 21)],
    ['Yesterday at 9:05', at(11, 21, 9, 5)],
    ['tomorrow', at(11, 23)],
    ['13:00', at(11, 22, 13)],
    ['13:00:07', at(11, 22, 13, 0, 7)],
    ['15:00', at(11, 21, 15)],
    ['today 15:00', at(11, 22, 15)],
    ['sunday', at(11, 22)],
    ['last sunday', at(11, 15)],
    ['monday  9:30', at(11, 16, 9, 30)],
    ['saturday', at(11, 21)],
    ['sunday 13:00', at(11, 22, 13)],
    ['sunday 15:00', at(11, 15, 15)],
    ['tomorrow 9:00', at(11, 23, 9)],
    ['this week', at(11, 16)],
    ['Last  week', at(11, 9)],
    ['this month', at(11, 1)],
    ['last month', at(10, 1)],
    ['this year', at(1, 1)],
    ['last year', new Date(2025, 0, 1).getTime()],
  ])('%s follows the local calendar', (text, instant) => {
    expect(parseWhen(text, NOW)?.instant).toBe(instant);
  });

  test.each<[string, number]>([
    ['15m', NOW - 900_000],
    ['1.5h', NOW - 5_400_000],
    ['2 hours ago', NOW - 7_200_000],
    ['an hour ago', NOW - 3_600_000],
    ['1 min ago', NOW - 60_000],
    ['3 weeks ago', NOW - 3 * 604_800_000],
    ['a month ago', new Date(2026, 9, 22, 14, 30).getTime()],
    ['1 year ago', new Date(2025, 10, 22, 14, 30).getTime()],
    ['2026-03-02T09:00:00+02:00', Date.parse('2026-03-02T07:00:00Z')],
    ['2026-03-02', Date.parse('2026-03-02T00:00:00Z')],
  ])('%s is an instant wherever one is', (text, instant) => {
    expect(parseWhen(text, NOW)).toEqual({ instant, isLocal: false });
  });

  test('a month before the 31st is the last of a shorter month', () => {
    const now = new Date(2026, 2, 31, 12).getTime();
    expect(parseWhen('1 month ago', now)?.instant).toBe(new Date(2026, 1, 28, 12).getTime());
    expect(parseWhen('last month', now)?.instant).toBe(new Date(2026, 1, 1).getTime());
  });

  test('a week begins on Monday', () => {
    const monday = new Date(2026, 10, 23, 0, 10).getTime();
    expect(parseWhen('this week', monday)?.instant).toBe(at(11, 23));
    expect(parseWhen('last week', monday)?.instant).toBe(at(11, 16));
  });

  test('a clock change at midnight does not move the day before', () => {
    const before = process.env['TZ'];
    process.env['TZ'] = 'Africa/Cairo';
    try {
      // On 2026-04-24 clocks go from 00:00 to 01:00.
      const now = Date.parse('2026-04-24T12:00:00+03:00');
      const midnight = Date.parse('2026-04-23T00:00:00+02:00');
      expect(parseWhen('yesterday', now)?.instant).toBe(midnight);
      expect(parseWhen('thursday', now)?.instant).toBe(midnight);
      const early = Date.parse('2026-04-24T01:10:00+03:00');
      expect(parseWhen('0:20', early)?.instant).toBe(Date.parse('2026-04-23T00:20:00+02:00'));
    } finally {
      process.env['TZ'] = before;
    }
  });

  test.each(['9999999 years ago', '99999999 months ago'])('%s is before every date', (text) => {
    expect(parseWhen(text, NOW)).toBeUndefined();
  });

  test.each([
    '',
    ' ',
    '25:00',
    '13:60',
    'noon',
    '2 fortnights ago',
    'last',
    'ago',
    '1h 2m',
    'yesterdays',
    'next week',
  ])('%j is not a time', (text) => {
    expect(parseWhen(text, NOW)).toBeUndefined();
  });

  test('no text makes it throw, or gives NaN', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d:a-z ]{0,20}$/)), (text) => {
        expect(Number.isNaN(parseWhen(text, NOW)?.instant)).toBe(false);
      }),
    );
  });
});
