const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats a length as `18.6 kB`. */
export function formatBytes(bytes: number, decimals = 1): string {
  let value = bytes;
  let unit = 0;
  const text = () => value.toFixed(unit === 0 ? 0 : decimals);
  while (Number(text()) >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${text()} ${UNITS[unit]}`;
}
