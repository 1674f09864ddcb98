import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseInstant } from '../../../src/base/time/instant.ts';
import { instantOf, timeText } from '../../../src/dialects/fishbowl/read.ts';
import { times } from '../../support/length.ts';

it('a stored time is the same instant as its normal form, however it is read', () => {
  const two = fc.integer({ min: 0, max: 63 }).map((number) => String(number).padStart(2, '0'));
  const year = fc.constantFrom('2026', '2024', '0000', '0099', '1000', '9999');
  const fraction = fc.constantFrom('', '.5', '.123456', '.1234567', '.', ',5');
  const zone = fc.constantFrom('Z', '+00:00', '', '+02:00', '-00:00', 'z');
  const time = fc
    .tuple(year, two, two, two, two, two, fraction, zone)
    .map(([y, mo, d, h, mi, s, f, z]) => `${y}-${mo}-${d}T${h}:${mi}:${s}${f}${z}`);
  const likely = fc
    .tuple(year, fc.constantFrom('02', '12'), fc.constantFrom('28', '29', '30'), fraction, zone)
    .map(([y, mo, d, f, z]) => `${y}-${mo}-${d}T23:59:${f === '' ? '60' : '59'}${f}${z}`);
  fc.assert(
    fc.property(fc.oneof(time, likely, fc.constantFrom('1767225600', 1767225600, null, 'soon')), (stored) => {
      const text = timeText(stored);
      expect(instantOf(stored)).toBe(text === null ? undefined : parseInstant(text));
    }),
    { numRuns: times(2000, 400) },
  );
});
