import type { LogRecord } from '../log/record.ts';
import type { FileChange } from './file-change.ts';
import type { CallStatus } from './session.ts';
import type { Tone } from './state-view.ts';
import type { Tokens } from './tokens.ts';

/** What every item of a story has. */
interface Item {
  readonly line: number;
  /** ISO 8601. */
  readonly time?: string;
  /** The subagent whose work it is; absent for the run's own agent. */
  readonly agent?: string;
}

/** A text that somebody said, as Markdown. */
export interface SaidItem extends Item {
  readonly kind: 'prompt' | 'answer' | 'thinking';
  /** Who said it, if it is not the user or the agent. */
  readonly speaker?: string;
  readonly text: string;
}

/** A line of its own below an item. */
export interface StoryPoint {
  readonly text: string;
  readonly tone?: Tone;
}

/** A call of a tool with its result. */
export interface CallItem extends Item {
  readonly kind: 'call';
  readonly tool: string;
  /** The command, the path or what else says most. */
  readonly input: string;
  readonly status: CallStatus;
  readonly exit_code?: number;
  readonly duration_ms?: number;
  /** The line of the result. */
  readonly result_line?: number;
  readonly output?: string;
  readonly changes?: readonly FileChange[];
  /** What came before it: who decided that it may be done, and why. */
  readonly points?: readonly StoryPoint[];
}

/** Something else that happened: a plan, a decision, a score. */
export interface NoteItem extends Item {
  readonly kind: 'note';
  /** What it is, in a word or two. */
  readonly title: string;
  readonly tone?: Tone;
  readonly text?: string;
  /** More about it, each on a line of its own: the steps of a plan, the members of a score. */
  readonly points?: readonly StoryPoint[];
}

/** A break in the run: an interruption, a retry, a compaction. */
export interface DividerItem extends Item {
  readonly kind: 'divider';
  readonly title: string;
  readonly tone?: Tone;
  readonly text?: string;
}

export type StoryItem = SaidItem | CallItem | NoteItem | DividerItem;

/** A stretch of a run that is read in one go: a prompt and what it led to, a phase, a task. */
export interface StoryTurn {
  /** From 1; 0 for what came before the first. */
  readonly turn: number;
  readonly line: number;
  /** A heading, if it is not just the next turn. */
  readonly title?: string;
  /** ISO 8601. */
  readonly time?: string;
  readonly status?: string;
  readonly tone?: Tone;
  readonly duration_ms?: number;
  readonly tokens?: Tokens;
  /** The user took it back; the log keeps it. */
  readonly rolled_back?: true;
  readonly items: readonly StoryItem[];
}

/** A run as one reads it from top to bottom. */
export interface Story {
  readonly title?: string;
  readonly status: string;
  readonly tone?: Tone;
  readonly tokens?: Tokens;
  readonly turns: readonly StoryTurn[];
}

/** Makes a story of the records it is handed in their order. */
export interface StoryBuilder {
  add(record: LogRecord): void;
  result(): Story;
}
