import type { JsonValue } from '../../base/json/value.ts';
import type { LogRecord } from '../../log/record.ts';
import type { CallStatus, UsageEntry } from '../sessions/kit/session.ts';
import type { TimeOfRun } from './account.ts';
import type { Charge } from './charges.ts';
import type { Copied } from './copied.ts';
import type { FailedCalls } from './failed-calls.ts';
import type { FileChange, FileTexts } from './file-change.ts';
import type { Cost } from './prices.ts';
import type { Tone } from './state-view.ts';
import type { Lacks, Tokens } from './tokens.ts';
import type { LogUsage, PartUsage } from './usage.ts';

/** The common members of items. */
interface Item {
  readonly line: number;
  /** ISO 8601. */
  readonly time?: string | undefined;
  /** The subagent that did it; absent for the main agent. */
  readonly agent?: string | undefined;
}

/** A text in Markdown. */
export interface SaidItem extends Item {
  readonly kind: 'prompt' | 'answer' | 'thinking';
  /** The speaker, if neither the user nor the agent. */
  readonly speaker?: string;
  readonly text: string;
}

/** A line of text that belongs to an item. */
export interface StoryPoint {
  readonly text: string;
  readonly tone?: Tone;
  /** The line of the log that it refers to. */
  readonly line?: number;
}

/** The number of lines of an output, diff or list of points that are shown by default. */
export const FOLDED = 12;

/** A call of a tool with its result. */
export interface CallItem extends Item {
  readonly kind: 'call';
  readonly tool: string;
  /** The most informative argument. */
  readonly input: string;
  readonly status: CallStatus;
  readonly exit_code?: number | undefined;
  /** How long it worked; absent if the log does not say. */
  readonly duration_ms?: number | undefined;
  /** It worked at least this long, if the log does not have its end. */
  readonly at_least_ms?: number | undefined;
  /** It worked at most this long: it waited for a person, or was stopped when the program ended. */
  readonly at_most_ms?: number | undefined;
  /** How long a person took in addition to decide or answer; with {@link at_most_ms}, at least this long. */
  readonly waited_ms?: number | undefined;
  /** The line of the result. */
  readonly result_line?: number | undefined;
  /** Whether it was copied from another session, where it counts. */
  readonly copied?: true | undefined;
  readonly output?: string | undefined;
  /** The number of further lines of the output, if the story is folded. */
  readonly more_lines?: number | undefined;
  readonly changes?: readonly FileChange[] | undefined;
  /** The decisions before it: who allowed it, and why. */
  readonly points?: readonly StoryPoint[];
  /** The subagents that it started, if their records are in logs of their own or in this one. */
  readonly subagents?: readonly PartStory[] | undefined;
}

/** What a subagent did, according to its log, or to that of the session if its records are there. */
export interface PartStory extends FailedCalls {
  /** If it has its own log, commands accept this as a target; else `agent` of its items in the log of the session. */
  readonly name: string;
  /** The path of its own log, for display. Numbers of lines are those of this log, or of that of the session. */
  readonly log?: string;
  readonly title?: string;
  readonly status: string;
  readonly tone?: Tone;
  readonly calls: number;
  readonly tokens?: Tokens;
  readonly charges?: readonly Charge[];
  readonly cost?: Cost;
  /** What its tokens lack. */
  readonly lacks?: Lacks;
  /** The number of damaged lines, which are left out. */
  readonly damaged?: number;
  /** Absent if it is folded. */
  readonly turns?: readonly StoryTurn[];
  /** Its own subagents, if it is folded or does not show which call started them. */
  readonly subagents?: readonly PartStory[];
}

/** Another event: a plan, a decision, a score. */
export interface NoteItem extends Item {
  readonly kind: 'note';
  /** A title of one or two words. */
  readonly title: string;
  readonly tone?: Tone;
  readonly text?: string;
  /** Details: the steps of a plan, the members of a score. */
  readonly points?: readonly StoryPoint[];
}

/** A break in the run: an interruption, a retry, a compaction; or a break in the log. */
export interface DividerItem extends Item {
  readonly kind: 'divider';
  readonly title: string;
  readonly tone?: Tone;
  readonly text?: string;
  /** The number of damaged lines that are left out here. */
  readonly damaged?: number;
  /** What a result says of files whose call is not in the log. */
  readonly changes?: readonly FileChange[];
}

export type StoryItem = SaidItem | CallItem | NoteItem | DividerItem;

/** How many calls a turn has, and how many of them did not succeed. */
export type TurnCalls = { readonly calls: number } & FailedCalls;

/** A section of a run: a prompt and what followed, a phase, a task. */
export interface StoryTurn {
  /** From 1; 0 for everything before the first. */
  readonly turn: number;
  readonly line: number;
  /** The further log of the run that has its lines; absent for the log of the run itself. */
  readonly part?: string;
  /** A heading, unless it is just the next turn. */
  readonly title?: string;
  /** ISO 8601. */
  readonly time?: string;
  readonly status?: string;
  readonly tone?: Tone;
  /** How long the program worked on it, without the time that a person took. */
  readonly duration_ms?: number;
  /** How long a person took in addition: for a permission or an answer. */
  readonly waited_ms?: number;
  /** From its end to the next prompt, or after the last turn to the last record. */
  readonly idle_ms?: number;
  /** In addition to {@link idle_ms}: the program compacted the conversation. */
  readonly compacted_ms?: number;
  /** In addition to these: nobody knows whether a call still worked. */
  readonly unknown_ms?: number;
  /** In addition to these, after its first damaged line: the program worked or waited, in this turn or in another one. */
  readonly unsure_ms?: number;
  readonly tokens?: Tokens;
  /** What prices are multiplied with, until there is a cost. */
  readonly charges?: readonly Charge[];
  readonly cost?: Cost;
  /** What its tokens and calls lack. */
  readonly lacks?: Lacks;
  /** Its status is that the next one began without an answer to it. The log does not say that it was interrupted. */
  readonly is_unanswered?: true;
  /** Whether it was taken out of the conversation. The log still contains it. */
  readonly rolled_back?: true;
  /** Whether all of it was copied from another session, where it counts. */
  readonly copied?: true;
  /** All its calls, if those of subagents in the log are not among its items. */
  readonly all_calls?: TurnCalls;
  readonly items: readonly StoryItem[];
}

/** The status of a turn as people read it. */
export const statusInWords = ({
  status,
  is_unanswered: isUnanswered,
}: {
  readonly status?: string;
  readonly is_unanswered?: true;
}): string | undefined => (status === 'interrupted' && isUnanswered ? 'no answer' : status);

/** From the start of a turn to its end, in milliseconds. */
export const clockOf = ({ duration_ms = 0, waited_ms = 0 }: StoryTurn): number => duration_ms + waited_ms;

/** From the end of a turn to the next one, in milliseconds. Its parts are apart. */
export const pauseOf = ({
  idle_ms = 0,
  compacted_ms = 0,
  unknown_ms = 0,
  unsure_ms = 0,
}: StoryTurn): number => idle_ms + compacted_ms + unknown_ms + unsure_ms;

/** A run as a text to read from top to bottom. */
export interface Story {
  readonly title?: string;
  readonly status: string;
  readonly tone?: Tone;
  /** Where the time went, if the log shows it. */
  readonly time?: TimeOfRun;
  /** With those of subagents. */
  readonly tokens?: Tokens;
  readonly subagents?: PartUsage;
  /** What the tokens lack. */
  readonly lacks?: Lacks;
  /** The part of the tokens in further logs of the session itself. */
  readonly parts?: PartUsage;
  /** False if the log has tokens, but none by turn. */
  readonly tokens_by_turn?: false;
  /** The tokens that follow a damaged line, so that no turn has them for certain. */
  readonly unsure_tokens?: number;
  /** What the log has from another session, where it counts. */
  readonly copied?: Copied;
  readonly tokens_by_model?: Readonly<Record<string, Tokens>>;
  /** What prices are multiplied with, until there is a cost. */
  readonly charges?: readonly Charge[];
  readonly cost?: Cost;
  /** Titles of the subagents that items name. */
  readonly agents?: Readonly<Record<string, string>>;
  readonly turns: readonly StoryTurn[];
  /** The subagents that no call of the log is known to have started. */
  readonly subagent_runs?: readonly PartStory[];
}

/** What a comparison of runs needs to know of a call, and a story does not show. */
export interface CallDetails {
  /** The whole input, as stored. */
  readonly input?: JsonValue | undefined;
  readonly model?: string | undefined;
  /** The whole files that its result has, whether it read or changed them. */
  readonly files?: readonly FileTexts[] | undefined;
}

/** How much a request to the model contained. */
export interface ContextSize {
  /** The line of its answer. */
  readonly line: number;
  /** The input tokens, cached or not. */
  readonly tokens: number;
}

/** What comparisons and pages need to know, and a story does not show. */
export interface StoryDetails {
  /** The models that answered. */
  readonly models: readonly string[];
  /** The versions of the program. */
  readonly versions: readonly string[];
  /** The ids of the run and of its subagents. */
  readonly ids: readonly string[];
  /** The ids of the log itself: of its session, or of its subagent. */
  readonly own: readonly string[];
  /** Answers and calls, which other logs of the run may repeat. */
  readonly entries?: readonly UsageEntry[] | undefined;
  /** The subagents, and the lines where they started. */
  readonly started: readonly { readonly id: string; readonly line: number }[];
  /** The working directory. */
  readonly cwd?: string | undefined;
  /** The first and the last time in the log, in ISO 8601. */
  readonly started_at?: string | undefined;
  readonly ended_at?: string | undefined;
  /** The requests of the main agent in order, if the log has their tokens. */
  readonly context?: readonly ContextSize[] | undefined;
  /** The details of a call of the story. */
  callOf(item: CallItem): CallDetails | undefined;
}

/** Makes a story from records in order. */
export interface StoryBuilder {
  add(record: LogRecord): void;
  /** A line that is damaged, in order with the records. */
  lost?(line: number): void;
  result(): Story;
  /** What the log says about usage, if its stories have tokens. */
  usage?(): LogUsage;
  /** Call it after {@link result}. */
  details?(): StoryDetails;
}
