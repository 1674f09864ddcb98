import { formatDuration } from '../../base/time/duration.ts';
import { formatBytes } from './bytes.ts';

export interface Work {
  /** The activity, such as `verifying`. */
  readonly doing: string;
  /** The unit of progress, possibly `bytes`. */
  readonly unit: string;
  readonly total: number;
}

/** Until this share is done, the remaining time would be a guess. */
const LEAST_SHARE = 0.02;

function formatLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000);
}

/** `verifying: 3 of 40 episodes, 7 %, 12 s left`; without a total, only what is done. */
export function formatProgress({ doing, unit, total }: Work, done: number, elapsedMs: number): string {
  if (total <= 1) return doing;
  const share = Math.min(1, done / total);
  const amounts =
    unit === 'bytes' ? `${formatBytes(done)} of ${formatBytes(total)}` : `${done} of ${total} ${unit}`;
  const left =
    share >= LEAST_SHARE && share < 1 ? `, ${formatLeft((elapsedMs * (1 - share)) / share)} left` : '';
  return `${doing}: ${amounts}, ${Math.floor(share * 100)} %${left}`;
}
