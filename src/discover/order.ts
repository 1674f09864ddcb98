import { byText } from '../text/order.ts';
import { parseInstant } from '../time/instant.ts';
import { byWritten } from './list.ts';
import type { EpisodeSummary } from './summary.ts';

type Order = (a: EpisodeSummary, b: EpisodeSummary) => number;

const startOf = ({ started_at: start = '' }: EpisodeSummary): number => parseInstant(start) ?? -Infinity;

/** Sort orders of a list. Equal episodes stay in the order of `written`. */
export const ORDERS: Readonly<Record<'written' | 'start' | 'id' | 'status' | 'size' | 'task', Order>> = {
  written: byWritten,
  start: (a, b) => (startOf(a) === startOf(b) ? 0 : startOf(b) - startOf(a)),
  id: (a, b) => byText(a.episode, b.episode),
  status: (a, b) => byText(a.status ?? '~', b.status ?? '~'),
  size: (a, b) => (b.log_bytes ?? -1) - (a.log_bytes ?? -1),
  task: (a, b) => byText(a.task ?? '\uffff', b.task ?? '\uffff'),
};

export type OrderName = keyof typeof ORDERS;

/** Whether an episode started in a time range; false if its start is unknown. */
export function startedWithin(
  { started_at: start = '' }: EpisodeSummary,
  since = -Infinity,
  until = Infinity,
): boolean {
  if (since === -Infinity && until === Infinity) return true;
  const instant = parseInstant(start) ?? Number.NaN;
  return instant >= since && instant <= until;
}
