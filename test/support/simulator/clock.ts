import type { Random } from './random.ts';

/** A simulated clock in microseconds since 1970: it moves only when it is told to. */
export interface Clock {
  now(): number;
  /** Moves on by 2 to 40 ms and returns the new reading. */
  tick(): number;
}

/** A clock that starts at the given number of milliseconds since 1970. */
export function createClock(random: Random, milliseconds: number): Clock {
  let micros = milliseconds * 1000 + random.int(40_000);
  return {
    now: () => micros,
    tick: () => {
      micros += 2_000 + random.int(38_000);
      return micros;
    },
  };
}

/** Python's isoformat in UTC: six fractional digits, or none at all when they are zero. */
export function isoTime(micros: number): string {
  const seconds = new Date(Math.floor(micros / 1_000_000) * 1000).toISOString().slice(0, 19);
  const fraction = micros % 1_000_000;
  return `${seconds}${fraction === 0 ? '' : `.${String(fraction).padStart(6, '0')}`}+00:00`;
}
