import type { ContextSize, Story } from '../../dialects/kit/story.ts';
import type { UpcastStep } from '../../dialects/kit/upcast-schema.ts';
import type { Finding } from '../../findings/finding.ts';
import type { OmittedFindings, Stage, Verdict, VerifyReport } from '../../findings/report.ts';
import type { Behaviour } from '../../read/compare/behaviour.ts';
import type { AlignedBlock, RunDifferenceHead, StoredRest } from '../../read/compare/run-difference.ts';
import type { LogAccount } from '../../read/describe/gathering.ts';

// The data of a page: written by the command line, read in the browser. Plain JSON.

/** A column with few different words. Each row has the index of its word, or -1. */
export interface WordColumn {
  readonly words: readonly string[];
  readonly at: readonly number[];
}

/** The status of an event: a span's, one for a line that is not an event, and that of a call whose result may be on such a line. */
export const STATUSES = ['ok', 'error', 'veto', 'open', 'corrupt', 'unknown'] as const;

export type RowStatus = (typeof STATUSES)[number];

/** No cause is named. */
export const NO_CAUSE = -1;
/** A cause is named that is not in the log; `lost` has its id. */
export const LOST_CAUSE = -2;

/** In UTF-16 units: all texts of a story up to this length are in the document, so that the browser finds them. */
export const LONGEST_WHOLE = 5_000_000;

/** In UTF-16 units: in longer stories, longer outputs are cut; the stored record has them whole. */
export const LONGEST_OUTPUT = 50_000;

/** In milliseconds. */
export interface RowWait {
  readonly waited_ms?: number;
  /** If the log does not say how long the call worked: how long at least, or at most. */
  readonly at_least_ms?: number;
  readonly at_most_ms?: number;
}

/** The events of a log as columns, for lists and timelines, which then need not parse events. */
export interface EventTable {
  readonly line: readonly number[];
  /** Empty if an event has none. */
  readonly id: readonly string[];
  /** The row of the event that led to it, else {@link NO_CAUSE} or {@link LOST_CAUSE}. */
  readonly cause: readonly number[];
  /** The ids of causes that are not in the log, by row. */
  readonly lost: Readonly<Record<number, string>>;
  readonly phase: WordColumn;
  readonly type: WordColumn;
  readonly agent: WordColumn;
  readonly name: WordColumn;
  /** The tool of a call, and of its result. */
  readonly tool: WordColumn;
  /** Indexes into {@link STATUSES}. */
  readonly status: readonly number[];
  /** Milliseconds after `base`; null without a time. */
  readonly start: readonly (number | null)[];
  /** When a record was written, by row, in milliseconds after `base`, if its event started at another time. */
  readonly written: Readonly<Record<number, number>>;
  /** How long it worked, in milliseconds; null if unknown. */
  readonly took: readonly (number | null)[];
  /** The calls that waited for a person before they worked, by row. */
  readonly waits: Readonly<Record<number, RowWait>>;
  /** A short description. */
  readonly text: readonly string[];
  /** The start of the run in milliseconds since 1970. An event may claim that it began before. */
  readonly base: number;
}

/** The catalogue's entry for a code. */
export interface CodeMeaning {
  readonly meaning: string;
  readonly why: string;
  readonly fix: string;
}

export type Meanings = Readonly<Record<string, CodeMeaning>>;

/** The verification of an episode; absent if it was not requested. */
export interface PageVerdict {
  readonly verdict: Verdict;
  /** The level, and what it does not prove, in words. */
  readonly proof?: string | undefined;
  readonly stages: readonly Stage[];
  readonly findings: readonly Finding[];
  readonly omitted: readonly OmittedFindings[];
}

/** One run. Its stored lines are next to this document in the page, one per line. */
export interface EpisodeDocument {
  readonly kind: 'episode';
  readonly version: string;
  readonly name: string;
  readonly dialect: string;
  /** A short description of the dialect. */
  readonly format: string;
  /** The name of the log in findings. */
  readonly file: string;
  readonly run?: string | undefined;
  /** The upcast steps for older events; absent if there are none. */
  readonly upcasts?: readonly UpcastStep[] | undefined;
  readonly bytes: number;
  readonly table: EventTable;
  /** The story as `noesis read` prints it; of a corrupt log, the intact lines. */
  readonly story: Story;
  /** Set if long outputs of the story are cut to {@link LONGEST_OUTPUT}. */
  readonly cut_outputs?: true | undefined;
  /** How much each request of the main agent contained; absent if the log does not say it. */
  readonly context?: readonly ContextSize[] | undefined;
  readonly account: LogAccount;
  /** Why the log is corrupt. */
  readonly corruption?: string | undefined;
  readonly verification?: PageVerdict | undefined;
  /** What a configuration file changed in this page. */
  readonly configuration?: string | undefined;
  readonly meanings: Meanings;
  /** Whether states can be rebuilt, because the page contains the dialect's code. */
  readonly states: boolean;
}

/** The title of a run in one line, else its task, else its name. */
export function runTitle({ story, account, name }: EpisodeDocument): string {
  const [first = ''] = (story.title ?? account.account?.task ?? '').trim().split('\n');
  return first === '' ? name : first;
}

/** The verification of many episodes. */
export interface ReportDocument {
  readonly kind: 'report';
  readonly version: string;
  /** The effect of a configuration file on the verdicts. */
  readonly configuration?: string | undefined;
  /** With paths as displayed, because users send pages to others. */
  readonly report: VerifyReport;
  /** The page of each episode, relative to this one; null if it has none. */
  readonly views: readonly (string | null)[];
  readonly meanings: Meanings;
}

/** A value that differs between two runs or states, as JSON. A side without a value is left out. */
export interface ValueChange {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

/**
 * Two runs side by side. Their stored lines are next to this document in the page, those of the first run
 * first.
 */
export interface ComparisonDocument {
  readonly kind: 'comparison';
  readonly version: string;
  readonly head: Pick<RunDifferenceHead, 'equal' | 'a' | 'b' | 'counts' | 'first' | 'moreState' | 'parts'>;
  readonly behaviour: Behaviour;
  readonly stored?: StoredRest;
  readonly blocks: readonly AlignedBlock[];
  readonly a: EventTable;
  readonly b: EventTable;
  /** Empty for sessions: no state is stored, and what follows from their events repeats what they did. */
  readonly state: readonly ValueChange[];
  /** The changes of an event, by its line in the first run. */
  readonly fields: Readonly<Record<number, readonly ValueChange[]>>;
}

export type PageDocument = EpisodeDocument | ReportDocument | ComparisonDocument;
