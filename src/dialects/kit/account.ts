import type { JsonObject } from '../../base/json/value.ts';
import type { LogRecord } from '../../log/record.ts';
import type { UsageEntry } from '../sessions/kit/session.ts';
import type { Copied } from './copied.ts';
import type { FailedCalls } from './failed-calls.ts';
import type { Charged } from './prices.ts';
import { type Tone, type ViewSection, viewText } from './state-view.ts';
import type { Lacks } from './tokens.ts';

/** The status of an event; `open`: it has not ended. */
export type SpanStatus = 'ok' | 'error' | 'veto' | 'open';

/** The kind of work of an event, for tracing tools. */
export type SpanOperation =
  | {
      readonly kind: 'tool';
      readonly tool: string;
      readonly callId?: string | undefined;
      /** The input of a failed call, shortened. */
      readonly input?: string | undefined;
    }
  | {
      readonly kind: 'evaluation';
      /** The judge: a policy, a gate. */
      readonly name: string;
      /** The judgement: `allow`, `veto`. */
      readonly label?: string | undefined;
      readonly score?: number | undefined;
      readonly explanation?: string | undefined;
    };

/** The start, end, name and status of an event, as far as it contains them. */
export interface EventSpan {
  /** A short name: a tool, a step, a type. */
  readonly name: string;
  /** ISO 8601. */
  readonly start?: string | undefined;
  /** ISO 8601. */
  readonly end?: string | undefined;
  /** In milliseconds, if the event contains it; possibly from another clock than the times. */
  readonly durationMs?: number | undefined;
  readonly status?: SpanStatus | undefined;
  /** The step or task it worked on. Events with the same subject are added up. */
  readonly subject?: string | undefined;
  /** Why it failed or was refused, as trace text: a message, a policy with its rule. */
  readonly reason?: string | undefined;
  /** For a call of a tool or a judgement. */
  readonly operation?: SpanOperation | undefined;
  /** Whether it only sums up other events, and is not counted again. */
  readonly isSum?: true;
  /** Whether its record was copied from another session, where it counts. */
  readonly copied?: true;
  /** Whether it may only repeat a failure or refusal before it, such as the end of a run after a veto. */
  readonly isEcho?: true;
  /** The tools of several calls or results in one record. */
  readonly tools?: readonly string[] | undefined;
  /** For a result in a record after its call: the line of the call. */
  readonly callLine?: number | undefined;
  /**
   * For a record that only begins a call: the line of the result, whose span is that of both. {@link NOT_YET} if no
   * earlier line has the result.
   */
  readonly spanLine?: number | undefined;
  /** For a call: its results on earlier lines, which do not name the tool. */
  readonly early?: readonly EarlyResult[] | undefined;
}

/** No line has the span of a call so far; see {@link EventSpan.spanLine}. */
export const NOT_YET = 0;

/** A result that the log has before its call, because several writers raced. */
export interface EarlyResult {
  readonly line: number;
  readonly tool: string;
  /** The input of the call, if it failed. */
  readonly input?: string | undefined;
}

/** The line of a span's call, and the line of its result if they differ. */
export const placeOf = (
  { callLine }: EventSpan,
  line: number,
): { readonly line: number; readonly resultLine?: number } =>
  callLine === undefined || callLine === line ? { line } : { line: callLine, resultLine: line };

/**
 * Makes spans in log order, for formats with start and end in different records. Make a new one for each
 * pass.
 */
export interface SpanReader {
  /** `line`: for `callLine` and `early`. */
  span(event: JsonObject, line?: number): EventSpan;
  /** Whether a record has a call or a result, so that its span may depend on other records. */
  hasCall(event: JsonObject): boolean;
  /** Whether a result came before its call, which may still follow. */
  readonly isWaiting: boolean;
}

/** The kinds of reasons that say what a run still does: it has not failed. */
export const GOING_ON = { call: 'open call', question: 'waits for you' } as const;

/** Why a run ended as it did: one of the reasons. */
export interface EndingReason {
  /** The kind of event: `veto`, `failed act`, `terminate`. */
  readonly kind: string;
  /** Trace text. */
  readonly text: string;
  /** The whole text, if `text` is only its beginning. */
  readonly fullText?: string | undefined;
  readonly tone: Tone;
  /** The line of the event; of a call, not of its result. */
  readonly line: number;
  /** The line of the result of a call. */
  readonly resultLine?: number | undefined;
  /** The part of the run whose log has the line; absent for the log of the run itself. */
  readonly part?: string;
  /** Further facts of the event: a policy, a score. */
  readonly facts?: readonly (readonly [label: string, value: unknown])[];
}

/** A call that worked less than its time on the clock: it waited for a person, was stopped or refused. In milliseconds. */
export interface CallWait {
  readonly line: number;
  readonly result_line: number;
  /** How long it worked, if the log says that. */
  readonly duration_ms?: number | undefined;
  /** Otherwise: how long it worked at least, or at most. */
  readonly at_least_ms?: number | undefined;
  readonly at_most_ms?: number | undefined;
  /** How long it waited for a person. Absent for a call that was stopped. */
  readonly waited_ms?: number | undefined;
}

/** A step or task of a run, or a turn of a session. */
export interface AccountStep extends Charged, Partial<FailedCalls> {
  readonly id: string;
  readonly status: string;
  readonly tone?: Tone | undefined;
  readonly text: string;
  /** The calls of a turn. */
  readonly calls?: number;
  /** Those of a turn, if the log has them by turn. */
  readonly tokens?: number;
  /** Its status is that the next turn began without an answer to it. The log does not say that it was interrupted. */
  readonly is_unanswered?: true;
  /** Whether the turn was taken out of the conversation. The log still contains it. */
  readonly rolled_back?: true;
  /** Whether the turn was copied from another session, where it counts. */
  readonly copied?: true;
  /** In milliseconds, over all its events. */
  readonly durationMs?: number | undefined;
  /** The line of its last event; of a turn, of its prompt. */
  readonly line?: number | undefined;
  /** What its tokens and calls lack. */
  readonly lacks?: Lacks;
  /** The further log of the run that has the line; absent for the log of the run itself. */
  readonly part?: string;
}

/** Where the tokens of a subagent count. */
export const COUNTED_IN = ['step', 'total', 'nothing'] as const;
export type CountedIn = (typeof COUNTED_IN)[number];

/** A subagent that a session started. */
export interface SubagentUse extends Charged, Partial<FailedCalls> {
  readonly id: string;
  readonly title?: string;
  readonly status?: string | undefined;
  /** Those of its records, in its own log or in that of the session, else those that the log of the session names. */
  readonly tokens?: number | undefined;
  /**
   * Where its tokens count: in the total and in the step that started it, because the records of both are in one log; only in
   * the total, because it has its own log; or nowhere, because that log is missing. Absent without tokens.
   */
  readonly counted?: CountedIn;
  /** Where it started. */
  readonly line: number;
  /** The further log of the run that has the line; absent for the log of the run itself. */
  readonly part?: string;
  /** The calls among its records, in its own log or in that of the session. */
  readonly calls?: number;
  /** What its tokens and calls lack. */
  readonly lacks?: Lacks;
}

/** A file that calls of a run wrote. */
export interface WrittenFile {
  readonly path: string;
  readonly edits: number;
  /** The line of the call that last wrote it; of the record that names it, if the log does not have the call. */
  readonly line: number;
  /** The part of the run whose log has the line; absent for the log of the run itself. */
  readonly part?: string;
}

/** The calls of a tool. */
export interface ToolUse extends FailedCalls {
  readonly tool: string;
  readonly calls: number;
  /** The line of the last call that did not succeed. */
  readonly failed_line?: number;
  /** The part of the run whose log has this line; absent for the log of the run itself. */
  readonly failed_part?: string;
  /** In milliseconds, without the time that a person took. Calls at the same time count each. */
  readonly took_ms: number;
  /** The calls that are not in {@link took_ms}, because the log does not say which part of their time a person took. */
  readonly untimed?: number;
  /** Of a call, the log does not have the end, so that {@link took_ms} is a minimum. */
  readonly is_minimum?: true;
}

/** The number of calls of some tools. */
export const callsOfTools = (tools: readonly Pick<ToolUse, 'calls'>[]): number =>
  tools.reduce((sum, { calls }) => sum + calls, 0);

/** Where the time of a run went, in milliseconds. The first number is the sum of the others. */
export interface TimeOfRun {
  readonly lasted_ms: number;
  readonly model_ms: number;
  /** Calls at the same time count once. */
  readonly tools_ms: number;
  /** The program waited for a person: for a permission or an answer. */
  readonly waited_ms: number;
  /** Nothing happened: before the first turn, between two, and after the last one. */
  readonly idle_ms: number;
  /** Nobody knows what happened: around damaged lines, and while a call may have worked whose end or time is not in the log. */
  readonly unknown_ms?: number;
  readonly slowest: readonly {
    readonly line: number;
    /** The further log of the run that has the line; absent for the log of the run itself. */
    readonly part?: string;
    readonly tool: string;
    readonly input: string;
    readonly took_ms: number;
    /** The time that a person took in addition. */
    readonly waited_ms?: number | undefined;
  }[];
}

/** The facts of a session that further logs of it add to. */
export interface GrowingFacts {
  readonly models: readonly string[];
  readonly compactions: number;
  readonly links: readonly string[];
}

/** A run at a glance: its task, how it ended, and why. */
export interface Account {
  /** The calls that waited for a person. */
  readonly waits?: readonly CallWait[];
  /** Whether the log continues a run that begins in another one. */
  readonly is_part?: true;
  readonly task?: string | undefined;
  /** The task in the log has more lines. */
  readonly taskIsCut?: true;
  readonly status: string;
  readonly tone?: Tone | undefined;
  /** Whether the run ended; undefined if there is more than one run, or the log does not say. */
  readonly isOver: boolean | undefined;
  /** Whether the log has many runs, each with its own end. */
  readonly isMany?: true;
  /** Latest last. */
  readonly why: readonly EndingReason[];
  /** Earlier failures and refusals that are not reasons for the end. */
  readonly onTheWay?: readonly EndingReason[];
  readonly steps: readonly AccountStep[];
  /** Whether the steps are the turns of a session, with their numbers as ids. */
  readonly hasTurns?: true;
  /** The tools of a session, the longest time first. */
  readonly tools?: readonly ToolUse[];
  /** Where the time went, if the log shows it. */
  readonly time?: TimeOfRun;
  /** The subagents of a session. */
  readonly agents?: readonly SubagentUse[];
  /** The files that a session wrote. */
  readonly files?: readonly WrittenFile[];
  /** What only this dialect has, as data. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** What only this dialect has, for people. */
  readonly sections?: readonly ViewSection[];
  /** The facts of a session that further logs of it add to. */
  readonly grows?: GrowingFacts;
  /** The working directory, if known. */
  readonly cwd?: string;
  /** What the program would load of a session that is damaged or has branches. */
  readonly resume?: {
    readonly parts: number;
    readonly of: number;
    /** The number of parts on other branches. */
    readonly branches: number;
    /** The number of things that the API refuses. */
    readonly refused: number;
    /** Where the chain is cut. */
    readonly line?: number;
  };
  /** Whether a continued session may lack something, so that {@link resume} is worth finding out. */
  readonly mayLack?: true;
  /** Answers with tokens, and calls, for statistics; if the records contain them. */
  readonly usage?: readonly UsageEntry[];
  /** What the log has from another session, where it counts. */
  readonly copied?: Copied;
  /** The sum of tokens over all records, if it differs from that of the answers. */
  readonly recorded_tokens?: number;
  /** False for a session with tokens whose log has no tokens by turn. */
  readonly tokens_by_turn?: false;
  /** The tokens that follow a damaged line, so that no turn has them for certain. */
  readonly unsure_tokens?: number;
}

/** Separates the reasons for the end from earlier failures. If a run succeeded, no failure was a reason. */
export function endingOf(
  { tone, isOver }: Pick<Account, 'tone' | 'isOver'>,
  reasons: readonly EndingReason[],
): Pick<Account, 'why' | 'onTheWay'> {
  const inOrder = reasons.toSorted((a, b) => a.line - b.line);
  const isTrouble = (reason: EndingReason) => reason.tone === 'bad' || reason.tone === 'doubtful';
  const why = inOrder.filter((reason) => !isTrouble(reason));
  const endedWell = isOver === true && tone === 'good';
  if (!endedWell || why.length === 0 || why.length === inOrder.length) return { why: inOrder };
  return { why, onTheWay: inOrder.filter(isTrouble) };
}

/** The kind of a reason as people read it, with the word for calls that were not allowed. */
export const kindInWords = ({ kind }: Pick<EndingReason, 'kind'>): string =>
  kind === 'denied call' ? 'refused call' : kind;

/** A reason in a line: what happened, and its facts in parentheses. The kind and the place are not in it. */
export function reasonText({ text, facts = [] }: EndingReason): string {
  const told = facts
    .map(([label, value]) => [label, viewText(value)] as const)
    .filter(([, value]) => value !== '')
    .map(([label, value]) => ({ value, says: `${label} ${value}` }));
  // An error whose whole text is another fact, such as `Exit code 1`, says nothing more.
  const isSaid = (value: string) => told.some(({ says }) => says.toLowerCase() === value.toLowerCase());
  const left = told.filter(({ value }) => !isSaid(value)).map(({ says }) => says);
  return left.length === 0 ? text : `${text} (${left.join(', ')})`;
}

/** Failures of one kind with one text: the last one, and the lines of all. */
export interface GroupedReason {
  readonly reason: EndingReason;
  readonly lines: readonly number[];
}

/** Groups failures that say the same, ordered by the last of each group. */
export function groupReasons(reasons: readonly EndingReason[]): GroupedReason[] {
  const groups = new Map<string, { reason: EndingReason; lines: number[] }>();
  for (const reason of reasons) {
    const key = JSON.stringify([reason.kind, reason.text, reason.part]);
    const lines = groups.get(key)?.lines ?? [];
    lines.push(reason.line);
    // Deleted and set again, it is the last one of the map.
    groups.delete(key);
    groups.set(key, { reason, lines });
  }
  return [...groups.values()];
}

/** Makes an account from records in order. */
export interface AccountBuilder {
  add(record: LogRecord): void;
  /** A line that is damaged, in order with the records. */
  lost?(line: number): void;
  result(): Account;
}

/** Adds up the durations of events per subject. */
export class SubjectTimes {
  readonly #bySubject = new Map<string, { durationMs: number | undefined; line: number }>();

  add(subject: string, line: number, durationMs: number | undefined): void {
    const before = this.#bySubject.get(subject)?.durationMs;
    const sum = durationMs === undefined ? before : (before ?? 0) + durationMs;
    this.#bySubject.set(subject, { durationMs: sum, line });
  }

  of(subject: string): { readonly durationMs?: number | undefined; readonly line?: number | undefined } {
    return this.#bySubject.get(subject) ?? {};
  }
}
