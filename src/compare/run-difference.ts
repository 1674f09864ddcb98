import type { EndingReason } from '../dialects/account.ts';
import type { FieldDifference } from './content.ts';

export type { FieldDifference } from './content.ts';

/** One of two runs that are compared. Absent values are left out. */
export interface ComparedRun {
  readonly episode: string;
  /** Of the log. */
  readonly path: string;
  readonly dialect: string;
  /** How many events were compared. */
  readonly events: number;
  readonly task?: string;
  readonly status?: string;
  /** Why it ended as it did, the latest last. */
  readonly why: readonly EndingReason[];
  /** ISO 8601: of the first event that has a time. */
  readonly startedAt?: string;
  readonly durationMs?: number;
}

/** An event of one of the runs. Absent values are left out. */
export interface ComparedEvent {
  /** Physical line from 1. */
  readonly line: number;
  readonly id?: string;
  /** What it is: a type, a step, a tool. */
  readonly name: string;
  readonly phase?: string;
  /** What it says, in a few words. Trace text. */
  readonly text: string;
}

/** An event that both runs have, in which they differ. */
export interface ChangedEvent {
  readonly kind: 'changed';
  readonly a: ComparedEvent;
  readonly b: ComparedEvent;
  readonly fields: readonly FieldDifference[];
}

/** One place where the events of two runs differ: `missing` is in the first only, `added` in the second only. */
export type EventDifference =
  | ChangedEvent
  | { readonly kind: 'missing'; readonly a: ComparedEvent }
  | { readonly kind: 'added'; readonly b: ComparedEvent };

/** How many events of each kind there are. */
export interface DifferenceCounts {
  readonly same: number;
  readonly changed: number;
  readonly missing: number;
  readonly added: number;
}

/** Neighbouring events of one kind, by their lines; `a` and `b` are the first lines, of the run that has them. */
export interface AlignedBlock {
  readonly kind: keyof DifferenceCounts;
  readonly a?: number;
  readonly b?: number;
  readonly count: number;
}

/** What two runs did differently, beside the events themselves. */
export interface RunDifferenceHead {
  readonly equal: boolean;
  readonly a: ComparedRun;
  readonly b: ComparedRun;
  readonly counts: DifferenceCounts;
  /** The earliest event in which they differ. */
  readonly first?: EventDifference;
  /** The task, the status and why they ended. */
  readonly outcome: readonly FieldDifference[];
  /** What their logs say resulted (plan, actions, tasks), where the dialect rebuilds a state. */
  readonly state: readonly FieldDifference[];
  /** How many differences of the states there are beyond those: a list that lost its first item differs in each. */
  readonly moreState: number;
  /** Counts by phase, tool and policy; durations where they were asked for. */
  readonly metrics: readonly FieldDifference[];
}

/** What two runs did differently, as plain data. */
export interface RunDifference extends RunDifferenceHead {
  /** The differing events in their order: so many as were asked for. */
  readonly events: readonly EventDifference[];
  /** How many more there are. */
  readonly moreEvents: number;
  /** Every event of both runs, side by side. */
  readonly blocks: readonly AlignedBlock[];
}
