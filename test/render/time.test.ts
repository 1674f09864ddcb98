import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatAge } from '../../src/show/render/age.ts';
import { formatMoment, formatOffset, formatTime, timeTitle } from '../../src/show/render/time.ts';

const NOON = Date.UTC(2026, 2, 2, 12, 0, 0, 34);

describe('an instant', () => {
  let zone: string | undefined;
  beforeAll(() => {
    zone = process.env['TZ'];
    process.env['TZ'] = 'America/St_Johns';
  });
  afterAll(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  test('is shown in UTC or in local time', () => {
    expect(formatMoment(NOON, 'utc')).toBe('2026-03-02 12:00:00 UTC');
    expect(formatMoment(NOON, 'local')).toBe('2026-03-02 08:30:00 -03:30');
    expect(timeTitle('local', NOON)).toBe('2026-03-02 -03:30');
    process.env['TZ'] = 'Asia/Kolkata';
    expect(formatTime(NOON, 'local', false)).toBe('17:30:00.034');
    expect(timeTitle('local', undefined)).toBe('TIME +05:30');
  });

  test('has no form beyond the range of dates', () => {
    expect(formatTime(9e15, 'utc', true)).toBe('');
    expect(formatMoment(9e15, 'utc')).toBe('');
  });
});

test.each([
  [34, '+0.034s'],
  [-34, '-0.034s'],
  [62_000, '+1m02s'],
  [3 * 3_600_000 + 5 * 60_000, '+3h05m'],
  [-(2 * 86_400_000 + 4 * 3_600_000), '-2d04h'],
])('a span of %i ms', (ms, text) => {
  expect(formatOffset(ms)).toBe(text);
});

test.each([
  [0, 'just now'],
  [59_999, 'just now'],
  [-60_000, 'just now'],
  [-60_001, 'in the future'],
  [60_000, '1 minute ago'],
  [3 * 3_600_000, '3 hours ago'],
  [400 * 86_400_000, '1 year ago'],
])('an instant %i ms ago', (passed, text) => {
  expect(formatAge(NOON - passed, NOON)).toBe(text);
});
