/** Formats a duration in milliseconds: `0.3 ms`, `34 ms`, `1.25 s`, `3m 04s`, `2h 05m`, `3d 04h`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return ms === 0 ? '0 ms' : `${ms.toPrecision(1)} ms`;
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  // Each is rounded to its last digit, so that the parts of a time add up to the whole.
  if (ms < 9995) return `${(ms / 1000).toFixed(2)} s`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const two = (value: number): string => String(value).padStart(2, '0');
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1440) return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
  const hours = Math.round(ms / 3_600_000);
  return `${Math.floor(hours / 24)}d ${two(hours % 24)}h`;
}
