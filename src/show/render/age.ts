/** Units of time: their long and short names. */
const UNITS: readonly (readonly [ms: number, name: string, short: string])[] = [
  [31_557_600_000, 'year', 'y'],
  [2_629_800_000, 'month', 'mo'],
  [86_400_000, 'day', 'd'],
  [3_600_000, 'hour', 'h'],
  [60_000, 'minute', 'min'],
];

function age(instant: number, now: number, unitOf: (count: number, name: string, short: string) => string) {
  const passed = now - instant;
  for (const [ms, name, short] of UNITS) {
    const count = Math.floor(passed / ms);
    if (count >= 1) return `${count} ${unitOf(count, name, short)} ago`;
  }
  return passed < -60_000 ? 'in the future' : 'just now';
}

/** How long ago an instant was: `3 hours ago`; `just now` below a minute, and for the future. */
export const formatAge = (instant: number, now: number): string =>
  age(instant, now, (count, name) => `${name}${count === 1 ? '' : 's'}`);

/** A short form for tables: `3 h ago`. */
export const formatShortAge = (instant: number, now: number): string =>
  age(instant, now, (_count, _name, short) => short);
