/** Formats a duration in milliseconds: `0.3 ms`, `34 ms`, `1.25 s`, `3m 04s`, `2h 05m`, `3d 04h`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return ms === 0 ? '0 ms' : `${ms.toPrecision(1)} ms`;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ${two((seconds % 3600) / 60)}m`;
  return `${Math.floor(seconds / 86_400)}d ${two((seconds % 86_400) / 3600)}h`;
}
