import { StoredNumber } from '../../../base/json/stored-number.ts';

// How the engine's validator converts integers and times (fishbowl.md §1).

/** White space for Rust's `trim`, which the validator uses. */
const SPACE = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]*';
const INTEGER = new RegExp(`^${SPACE}([+-]?)(\\d+(?:_\\d+)*)(?:\\.0+)?${SPACE}$`);

/** The validator refuses floats beyond this, but not integers. */
const MAX_FLOAT = 2 ** 63;

/**
 * An integer as the validator reads it, also from `"3"`, `" 3 "`, `"3.0"`, `3.0` and `true`. Undefined if it refuses the
 * value. Rounded beyond 2^53.
 */
export function coerceInteger(value: unknown): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof StoredNumber) return coerceInteger(Number(value));
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < MAX_FLOAT ? value + 0 : undefined;
  if (typeof value !== 'string') return undefined;
  const match = INTEGER.exec(value);
  if (match === null) return undefined;
  const size = Number((match[2] as string).replaceAll('_', ''));
  return match[1] === '-' && size !== 0 ? -size : size;
}

const DATE = String.raw`(\d{4})-(\d{2})-(\d{2})`;
const TIME = String.raw`(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?`;
const OFFSET = String.raw`([Zz]|[+\-\u2212]\d{2}:?\d{2})?`;
const DATE_TIME = new RegExp(`^${DATE}(?:[Tt _]${TIME}${OFFSET})?$`);
const EPOCH = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** A larger number is in milliseconds, a smaller one in seconds. */
const MAX_SECONDS = 20_000_000_000;

function datePart(year: number, month: number, day: number): string | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (year < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

function offsetPart(offset: string | undefined): string | undefined {
  if (offset === undefined) return '';
  if (offset.toUpperCase() === 'Z') return 'Z';
  const hours = offset.slice(1, 3);
  const minutes = offset.slice(-2);
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  if (Number(hours) + Number(minutes) === 0) return 'Z';
  return `${offset.startsWith('+') ? '+' : '-'}${hours}:${minutes}`;
}

function fromEpoch(value: number): string | undefined {
  const seconds = Math.abs(value) > MAX_SECONDS ? value / 1000 : value;
  const whole = Math.floor(seconds);
  const micros = Math.round((seconds - whole) * 1e6);
  const date = new Date((whole + Math.floor(micros / 1e6)) * 1000);
  if (!(date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999)) return undefined;
  const rest = micros % 1e6;
  const text = date.toISOString();
  return `${text.slice(0, 19)}${rest === 0 ? '' : `.${String(rest).padStart(6, '0')}`}Z`;
}

/**
 * A time as the validator reads and prints it: from ISO 8601, or from seconds or milliseconds since 1970 as a number or
 * digits. It has at most microseconds, and no offset is added. Undefined if the validator refuses the value.
 */
export function coerceTime(value: unknown): string | undefined {
  if (value instanceof StoredNumber) return coerceTime(Number(value));
  if (typeof value === 'number') return Number.isFinite(value) ? fromEpoch(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const match = DATE_TIME.exec(value);
  if (match === null) return EPOCH.test(value) ? fromEpoch(Number(value)) : undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset] = match;
  const date = datePart(Number(year), Number(month), Number(day));
  const zone = offsetPart(offset);
  if (date === undefined || zone === undefined) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const micros = fraction.slice(0, 6).padEnd(6, '0');
  return `${date}T${hour}:${minute}:${second}${micros === '000000' ? '' : `.${micros}`}${zone}`;
}
