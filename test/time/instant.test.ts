import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longForm, parseInstant } from '../../src/base/time/instant.ts';
import { times } from '../support/length.ts';

const at = (...parts: Parameters<typeof Date.UTC>) => Date.UTC(...parts);

describe('an instant', () => {
  test.each<[string, number]>([
    ['2026-03-02T09:00:00Z', at(2026, 2, 2, 9)],
    ['2026-03-02T09:00:00+00:00', at(2026, 2, 2, 9)],
    ['2026-03-02T09:00:00', at(2026, 2, 2, 9)],
    ['2026-03-02 09:00:00z', at(2026, 2, 2, 9)],
    ['2026-03-02t09:00Z', at(2026, 2, 2, 9)],
    ['2026-03-02T09Z', at(2026, 2, 2, 9)],
    ['2026-03-02', at(2026, 2, 2)],
    ['20260302', at(2026, 2, 2)],
    ['20260302T090000Z', at(2026, 2, 2, 9)],
    ['2026-W10-1', at(2026, 2, 2)],
    ['2026-W10', at(2026, 2, 2)],
    ['2026W101T09:00:00Z', at(2026, 2, 2, 9)],
    ['2025-W01-1', at(2024, 11, 30)],
    ['2026-03-02T09:00:00.5Z', at(2026, 2, 2, 9, 0, 0, 500)],
    ['2026-03-02T09:00:00,25Z', at(2026, 2, 2, 9, 0, 0, 250)],
    ['2026-03-02T09:00:00.123456+00:00', at(2026, 2, 2, 9, 0, 0, 123) + 0.456],
    ['2026-03-02T09:00:00.123456789Z', at(2026, 2, 2, 9, 0, 0, 123) + 0.456],
    ['2026-03-02T09:00:00+05:30', at(2026, 2, 2, 3, 30)],
    ['2026-03-02T09:00:00-0800', at(2026, 2, 2, 17)],
    ['2026-03-02T09:00:00+01', at(2026, 2, 2, 8)],
    ['2026-03-02T09:00:00+00:00:30', at(2026, 2, 2, 8, 59, 30)],
    ['2024-02-29', at(2024, 1, 29)],
    ['2000-02-29', at(2000, 1, 29)],
    ['1969-12-31T23:59:59Z', -1000],
    // Zero times of other languages: years before 100 are not in the last century.
    ['0001-01-01T00:00:00Z', -62_135_596_800_000],
    ['0099-12-31', Date.parse('0099-12-31')],
  ])('%s', (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  test.each([
    '',
    'now',
    '15m',
    '2026',
    '2026-03',
    '1772442000',
    '2026-13-01',
    '2026-00-01',
    '2026-02-29',
    '2026-02-30',
    '1900-02-29',
    '2026-03-02T24:00:00Z',
    '2026-03-02T09:60:00Z',
    '2026-03-02T09:00:61Z',
    '2026-03-02T09:00:00+24:00',
    '2026-03-02T09:00:00+00:60',
    '2026-03-02T',
    '2026-03-02T09:00:00 Z',
    ' 2026-03-02',
    '2026-03-02\n',
    '2026-W54-1',
    '2026-W00-1',
    '2026-W10-8',
    '02.03.2026',
    '٢٠٢٦-03-02',
  ])('is not %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test('equals the result of Date', () => {
    const date = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (moment) => {
        expect(parseInstant(moment.toISOString())).toBe(moment.getTime());
      }),
    );
  });

  test('is the same in the short form and in full ISO 8601', () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
    const nearlyShort = fc
      .tuple(
        digits(4),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        fc.constantFrom('T', 't', ' '),
        fc.integer({ min: 0, max: 25 }),
        fc.integer({ min: 0, max: 61 }),
        fc.integer({ min: 0, max: 61 }),
        fc.constantFrom('', '.', '.1', '.000001', '.123456', '.999999999', '.1234567891', ',5', '.1x'),
        fc.constantFrom(
          'Z',
          'z',
          '',
          '+00:00',
          '-08:00',
          '+05:30',
          '+24:00',
          '+00:60',
          '+0000',
          '+01',
          'Z ',
          '+00:00:30',
        ),
      )
      .map(([y, mo, d, t, h, mi, s, fraction, offset]) => {
        const two = (value: number) => String(value).padStart(2, '0');
        return `${y}-${two(mo)}-${two(d)}${t}${two(h)}:${two(mi)}:${two(s)}${fraction}${offset}`;
      });
    fc.assert(
      fc.property(nearlyShort, (text) => {
        expect(parseInstant(text)).toBe(longForm(text));
      }),
      { numRuns: times(3000, 600) },
    );
  });

  test('refuses a long text quickly', () => {
    expect(parseInstant(`2026-03-02T09:00:00.${'1'.repeat(1_000_000)}`)).toBeUndefined();
  });
});
