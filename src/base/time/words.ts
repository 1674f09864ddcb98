import { parseInstant } from './instant.ts';

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const AGE = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/;
const AGO = /^(\d+|an?|one)\s+(seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)\s+ago$/;
const DAY =
  /^(today|yesterday|tomorrow|(?:last\s+)?(?:sunday|monday|tuesday|wednesday|thursday|friday|saturday))?(?:\s+(?:at\s+)?)?(?:(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const PERIOD = /^(this|last) (week|month|year)$/;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

interface NamedInstant {
  /** Milliseconds since 1970. */
  readonly instant: number;
  /** Whether it depends on the time zone of this machine. */
  readonly isLocal: boolean;
}

/** A time in the past by the calendar: a month ago is the same day of the previous month. */
function ago(count: number, unit: string, now: number): number {
  const letter = unit.startsWith('mo') ? 'M' : unit.charAt(0);
  if (letter !== 'M' && letter !== 'y') return now - count * Number(UNITS[letter]);
  const moment = new Date(now);
  const day = moment.getDate();
  moment.setDate(1);
  if (letter === 'y') moment.setFullYear(moment.getFullYear() - count);
  else moment.setMonth(moment.getMonth() - count);
  const days = new Date(moment.getFullYear(), moment.getMonth() + 1, 0).getDate();
  moment.setDate(Math.min(day, days));
  return moment.getTime();
}

/** A named day at noon, which no clock change leaves out; a weekday is the most recent one, possibly today. */
function dayOf(word: string | undefined, now: number): Date {
  const day = new Date(now);
  day.setHours(12, 0, 0, 0);
  if (word === 'yesterday') day.setDate(day.getDate() - 1);
  if (word === 'tomorrow') day.setDate(day.getDate() + 1);
  const weekday = WEEKDAYS.indexOf((word ?? '').replace(/^last\s+/, ''));
  if (weekday >= 0) {
    const isLast = word?.startsWith('last') === true;
    const back = (day.getDay() - weekday + 7) % 7;
    day.setDate(day.getDate() - (back === 0 && isLast ? 7 : back));
  }
  return day;
}

/** The start of a named period: of a week its Monday, as in ISO 8601. */
function startOf(period: RegExpExecArray, now: number): number {
  const [, which, unit] = period;
  const back = which === 'last' ? 1 : 0;
  const day = new Date(now);
  // At noon, which no clock change leaves out.
  day.setHours(12, 0, 0, 0);
  if (unit === 'week') day.setDate(day.getDate() - ((day.getDay() + 6) % 7) - 7 * back);
  else if (unit === 'month') day.setMonth(day.getMonth() - back, 1);
  else day.setFullYear(day.getFullYear() - back, 0, 1);
  return day.setHours(0, 0, 0, 0);
}

function calendarInstant(text: string, now: number): number | undefined {
  const period = PERIOD.exec(text);
  if (period !== null) return startOf(period, now);
  const match = text === '' ? null : DAY.exec(text);
  if (match === null) return undefined;
  const [, word, hours, minutes, seconds = '0'] = match;
  const day = dayOf(word, now);
  if (hours === undefined) return day.setHours(0, 0, 0, 0);
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const date = day.getDate();
  day.setHours(hour, minute, second);
  // Chooses the most recent match: at 10:00, `13:00` was yesterday; on a Monday, `monday 13:00` was a week
  // ago.
  const every = word === undefined ? 1 : /^(?:today|tomorrow)$/.test(word) ? 0 : 7;
  if (day.getTime() <= now) return day.getTime();
  // Sets the time again: a clock change may have moved it.
  day.setHours(12);
  day.setDate(date - every);
  return day.setHours(hour, minute, second);
}

/**
 * Parses an instant as users write it: ISO 8601 (UTC without an offset), an age such as `15m`, `2 hours ago`
 * or `now`, or local calendar words such as `13:00`, `today`, `yesterday`, `monday 9:30`, or `last week`, which is its
 * start. Undefined for anything else.
 */
export function parseWhen(text: string, now: number): NamedInstant | undefined {
  const iso = parseInstant(text);
  if (iso !== undefined) return { instant: iso, isLocal: false };
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const [, amount, unit = ''] = AGE.exec(words) ?? [];
  if (amount !== undefined) return { instant: now - Number(amount) * Number(UNITS[unit]), isLocal: false };
  if (words === 'now') return { instant: now, isLocal: false };
  const [, count, name = ''] = AGO.exec(words) ?? [];
  if (count !== undefined) {
    const instant = ago(/^\d/.test(count) ? Number(count) : 1, name, now);
    // Dates of JavaScript go back 270,000 years.
    return Number.isNaN(instant) ? undefined : { instant, isLocal: false };
  }
  const instant = calendarInstant(words, now);
  return instant === undefined ? undefined : { instant, isLocal: true };
}

/** The forms that {@link parseWhen} accepts, for messages. */
export const WHEN_FORMS =
  'ISO 8601, an age such as 15m, 2 hours ago, 13:00, today, yesterday, monday 9:30 or last week';
