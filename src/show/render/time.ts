/** The time zone of a table: UTC or the machine's. */
export type TimeZone = 'utc' | 'local';

const two = (value: number): string => String(value).padStart(2, '0');

/** An instant as `10:42:00.034`, or with its date. */
export function formatTime(instant: number, zone: TimeZone, withDate: boolean): string {
  const moment = new Date(Math.floor(instant));
  const shifted = zone === 'utc' ? moment : new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  if (Number.isNaN(shifted.getTime())) return '';
  const [date = '', time = ''] = shifted.toISOString().replace('Z', '').split('T');
  return withDate ? `${date} ${time}` : time;
}

/** The name of a zone at an instant: `UTC` or `+02:00`. */
function zoneName(zone: TimeZone, instant: number): string {
  const minutes = zone === 'utc' ? 0 : -new Date(Math.floor(instant)).getTimezoneOffset();
  const sign = minutes < 0 ? '-' : '+';
  return minutes === 0
    ? 'UTC'
    : `${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}

/** An instant to the second: `2026-03-05 10:42:00 UTC`. */
export function formatMoment(instant: number, zone: TimeZone): string {
  const text = formatTime(instant, zone, true);
  return text === '' ? '' : `${text.slice(0, -'.034'.length)} ${zoneName(zone, instant)}`;
}

/** The heading of a time column: the zone, and the day if all rows share it. */
export function timeTitle(zone: TimeZone, day: number | undefined): string {
  const name = zoneName(zone, day ?? Date.now());
  return day === undefined ? `TIME ${name}` : `${formatTime(day, zone, true).slice(0, 10)} ${name}`;
}

/** An offset as `+0.034s`, `+1m02s`, `+3h05m`, `+2d04h`. */
export function formatOffset(ms: number): string {
  const sign = ms < 0 ? '-' : '+';
  const seconds = Math.abs(ms) / 1000;
  if (seconds < 60) return `${sign}${seconds.toFixed(3)}s`;
  if (seconds < 3600) return `${sign}${Math.floor(seconds / 60)}m${two(Math.floor(seconds % 60))}s`;
  if (seconds < 86_400)
    return `${sign}${Math.floor(seconds / 3600)}h${two(Math.floor((seconds % 3600) / 60))}m`;
  return `${sign}${Math.floor(seconds / 86_400)}d${two(Math.floor((seconds % 86_400) / 3600))}h`;
}
