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
  if (month !== 2) return 30 + ((month ^ (month >> 3)) & 1);
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
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

/** The code units of the text that is being parsed. V8 takes long to compile a function that reads a text in many places. */
const units = new Uint16Array(64);

/** The number in two digits; NaN for anything else. */
function twoDigits(at: number): number {
  const [tens, ones] = [(units[at] as number) - ZERO, (units[at + 1] as number) - ZERO];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** The offset in milliseconds at the end of a text, `Z` or `+hh:mm`; NaN for anything else. */
function shortOffset(at: number, end: number): number {
  const sign = units[at];
  if (sign === Z) return end === at + 1 ? 0 : Number.NaN;
  if ((sign !== PLUS && sign !== DASH) || end !== at + 6 || units[at + 3] !== COLON) return Number.NaN;
  const [hours, minutes] = [twoDigits(at + 1), twoDigits(at + 4)];
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (sign === DASH ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

const SHORTEST = '2026-03-02T09:00:00Z'.length;
const LEAST = '2026W01'.length;
const LONGEST = '2026-03-02T09:00:00.123456789+00:00'.length;

/**
 * Parses the common form `2026-03-02T09:00:00.123456+00:00` much faster than the general parser. Undefined for
 * any other text, which may still be an instant.
 */
function shortForm(text: string): number | undefined {
  const { length } = text;
  if (length < SHORTEST || length > LONGEST) return undefined;
  for (let at = 0; at < length; at += 1) units[at] = text.charCodeAt(at);
  units[length] = 0;
  const year = twoDigits(0) * 100 + twoDigits(2);
  const [month, date] = [twoDigits(5), twoDigits(8)];
  const [hour, minute, second] = [twoDigits(11), twoDigits(14), twoDigits(17)];
  const marked =
    units[4] === DASH && units[7] === DASH && units[10] === T && units[13] === COLON && units[16] === COLON;
  if (!marked || !(year >= 100 && month >= 1 && month <= 12 && hour <= 23 && minute <= 59 && second <= 60))
    return undefined;
  if (!(date >= 1 && date <= daysInMonth(year, month))) return undefined;
  let at = 19;
  let micros = 0;
  if (units[at] === DOT) {
    let unit = 100_000;
    let digit = (units[++at] as number) - ZERO;
    for (; digit >= 0 && digit <= 9; digit = (units[++at] as number) - ZERO) {
      micros += digit * unit;
      // Digits beyond microseconds are dropped.
      unit = unit > 1 ? unit / 10 : 0;
    }
    if (at === 20 || at > 29) return undefined;
  }
  const shift = shortOffset(at, length);
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
  // Short texts are no times, and would only replace the last one.
  if (text === undefined || text.length < LEAST) return undefined;
  if (text === lastText) return lastInstant;
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

/** The later one of two times, as far as they are known. */
export function later(one: string | undefined, other: string | undefined): string | undefined {
  if (other === undefined) return one;
  return (parseInstant(other) ?? -Infinity) > (parseInstant(one) ?? -Infinity) ? other : one;
}

/** The earlier one of two times, as far as they are known. */
export function sooner(one: string | undefined, other: string | undefined): string | undefined {
  if (other === undefined) return one;
  return (parseInstant(other) ?? Infinity) < (parseInstant(one) ?? Infinity) ? other : one;
}
