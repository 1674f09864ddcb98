import type { EndingReason } from '../../dialects/kit/account.ts';
import type { SkippedLines } from '../../log/corrupt-lines.ts';
import type { Behaviour, LogBehaviour, RunFacts } from './behaviour.ts';
import type { FieldDifference } from './content.ts';

export type { FieldDifference } from './content.ts';

/** One of the compared runs. Absent values are left out. */
export interface ComparedRun {
  readonly episode: string;
  /** The path of the log. */
  readonly path: string;
  readonly dialect: string;
  /** The number of compared events. */
  readonly events: number;
  readonly task?: string;
  readonly status?: string;
  /** Why it ended as it did, latest reason last. */
  readonly why: readonly EndingReason[];
  /** The time of the first event that has one, in ISO 8601. */
  readonly startedAt?: string;
  readonly durationMs?: number;
  /** Damaged lines of its log, which were not compared. */
  readonly skipped?: SkippedLines;
}

/** An event of one of the runs. Absent values are left out. */
export interface ComparedEvent {
  /** The physical line, from 1. */
  readonly line: number;
  readonly id?: string;
  /** The type, step or tool. */
  readonly name: string;
  readonly phase?: string;
  /** A short description. Trace text. */
  readonly text: string;
}

/** An event of both runs that differs. */
export interface ChangedEvent {
  readonly kind: 'changed';
  readonly a: ComparedEvent;
  readonly b: ComparedEvent;
  readonly fields: readonly FieldDifference[];
}

/**
 * A difference between the events of two runs. `missing`: only in the first run; `added`: only in the second.
 */
export type EventDifference =
  | ChangedEvent
  | { readonly kind: 'missing'; readonly a: ComparedEvent }
  | { readonly kind: 'added'; readonly b: ComparedEvent };

/** The number of events per kind. */
export interface DifferenceCounts {
  readonly same: number;
  readonly changed: number;
  readonly missing: number;
  readonly added: number;
}

/** Neighbouring events of one kind; `a` and `b` are their first lines in each run. */
export interface AlignedBlock {
  readonly kind: keyof DifferenceCounts;
  readonly a?: number;
  readonly b?: number;
  readonly count: number;
}

/** The differences between what two runs stored, except their events. */
export interface StoredDifference {
  readonly equal: boolean;
  readonly a: ComparedRun;
  readonly b: ComparedRun;
  readonly counts: DifferenceCounts;
  /** The earliest event that differs. */
  readonly first?: EventDifference;
  /** Differences in task, status and reasons. */
  readonly outcome: readonly FieldDifference[];
  /** Differences in the resulting states (plan, actions, tasks), if the dialect has states. */
  readonly state: readonly FieldDifference[];
  /**
   * The number of further differences between states. There may be many: without its first item, a list differs
   * everywhere.
   */
  readonly moreState: number;
  /** Differences in counts by phase, tool and policy, and in durations if requested. */
  readonly metrics: readonly FieldDifference[];
}

/** What differs between the stored events of two sessions that may have done the same. */
export interface StoredRest {
  /** The fields in which events of both runs differ, most frequent first; `*` stands for any index. */
  readonly fields: readonly { readonly path: string; readonly events: number }[];
  /** By the name of an event: how many are only in one of the runs. */
  readonly only: readonly { readonly name: string; readonly a: number; readonly b: number }[];
}

/** The log of a subagent, or a further log of a run. */
export interface ComparedPart {
  /** Commands accept it as a target. */
  readonly name: string;
  /** `log`: a further log of the run itself. */
  readonly kind: 'subagent' | 'log';
  readonly title?: string;
  readonly status: string;
  readonly durationMs?: number;
  /** Damaged lines, which were not compared. */
  readonly skipped?: SkippedLines;
}

/** A part of one run and its counterpart in the other: by the call that started both, otherwise by their order. */
export interface PartDifference {
  readonly a?: ComparedPart;
  readonly b?: ComparedPart;
  /** Whether both runs have it, and nothing that was compared differs. */
  readonly equal: boolean;
  readonly facts: { readonly a?: RunFacts; readonly b?: RunFacts };
  /** If only one run has it, everything in its log is in that run only. */
  readonly behaviour: LogBehaviour;
  /** If both runs have it, and an option asks for events. */
  readonly events?: DifferenceCounts;
}

/** The differences between two runs, except their events. */
export interface RunDifferenceHead extends StoredDifference {
  /** Only for sessions of one format, whose stored events do not decide whether the runs are equal. */
  readonly stored?: StoredRest;
  /** The steps and results of the runs, independent of how they are stored. */
  readonly behaviour: Behaviour;
  /** The subagents and further logs of both runs, if there are any. */
  readonly parts?: readonly PartDifference[];
}

/** The differences between two runs, as plain data. */
export interface RunDifference extends RunDifferenceHead {
  /** The differing events in order, up to the requested number. */
  readonly events: readonly EventDifference[];
  /** The number of further differences. */
  readonly moreEvents: number;
  /** Every event of both runs, aligned. */
  readonly blocks: readonly AlignedBlock[];
}

/** A run, or a part of one, with its status. */
interface Ended {
  readonly status?: string;
  readonly skipped?: SkippedLines;
}

/** Whether two runs of one format ended with the same status. Other formats have other words for it. */
export const sameEnd = ({ a, b }: { readonly a?: Ended; readonly b?: Ended }): boolean =>
  a?.status === b?.status;

export const SAME = 'no difference in what the runs did';

/** Of runs with damaged lines. */
export const AS_READABLE = 'as far as their logs can be read';

/** How two runs compare, in words; undefined if they did not do the same. */
export function sameText({
  equal,
  behaviour: { same, programs },
  stored,
  parts = [],
  ...runs
}: Pick<RunDifferenceHead, 'equal' | 'stored' | 'parts' | 'a' | 'b'> & {
  readonly behaviour: Pick<Behaviour, 'same' | 'programs'>;
}): string | undefined {
  const isSame = same && parts.every(({ behaviour }) => behaviour.same);
  const logs = [runs, ...parts].flatMap(({ a, b }) => [a, b]);
  if (!equal && isSame && logs.some((log) => (log?.skipped?.count ?? 0) > 0))
    return `${SAME}, ${AS_READABLE}`;
  if (!equal && isSame)
    return [runs, ...parts].every(sameEnd)
      ? 'the steps are the same, but what the runs stored differs'
      : 'the steps are the same, but the runs ended differently';
  if (!equal) return undefined;
  if (programs === 'two' || parts.some(({ behaviour }) => behaviour.programs === 'two'))
    return `${SAME}, as far as runs with different tools can be compared`;
  const isRest = stored !== undefined && stored.fields.length + stored.only.length > 0;
  return isRest ? `${SAME}; differences in storage do not count` : SAME;
}
