import type { Random } from './random.ts';

/** Two simulated clocks: a wall clock, in microseconds since 1970, and a monotonic one that measures durations. */
export interface Clock {
  now(): number;
  /** Moves on by up to 12 ms and returns the new reading. */
  tick(): number;
  /** Advances by some microseconds, the time to make an event, and returns the new time. */
  blink(): number;
  /** Advances by the time of a piece of work: some microseconds, or up to 40 ms if work is slow. */
  work(): number;
  /** The time between two readings, in microseconds, by the monotonic clock. */
  lasted(from: number, to: number): number;
}

/** The wall clock is corrected now and then; the monotonic one is not. */
const furthestApart = 6000;

/**
 * A clock that starts at the given number of milliseconds since 1970. Its two halves differ by up to 3 µs, because one
 * is read after the other, and where it is `skewed` by some milliseconds at times.
 */
export function createClock(
  random: Random,
  milliseconds: number,
  { skewed, slow }: { readonly skewed: boolean; readonly slow: boolean },
): Clock {
  let micros = milliseconds * 1000 + random.int(40_000);
  return {
    now: () => micros,
    tick: () => {
      micros += 150 + random.int(12_000);
      return micros;
    },
    blink: () => {
      micros += 1 + random.int(20);
      return micros;
    },
    work: () => {
      micros += 1 + random.int(slow ? 40_000 : 20);
      return micros;
    },
    lasted: (from, to) => {
      const correction = skewed && random.chance(0.2) ? random.int(furthestApart) : 0;
      return Math.max(1, to - from - random.int(4) + correction);
    },
  };
}

/** Python's isoformat in UTC: six fractional digits, or none at all when they are zero. */
export function isoTime(micros: number): string {
  const seconds = new Date(Math.floor(micros / 1_000_000) * 1000).toISOString().slice(0, 19);
  const fraction = micros % 1_000_000;
  return `${seconds}${fraction === 0 ? '' : `.${String(fraction).padStart(6, '0')}`}+00:00`;
}
