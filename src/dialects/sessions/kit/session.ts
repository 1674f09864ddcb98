import type { Request, StoredCost } from '../../kit/charges.ts';
import type { Copied } from '../../kit/copied.ts';
import { type FailedCalls, failedCalls } from '../../kit/failed-calls.ts';
import type { Tone } from '../../kit/state-view.ts';
import { type Lacks, type Tokens, totalTokens } from '../../kit/tokens.ts';

/** A place in a log and its time. */
export interface Moment {
  readonly line: number;
  /** ISO 8601. */
  readonly time?: string | undefined;
}

/** A prompt and everything until the next one. */
export interface SessionTurn {
  readonly line: number;
  /** When it began: that of its prompt, or earlier if the program says so. */
  time?: string;
  readonly prompt: string;
  calls: number;
  failed: number;
  refused?: number;
  interrupted?: number;
  no_result?: number;
  /** The last answer. */
  answer?: string;
  status: TurnStatus;
  /** The next turn began without an answer to this one, and the log does not say that it was interrupted. */
  is_unanswered?: true;
  /** Whether the turn was taken out of the conversation. The log still contains it. */
  rolled_back?: true;
  /** Whether all its records were copied from another session, where they count. */
  copied?: true;
  /** From its beginning to its last record; in the document of a session, without the time that a person took. */
  duration_ms?: number;
  /** How long the program worked on the turn, if it measured that. */
  worked_ms?: number;
  /** How long a person took in addition: for a permission or an answer. */
  waited_ms?: number;
  /** From the end of the turn to the next prompt; of the last turn, to the last record. */
  idle_ms?: number;
  /** In addition to that: the program compacted the conversation. */
  compacted_ms?: number;
  /** In addition to these: nobody knows whether a call still worked. */
  unknown_ms?: number;
  /** In addition to these, after its first damaged line: the program worked or waited, in this turn or in another one. */
  unsure_ms?: number;
  /** Absent if the tokens of all turns do not add up to those of the session. */
  tokens?: Tokens;
  /** What the tokens lack. With damaged lines, all numbers are minima: what follows such a line may belong to another turn. */
  lacks?: Lacks;
}

/**
 * `withdrawn`: the prompt was taken out of the conversation, because it failed or the user gave up. `continued`: in another
 * log. `unknown`: its end may be on a damaged line, or in a missing record.
 */
export const TURN_STATUSES = [
  'done',
  'open',
  'interrupted',
  'error',
  'withdrawn',
  'continued',
  'unknown',
] as const;
export type TurnStatus = (typeof TURN_STATUSES)[number];

const TONES: ReadonlyMap<string, Tone> = new Map<TurnStatus, Tone>([
  ['done', 'good'],
  ['interrupted', 'doubtful'],
  ['withdrawn', 'doubtful'],
  ['error', 'bad'],
]);

/** The meaning of a status to a reader; undefined while it is open. */
export const toneOfTurn = (status: string): Tone | undefined => TONES.get(status);

/** `no result`: the turn or run continued or ended without one. `unknown`: its result may be on a damaged line, or missing. */
export const CALL_STATUSES = [
  'ok',
  'error',
  'denied',
  'interrupted',
  'no result',
  'open',
  'unknown',
] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/** The status of a call that has a result. */
export type ResultStatus = Exclude<CallStatus, 'open' | 'no result' | 'unknown'>;

/** How a call without success ended. */
export type CallFailure = 'failed' | 'refused' | 'interrupted' | 'no result';

const FAILURES: ReadonlyMap<CallStatus, CallFailure> = new Map([
  ['error', 'failed'],
  ['denied', 'refused'],
  ['interrupted', 'interrupted'],
  ['no result', 'no result'],
]);

/** How a call failed, was refused or stopped, or that it never got a result; undefined for other calls. */
export const failureOfCall = (status: CallStatus): CallFailure | undefined => FAILURES.get(status);

/** The status of a call as people read it: the word with which refused calls are counted. */
export const callStatusInWords = (status: CallStatus): string =>
  status === 'error' ? status : (failureOfCall(status) ?? status);

/** Whether a call failed, was refused or stopped, or never got a result. */
export const isFailedCall = ({ status }: { readonly status: CallStatus }): boolean => FAILURES.has(status);

/** How many of some calls did not succeed. */
export function failedAmong(calls: readonly { readonly status: CallStatus }[]): FailedCalls {
  return failedCalls(
    calls.filter(isFailedCall).length,
    (_, how) => calls.filter(({ status }) => failureOfCall(status) === how).length,
  );
}

/** A call of a tool with its result. */
export interface SessionCall {
  readonly line: number;
  readonly id?: string;
  readonly tool: string;
  /** The most informative argument, cut. */
  readonly input: string;
  readonly model?: string;
  /** The subagent that made the call. */
  readonly agent?: string;
  /** Whether it was copied from another session, where it counts. */
  readonly copied?: true;
  status: CallStatus;
  result_line?: number;
  exit_code?: number;
  /** How long it worked. Absent if the log does not say, as with {@link at_least_ms} and {@link at_most_ms}. */
  duration_ms?: number;
  /** It worked at least this long: the program wrote that it still ran then, and did not write its end. */
  at_least_ms?: number;
  /**
   * It worked at most this long. It took longer than the program worked on its turn, so a person took part of the time;
   * or the program ended during the call, and was started again this long after its start.
   */
  at_most_ms?: number;
  /** How long a person took in addition to decide or answer; with {@link at_most_ms}, at least this long. */
  waited_ms?: number;
  /** When the program asked a person, if it still waits for the answer; empty if the log has no time. */
  asked_at?: string;
  /** The line of the result that says best why it failed. */
  error?: string;
}

/** A file that the agent wrote. */
export interface SessionFile {
  readonly path: string;
  edits: number;
  /** The line of the last write. */
  line: number;
}

/** A subagent's part of the session. */
export interface SessionAgent {
  readonly id: string;
  name?: string;
  description?: string;
  status?: string;
  tokens?: number;
  calls?: number;
  /** The id of the call that started it. */
  call?: string;
  /** Where it started. */
  readonly line: number;
}

/** `counter: counts the lines of a file`; empty if the log says neither. */
export const titleOfAgent = ({ name, description }: SessionAgent): string =>
  [name, description].filter((text) => text !== undefined).join(': ');

/** An answer of a model with its tokens, or a call of a tool, for statistics. */
export interface UsageEntry {
  /** Equal in copies of the same answer or call, which forks of a session contain. */
  readonly key?: string | undefined;
  readonly model: string;
  readonly tokens?: Tokens;
  readonly answers?: number;
  /** The size of its requests, see `Charge`. */
  readonly above?: number | undefined;
  /** What it cost according to the program. */
  readonly stored?: StoredCost | undefined;
  /** The requests of which the answer consists, if there are several. */
  readonly requests?: readonly Request[] | undefined;
  /** The day of the answer in UTC, if known: `2026-10-05`. */
  readonly day?: string | undefined;
  readonly tool?: string;
  /** The call of the tool. */
  readonly call?: SessionCall;
  /** The names of its session that a total may use. */
  readonly runs?: readonly string[];
  /**
   * The total of these runs in all logs. This entry counts the tokens that no other entry of the runs has.
   */
  readonly total?: { readonly of: readonly string[]; readonly tokens: Tokens };
  /** The time of its result, else of its start, in ISO 8601. */
  readonly time?: string | undefined;
  /** The log only has some of the tokens of these answers. */
  readonly isPartial?: boolean | undefined;
  /** A request whose tokens are not counted. */
  readonly isUncounted?: true;
  /** A record that later ones name, and that the log does not have. It may have had tokens and calls. */
  readonly isMissing?: true;
  /** A record whose content could not be read. It may have had tokens and calls. */
  readonly isUnread?: true;
  /** The subagent that gave the answer, if its records are in the log of its session. */
  readonly by?: string | undefined;
  /** The id of a subagent with a separate log, which the session started. */
  readonly started?: string;
  /** The id of the subagent whose records are in the log. */
  readonly agent?: string;
  /** The numbers of the records in the log, if they are numbered on in further logs of the session. */
  readonly numbers?: NumberedRecords;
  /** The number of the record of an earlier log with which the log goes on. */
  readonly goesOnFrom?: { readonly session: string; readonly number: number };
}

/** What an entry without tokens says. */
export type EntryWithoutTokens = Pick<
  UsageEntry,
  'isUncounted' | 'isUnread' | 'started' | 'agent' | 'numbers' | 'goesOnFrom'
>;

/** The first and the last number of the records in one log of a session. */
export interface NumberedRecords {
  readonly session: string;
  readonly from: number;
  readonly to: number;
}

/** A problem, as trace text. */
export interface SessionProblem {
  readonly kind: string;
  readonly text: string;
  readonly line: number;
}

/** The tokens of a model, and its number of responses if known. */
export type ModelTokens = Tokens & { readonly responses?: number };

export interface SessionDocument {
  /** Facts from the program: id, cwd, branch, versions, origin. */
  readonly session: Readonly<Record<string, string | number | readonly string[]>>;
  readonly title?: string;
  readonly task?: string;
  readonly status: TurnStatus;
  readonly started_at?: string;
  readonly ended_at?: string;
  /** From the first time of the log, also that of a head, to the last. */
  readonly lasted_ms?: number;
  /** The time spent waiting for a person within turns. */
  readonly waited_ms?: number;
  /** The time outside turns, without compactions: before the first, between two, and after the last. */
  readonly idle_ms?: number;
  /** The time in which nobody knows what happened: around damaged lines, and of calls whose end or time is not in the log. */
  readonly unknown_ms?: number;
  readonly turns: readonly SessionTurn[];
  readonly calls: readonly SessionCall[];
  readonly files: readonly SessionFile[];
  readonly agents: readonly SessionAgent[];
  readonly models: readonly string[];
  /** By model. */
  readonly tokens: Readonly<Record<string, ModelTokens>>;
  readonly total_tokens?: number;
  /** The tokens of answers before the first turn. */
  readonly early_tokens?: Tokens;
  /** The sum of tokens that follow a damaged line, so that no turn has them for certain. */
  readonly unsure_tokens?: number;
  /** The sum over all records, if it differs: records may repeat an answer. */
  readonly recorded_tokens?: number;
  readonly compactions: number;
  readonly links: readonly string[];
  readonly problems: readonly SessionProblem[];
  /** The last answer. */
  readonly outcome?: string;
  readonly outcome_line?: number;
  /** What the log has from another session. It counts there: here it is in {@link turns} and {@link calls} alone. */
  readonly copied?: Copied;
}

/** The turns of a session that were not copied from another one. */
export const ownTurnsOf = ({ turns }: Pick<SessionDocument, 'turns'>): SessionTurn[] =>
  turns.filter(({ copied }) => !copied);

/** The calls of a session that were not copied from another one. */
export const ownCallsOf = ({ calls }: Pick<SessionDocument, 'calls'>): SessionCall[] =>
  calls.filter(({ copied }) => !copied);

/** What a list shows of a session. */
export interface SessionOutline
  extends Pick<
    SessionDocument,
    'session' | 'title' | 'task' | 'status' | 'started_at' | 'ended_at' | 'models'
  > {
  /** The number of its turns. */
  readonly turns: number;
  /** Whether the program waits for the answer of a person. */
  readonly asks: boolean;
  /** Whether the log has records of another session, so that its first time may not be that of the session. */
  readonly hasCopies: boolean;
}

/** Whether the program waits for a person to answer one of these calls. */
export const asksIn = (calls: readonly SessionCall[]): boolean =>
  calls.some(({ asked_at }) => asked_at !== undefined);

/** Whether a session has tokens, but none by turn: some programs only log totals. */
export const hasOnlyTotals = ({ tokens, turns, early_tokens, unsure_tokens }: SessionDocument): boolean =>
  early_tokens === undefined &&
  unsure_tokens === undefined &&
  turns.every((turn) => turn.tokens === undefined) &&
  Object.values(tokens).some((sum) => totalTokens(sum) > 0);
