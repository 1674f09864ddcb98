import type { JsonObject } from '../json/value.ts';
import type { LogRecord } from '../log/record.ts';
import type { UsageEntry } from './session.ts';
import type { Tone, ViewSection } from './state-view.ts';

/** How an event went: `open` is one that did not come to an end. */
export type SpanStatus = 'ok' | 'error' | 'veto' | 'open';

/** What kind of work an event tells of, for those who follow traces with other tools. */
export type SpanOperation =
  | {
      readonly kind: 'tool';
      readonly tool: string;
      readonly callId?: string | undefined;
      /** What a call that failed was given, in a few words. */
      readonly input?: string | undefined;
    }
  | {
      readonly kind: 'evaluation';
      /** What judged: a policy, a gate. */
      readonly name: string;
      /** What it said: `allow`, `veto`. */
      readonly label?: string | undefined;
      readonly score?: number | undefined;
      readonly explanation?: string | undefined;
    };

/** When an event began and ended, what it was and how it went, as far as it says. */
export interface EventSpan {
  /** What it was, in a few words: a tool, a step, a type. */
  readonly name: string;
  /** ISO 8601. */
  readonly start?: string | undefined;
  /** ISO 8601. */
  readonly end?: string | undefined;
  /** In milliseconds, where the event says it itself: it may come from another clock than the times. */
  readonly durationMs?: number | undefined;
  readonly status?: SpanStatus | undefined;
  /** What it worked on, such as a step or a task: events of one subject are summed up. */
  readonly subject?: string | undefined;
  /** Why it failed or was refused, in the words of the trace: a message, a policy with its rule. */
  readonly reason?: string | undefined;
  /** A call of a tool or a judgement; absent for what is neither. */
  readonly operation?: SpanOperation | undefined;
  /** The tools of several calls or results in one record. */
  readonly tools?: readonly string[] | undefined;
}

/** Tells spans in the order of the log, where one record has the beginning and another the end. Made anew for each pass. */
export interface SpanReader {
  span(event: JsonObject): EventSpan;
}

/** One reason why a run ended as it did. */
export interface EndingReason {
  /** What it was: `veto`, `failed act`, `terminate`. */
  readonly kind: string;
  /** In the words of the trace. */
  readonly text: string;
  readonly tone: Tone;
  /** The line of the event that says so. */
  readonly line: number;
  /** What more the event says of it: a policy, a score. */
  readonly facts?: readonly (readonly [label: string, value: unknown])[];
}

/** One step or task of a run. */
export interface AccountStep {
  readonly id: string;
  readonly status: string;
  readonly tone?: Tone | undefined;
  readonly text: string;
  /** In milliseconds: of all events that worked on it. */
  readonly durationMs?: number | undefined;
  /** The line of the last event that worked on it. */
  readonly line?: number | undefined;
}

/** A run as one reads it first: what was asked, how it ended, and why. */
export interface Account {
  readonly task?: string | undefined;
  readonly status: string;
  readonly tone?: Tone | undefined;
  /** The run came to its end; undefined where it is not one run, or the log does not tell. */
  readonly isOver: boolean | undefined;
  /** It is not one run but many, each with an end of its own. */
  readonly isMany?: true;
  /** The latest last. */
  readonly why: readonly EndingReason[];
  /** What failed or was refused before the end, and is no reason for it. */
  readonly onTheWay?: readonly EndingReason[];
  readonly steps: readonly AccountStep[];
  /** What is particular to the dialect. */
  readonly sections?: readonly ViewSection[];
  /** The folder that it worked in, if the log says it. */
  readonly cwd?: string;
  /** Answers with their tokens and calls of tools, for statistics: where the records tell. */
  readonly usage?: readonly UsageEntry[];
}

/**
 * The reasons of an end, apart from what only happened on the way: where a run ended well, whatever failed or was refused
 * before it was got over.
 */
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

/** Makes an account of the records it is handed in their order. */
export interface AccountBuilder {
  add(record: LogRecord): void;
  result(): Account;
}

/** Adds up how long the events of each subject took. */
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
