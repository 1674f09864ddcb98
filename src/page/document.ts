import type { AlignedBlock, RunDifferenceHead } from '../compare/run-difference.ts';
import type { LogAccount } from '../describe/account-of-log.ts';
import type { Story } from '../dialects/story.ts';
import type { UpcastStep } from '../dialects/upcast-schema.ts';
import type { Finding } from '../findings/finding.ts';
import type { OmittedFindings, Stage, Verdict, VerifyReport } from '../findings/report.ts';

// What a page is made of: written by the command line, read in the browser. Plain JSON.

/** A column with few different words: each row has the place of its word, or -1. */
export interface WordColumn {
  readonly words: readonly string[];
  readonly at: readonly number[];
}

/** The words for how an event went: a span's status, and one for a line that is no event. */
export const STATUSES = ['ok', 'error', 'veto', 'open', 'corrupt'] as const;

export type RowStatus = (typeof STATUSES)[number];

/** No cause is named. */
export const NO_CAUSE = -1;
/** A cause is named that is not in the log; `lost` has its id. */
export const LOST_CAUSE = -2;

/** The events of a log as columns, one row for each: what lists and timelines show without reading an event. */
export interface EventTable {
  readonly line: readonly number[];
  /** Empty where an event has none. */
  readonly id: readonly string[];
  /** The row of the event that led to it, else {@link NO_CAUSE} or {@link LOST_CAUSE}. */
  readonly cause: readonly number[];
  /** The ids of causes that are not in the log, by row. */
  readonly lost: Readonly<Record<number, string>>;
  readonly phase: WordColumn;
  readonly type: WordColumn;
  readonly agent: WordColumn;
  readonly name: WordColumn;
  /** Places in {@link STATUSES}. */
  readonly status: readonly number[];
  /** Milliseconds after `base`; null where an event has no time. */
  readonly start: readonly (number | null)[];
  /** In milliseconds; null where nothing tells. */
  readonly took: readonly (number | null)[];
  /** What it says, in a few words. */
  readonly text: readonly string[];
  /** Milliseconds since 1970. */
  readonly base: number;
}

/** What the catalogue says of a code. */
export interface CodeMeaning {
  readonly meaning: string;
  readonly why: string;
  readonly fix: string;
}

export type Meanings = Readonly<Record<string, CodeMeaning>>;

/** What verification says of an episode; absent where it was not asked. */
export interface PageVerdict {
  readonly verdict: Verdict;
  readonly stages: readonly Stage[];
  readonly findings: readonly Finding[];
  readonly omitted: readonly OmittedFindings[];
}

/** One run, whole. Its stored lines stand beside the document, one below the other. */
export interface EpisodeDocument {
  readonly kind: 'episode';
  readonly version: string;
  readonly name: string;
  readonly dialect: string;
  /** What the dialect is, in a few words. */
  readonly format: string;
  /** The name of the log, as findings name it. */
  readonly file: string;
  readonly run?: string | undefined;
  /** The steps with which events of older versions are read; absent where there are none. */
  readonly upcasts?: readonly UpcastStep[] | undefined;
  readonly bytes: number;
  readonly table: EventTable;
  /** What `noesis read` prints: of a corrupt log, of the lines that are whole. */
  readonly story: Story;
  readonly account: LogAccount;
  /** Why the log is corrupt. */
  readonly corruption?: string | undefined;
  readonly verification?: PageVerdict | undefined;
  readonly meanings: Meanings;
  /** States can be rebuilt: the page has the dialect's own code for it. */
  readonly states: boolean;
}

/** What a run is called: its title in one line, else its task, else its name. */
export function runTitle({ story, account, name }: EpisodeDocument): string {
  const [first = ''] = (story.title ?? account.account?.task ?? '').trim().split('\n');
  return first === '' ? name : first;
}

/** What verification says of many episodes. */
export interface ReportDocument {
  readonly kind: 'report';
  readonly version: string;
  /** What a configuration file changed of the verdicts. */
  readonly configuration?: string | undefined;
  /** Paths are as they are shown: a page is sent around. */
  readonly report: VerifyReport;
  /** Where each episode's own page lies, relative to this one; null where there is none. */
  readonly views: readonly (string | null)[];
  readonly meanings: Meanings;
}

/** A value that two runs, or two states, have otherwise; a side that has none is left out. JSON texts. */
export interface ValueChange {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

/** Two runs side by side. Their stored lines stand beside the document, those of the first run first. */
export interface ComparisonDocument {
  readonly kind: 'comparison';
  readonly version: string;
  readonly head: Pick<RunDifferenceHead, 'equal' | 'a' | 'b' | 'counts' | 'first'>;
  readonly blocks: readonly AlignedBlock[];
  readonly a: EventTable;
  readonly b: EventTable;
  readonly outcome: readonly ValueChange[];
  readonly state: readonly ValueChange[];
  readonly metrics: readonly ValueChange[];
  /** What changed in an event, by its line in the first run. */
  readonly fields: Readonly<Record<number, readonly ValueChange[]>>;
}

export type PageDocument = EpisodeDocument | ReportDocument | ComparisonDocument;
