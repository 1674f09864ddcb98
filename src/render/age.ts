const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [31_557_600_000, 'year'],
  [2_629_800_000, 'month'],
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
];

/** How long ago an instant was, in words: `3 hours ago`; `just now` below a minute, and for what is still to come. */
export function formatAge(instant: number, now: number): string {
  const passed = now - instant;
  for (const [ms, name] of UNITS) {
    const count = Math.floor(passed / ms);
    if (count >= 1) return `${count} ${name}${count === 1 ? '' : 's'} ago`;
  }
  return passed < -60_000 ? 'in the future' : 'just now';
}
