import type { EndingReason } from './account.ts';
import type { LogSummary } from './log-summary.ts';
import type { Tone } from './state-view.ts';

/**
 * What is known of a run after its events so far. Each format has one class for it, and every command asks that class:
 * `list`, `show`, `read` and `project` after the last event, rules (`verify`, `append`) before each event.
 */
export interface Run<Event> {
  /** Adds the next event, which is on `line`. It must not keep the event, because rows reuse the object. */
  take(event: Event, line: number): void;
  readonly task: string | undefined;
  readonly status: string;
  readonly tone: Tone | undefined;
  /** Whether its end is in the log. */
  readonly isOver: boolean;
  /** The outcome in a few words, such as the winner. */
  readonly result?: string | undefined;
  /** What ended it, in log order. */
  readonly reasons: readonly EndingReason[];
}

/** The list entry of a run. */
export const entryOf = ({ task, status, result }: Run<never>): LogSummary => ({ task, status, result });
