import { byText } from '../text/order.ts';
import { parseInstant } from '../time/instant.ts';
import { byStart } from './list.ts';
import type { EpisodeSummary } from './summary.ts';

type Order = (a: EpisodeSummary, b: EpisodeSummary) => number;

/** By what a list may be sorted; episodes that are equal in it stay in the order of their starts, the newest first. */
export const ORDERS: Readonly<Record<'start' | 'id' | 'status' | 'size' | 'task', Order>> = {
  start: byStart,
  id: (a, b) => byText(a.episode, b.episode),
  status: (a, b) => byText(a.status ?? '~', b.status ?? '~'),
  size: (a, b) => (b.log_bytes ?? -1) - (a.log_bytes ?? -1),
  task: (a, b) => byText(a.task ?? '\uffff', b.task ?? '\uffff'),
};

export type OrderName = keyof typeof ORDERS;

/** Whether an episode began in a stretch of time; one that does not say when it began did not. */
export function startedWithin(
  { started_at: start = '' }: EpisodeSummary,
  since = -Infinity,
  until = Infinity,
): boolean {
  if (since === -Infinity && until === Infinity) return true;
  const instant = parseInstant(start) ?? Number.NaN;
  return instant >= since && instant <= until;
}
