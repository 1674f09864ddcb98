import { formatDuration } from './duration.ts';

/** As accounts and statistics have it; undefined where no log says so. */
interface Waits {
  readonly waited_ms?: number | undefined;
  readonly idle_ms?: number | undefined;
}

/** What a program waited is said from a second on: what answers faster is no person. */
const LEAST_MS = 1000;

/** `waited for you 46m 00s`; empty where a person had nothing to decide. */
export const waitedText = (ms: number | undefined): string =>
  ms === undefined || ms < LEAST_MS ? '' : `waited for you ${formatDuration(ms)}`;

/** The same of a whole run, and how long it lay still between turns. */
export function waitingText({ waited_ms, idle_ms }: Waits): string {
  const idle = idle_ms === undefined || idle_ms < LEAST_MS ? '' : `${formatDuration(idle_ms)} between turns`;
  return [waitedText(waited_ms), idle].filter((text) => text !== '').join(', ');
}
