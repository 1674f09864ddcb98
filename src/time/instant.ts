const DATE = String.raw`(\d{4})-?(\d{2})-?(\d{2})`;
const WEEK_DATE = String.raw`(\d{4})-?W(\d{2})(?:-?([1-7]))?`;
const TIME = String.raw`(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?`;
const OFFSET = String.raw`(Z|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)?`;
const INSTANT = new RegExp(`^(?:${DATE}|${WEEK_DATE})(?:[T ]${TIME}${OFFSET})?$`, 'i');

export const DAY_MS = 86_400_000;

/** Midnight of a day; months count from 1. `Date.UTC` alone maps the years 0 to 99 to 1900 to 1999. */
function midnight(year: number, month: number, day: number): number {
  return year < 100 ? new Date(0).setUTCFullYear(year, month - 1, day) : Date.UTC(year, month - 1, day);
}

function daysInMonth(year: number, month: number): number {
  return new Date(midnight(year, month + 1, 0)).getUTCDate();
}

/** The first day of an ISO week. Week 1 contains January 4th. */
function weekStart(year: number, week: number): number {
  const fourth = new Date(midnight(year, 1, 4));
  const monday = fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * DAY_MS;
  return monday + (week - 1) * 7 * DAY_MS;
}

function offsetMs(text: string | undefined): number | undefined {
  if (text === undefined || text.toUpperCase() === 'Z') return 0;
  const [hours = 0, minutes = 0, seconds = 0] = Array.from(text.matchAll(/\d{2}/g), ([digits]) =>
    Number(digits),
  );
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds) * 1000;
}

const [COLON, DASH, DOT, PLUS, T, Z, ZERO] = [0x3a, 0x2d, 0x2e, 0x2b, 0x54, 0x5a, 0x30];

/** The number in two digits; NaN for anything else. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** The offset in milliseconds at the end of a text, `Z` or `+hh:mm`; NaN for anything else. */
function shortOffset(text: string, at: number): number {
  const sign = text.charCodeAt(at);
  if (sign === Z) return text.length === at + 1 ? 0 : Number.NaN;
  if ((sign !== PLUS && sign !== DASH) || text.length !== at + 6 || text.charCodeAt(at + 3) !== COLON)
    return Number.NaN;
  const [hours, minutes] = [twoDigits(text, at + 1), twoDigits(text, at + 4)];
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (sign === DASH ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

const SHORTEST = '2026-03-02T09:00:00Z'.length;

/**
 * Parses the common form `2026-03-02T09:00:00.123456+00:00` much faster than the general parser. Undefined for
 * any other text, which may still be an instant.
 */
function shortForm(text: string): number | undefined {
  // An index beyond the end of a text would make V8 compile this function again.
  if (text.length < SHORTEST) return undefined;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const [month, date] = [twoDigits(text, 5), twoDigits(text, 8)];
  const [hour, minute, second] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
  const marked =
    text.charCodeAt(4) === DASH &&
    text.charCodeAt(7) === DASH &&
    text.charCodeAt(10) === T &&
    text.charCodeAt(13) === COLON &&
    text.charCodeAt(16) === COLON;
  if (!marked || !(year >= 100 && month >= 1 && month <= 12 && hour <= 23 && minute <= 59 && second <= 60))
    return undefined;
  // Every month has 28 days; only later dates need the calendar.
  if (!(date >= 1 && (date <= 28 || date <= daysInMonth(year, month)))) return undefined;
  let at = 19;
  let micros = 0;
  if (text.charCodeAt(at) === DOT) {
    let unit = 100_000;
    let digit = text.charCodeAt(++at) - ZERO;
    for (; digit >= 0 && digit <= 9 && at < 29; digit = text.charCodeAt(++at) - ZERO) {
      micros += digit * unit;
      // Digits beyond microseconds are dropped.
      unit = unit > 1 ? unit / 10 : 0;
    }
    if (at === 20) return undefined;
  }
  const shift = shortOffset(text, at);
  if (Number.isNaN(shift)) return undefined;
  const clock = hour * 3_600_000 + minute * 60_000 + second * 1000;
  return Date.UTC(year, month - 1, date) + clock - shift + micros / 1000;
}

/**
 * Parses an ISO 8601 instant into milliseconds since 1970 with microsecond fractions; undefined if there is no text, or
 * none that is an instant. Accepts what the runtime's own parser accepts: dates, week dates, the basic form, any offset.
 * Without an offset it is UTC.
 */
export function parseInstant(text: string | undefined): number | undefined {
  if (text === lastText) return lastInstant;
  if (text === undefined) return undefined;
  lastInstant = shortForm(text) ?? longForm(text);
  lastText = text;
  return lastInstant;
}

/** Caches the last result, because several checks parse the same time one after another. */
let lastText: string | undefined;
let lastInstant: number | undefined;

/** Parses any ISO 8601 form; undefined if the text is not one. */
export function longForm(text: string): number | undefined {
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
    day = weekStart(Number(wy), Number(w)) + (Number(wd ?? 1) - 1) * DAY_MS;
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

/** Whether two values are the same instant, in whatever form: `…040Z` and `…040000+00:00` are equal. */
export function sameInstant(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  const instant = parseInstant(a);
  return instant !== undefined && instant === parseInstant(b);
}
