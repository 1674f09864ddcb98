import { formatDuration } from '../../base/time/duration.ts';

/** The waiting times of accounts and statistics; undefined if the log has none. */
interface Waits {
  readonly waited_ms?: number | undefined;
  readonly idle_ms?: number | undefined;
}

/** In milliseconds. A person does not answer faster, so shorter waits are not shown. */
const LEAST_MS = 1000;

/** `waited for you 46m 00s`; empty if a person had nothing to decide. */
export const waitedText = (ms: number | undefined): string =>
  ms === undefined || ms < LEAST_MS ? '' : `waited for you ${formatDuration(ms)}`;

/** The waits of a whole run, and its idle time between turns. */
export function waitingText({ waited_ms, idle_ms }: Waits): string {
  const idle = idle_ms === undefined || idle_ms < LEAST_MS ? '' : `${formatDuration(idle_ms)} between turns`;
  const waited =
    waited_ms === undefined || waited_ms < LEAST_MS ? '' : `${formatDuration(waited_ms)} waiting for you`;
  return [waited, idle].filter((text) => text !== '').join(', ');
}
