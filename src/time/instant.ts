const DATE = String.raw`(\d{4})-?(\d{2})-?(\d{2})`;
const WEEK_DATE = String.raw`(\d{4})-?W(\d{2})(?:-?([1-7]))?`;
const TIME = String.raw`(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?`;
const OFFSET = String.raw`(Z|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)?`;
const INSTANT = new RegExp(`^(?:${DATE}|${WEEK_DATE})(?:[T ]${TIME}${OFFSET})?$`, 'i');

const DAY = 86_400_000;

/** Midnight of a day, months from 1. `Date.UTC` alone takes the years 0 to 99 for those of the last century. */
function midnight(year: number, month: number, day: number): number {
  return year < 100 ? new Date(0).setUTCFullYear(year, month - 1, day) : Date.UTC(year, month - 1, day);
}

function daysInMonth(year: number, month: number): number {
  return new Date(midnight(year, month + 1, 0)).getUTCDate();
}

/** The first day of an ISO week: week 1 holds January 4th. */
function weekStart(year: number, week: number): number {
  const fourth = new Date(midnight(year, 1, 4));
  const monday = fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * DAY;
  return monday + (week - 1) * 7 * DAY;
}

function offsetMs(text: string | undefined): number | undefined {
  if (text === undefined || text.toUpperCase() === 'Z') return 0;
  const [hours = 0, minutes = 0, seconds = 0] = (text.slice(1).match(/\d{2}/g) ?? []).map(Number);
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds) * 1000;
}

/**
 * An ISO 8601 instant in milliseconds since 1970, fractions down to the microsecond kept; undefined when the text is
 * none. Takes what the runtime's own reader takes: dates alone, week dates, the basic form, any offset. Without an
 * offset it is read as UTC.
 */
export function parseInstant(text: string): number | undefined {
  const match = INSTANT.exec(text);
  if (match === null) return undefined;
  const [, y, m, d, wy, w, wd, hour = '0', minute = '0', second = '0', fraction = '', offset] = match;
  let day: number;
  if (y !== undefined) {
    const [year, month, date] = [Number(y), Number(m), Number(d)];
    if (month < 1 || month > 12 || date < 1 || date > daysInMonth(year, month)) return undefined;
    day = midnight(year, month, date);
  } else {
    if (Number(w) < 1 || Number(w) > 53) return undefined;
    day = weekStart(Number(wy), Number(w)) + (Number(wd ?? 1) - 1) * DAY;
  }
  const shift = offsetMs(offset);
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60 || shift === undefined)
    return undefined;
  const micros = Number(fraction.padEnd(6, '0').slice(0, 6));
  const clock = Number(hour) * 3_600_000 + Number(minute) * 60_000 + Number(second) * 1000;
  return day + clock - shift + micros / 1000;
}

/** Whether a text is an instant. For schemas: `z.string().refine(isInstant, 'an ISO 8601 time')`. */
export function isInstant(text: string): boolean {
  return parseInstant(text) !== undefined;
}

/** Whether two values are one instant, however each is written: `…040Z` and `…040000+00:00`. */
export function sameInstant(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  const instant = parseInstant(a);
  return instant !== undefined && instant === parseInstant(b);
}
