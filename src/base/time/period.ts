import { DAY_MS } from './instant.ts';

/** The periods of a calendar by which things are counted. */
export const PERIODS = ['day', 'week', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/** Whether a word is a period. */
export const isPeriod = (word: string): word is Period => PERIODS.some((period) => period === word);

/** An ISO week, such as `2026-W09`. It belongs to the year of its Thursday. */
function weekOf(day: number): string {
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7;
  const thursday = new Date(day + (3 - sinceMonday) * DAY_MS);
  const year = thursday.getUTCFullYear();
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * DAY_MS));
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** The period with a day, `2026-03-02`: itself, `2026-W10` or `2026-03`. A text that is not a day is returned as it is. */
export function periodOf(text: string, period: Period): string {
  const day = Date.parse(text);
  if (period === 'day' || Number.isNaN(day)) return text;
  return period === 'month' ? text.slice(0, 7) : weekOf(day);
}
