import { atLeast, atLeastCell } from '../../base/text/count.ts';
import { formatDuration } from '../../base/time/duration.ts';
import type { CallItem, StoryPoint } from '../../dialects/kit/story.ts';
import { plural } from './tally.ts';

/** The waiting times of accounts and statistics; undefined if the log has none. */
interface Waits {
  readonly waited_ms?: number | undefined;
  readonly idle_ms?: number | undefined;
  /** If there is time that may be either, the others are minima. */
  readonly unknown_ms?: number | undefined;
}

/** In milliseconds. A person does not answer faster, so shorter waits are not shown. */
const LEAST_MS = 1000;

/** `waited for you 46m 00s`; empty if a person had nothing to decide. */
export const waitedText = (ms: number | undefined): string =>
  ms === undefined || ms < LEAST_MS ? '' : `waited for you ${formatDuration(ms)}`;

/** What a call says about its time. */
export type CallTime = Pick<CallItem, 'duration_ms' | 'at_least_ms' | 'at_most_ms' | 'waited_ms'>;

/** How long a call worked: `3.77 s`, or `≤ 45.1 s` or `≥ 824 ms` if the log only says that. */
export function callTook(call: CallTime): string {
  const { duration_ms: took, at_least_ms: least, at_most_ms: most, waited_ms: waited } = call;
  if (least !== undefined) return atLeastCell(true, formatDuration(least));
  if (most !== undefined) return `≤ ${formatDuration(most)}`;
  // A question to a person does nothing but wait.
  return took === undefined || (took === 0 && waitedText(waited) !== '') ? '' : formatDuration(took);
}

/** `waited for you at least 21m 42s`: what a person took of the time of a call. */
export const callWaited = ({ at_most_ms: most, waited_ms: waited }: CallTime): string =>
  waitedText(waited).replace('you ', most === undefined ? 'you ' : 'you at least ');

/** The decisions before a call, and how long it waited for a person. */
export function pointsOfCall(call: CallItem): readonly StoryPoint[] {
  const { points = [] } = call;
  const text = callWaited(call);
  return text === '' ? points : [...points, { text, tone: 'muted' }];
}

/** Names calls that are left out of times. */
export const untimedText = (count: number): string =>
  `without ${plural(count, 'call')}, because the log does not say how long ${count === 1 ? 'it' : 'they'} worked`;

/** The waits of a whole run, and its idle time. */
export function waitingText({ waited_ms, idle_ms, unknown_ms }: Waits): string {
  const parts = [
    [waited_ms, 'waiting for you'],
    [idle_ms, 'outside turns'],
  ] as const;
  return parts
    .flatMap(([ms, what]) => (ms === undefined || ms < LEAST_MS ? [] : [`${formatDuration(ms)} ${what}`]))
    .map((text) => atLeast(unknown_ms !== undefined, text))
    .join(', ');
}
