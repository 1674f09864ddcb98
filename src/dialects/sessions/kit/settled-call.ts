import { defined } from '../../../base/json/defined.ts';
import { type Interval, intervalBetween } from './intervals.ts';
import type { SessionCall, SessionTurn, TurnStatus } from './session.ts';
import { type CallClock, mostOfCall, timesOfCall, workedIn } from './waits.ts';

/** A call, and what is needed until its result comes. */
export interface OpenCall extends CallClock {
  readonly call: SessionCall;
  readonly turn: SessionTurn | undefined;
  /** Whether it belongs to the turn for certain. */
  readonly isSure: boolean;
  readonly time: string | undefined;
  /** A damaged line came after it and before its result, which may be on that line. */
  isDoubtful?: true;
  /** How many records were missing when the log showed that it had no result: at its start, or when a person was asked. */
  gaps: number;
  /** Its id was used again, and its result is on a damaged line. */
  isReplaced?: true;
  /** The time of the result, or when the work was stopped before that. */
  ended?: string | undefined;
  /** When the program went on, or was started again, without its result or the time of it: it does not work since then. */
  goneBy?: string | undefined;
  /** Its work was stopped, so a later result does not say how long it took. */
  isStopped?: true;
  /** Its result has no output. */
  isSilent?: boolean;
  /** A person was asked about it at this time; empty if that is unknown. */
  askedAt?: string | undefined;
}

/** A call as the records so far show it. */
export interface SettledCall {
  readonly call: SessionCall;
  /** The turn to which it belongs for certain. */
  readonly turn?: SessionTurn | undefined;
  /** When its result came, else when it began. */
  readonly time: string | undefined;
  readonly began: string | undefined;
  /**
   * The time in which nobody knows whether it worked: it may have ended on a damaged line, a person may have taken a part of
   * it, or the program was killed.
   */
  readonly unknown: Interval | undefined;
  /** Whether the program measured how much of that time a person took at least, with the rest of its turn. */
  readonly isShared: boolean;
  /** When it worked, if that is known. */
  readonly worked: Interval | undefined;
}

const CALL_TIMES = ['duration_ms', 'at_least_ms', 'at_most_ms', 'waited_ms'] as const;

/** Tools that ask a person and wait for the answer, under the names of several programs. */
export const QUESTIONS: ReadonlySet<string> = new Set([
  'AskUserQuestion',
  'ExitPlanMode',
  'ask_user',
  'ask_user_question',
  'exit_plan_mode',
  'request_user_input',
]);

/** The statuses of a session and its turns, on which those of its calls depend. */
interface Statuses {
  readonly session: TurnStatus;
  readonly turns: ReadonlyMap<SessionTurn, TurnStatus>;
  readonly lastTurn: SessionTurn | undefined;
}

/** Whether a call has no result, and nothing says that its work was stopped. */
export const isWaiting = ({ call, isStopped, isReplaced }: OpenCall): boolean =>
  call.status === 'open' && !isStopped && !isReplaced;

/** Whether a call ran, and the log has its result, but not when that came nor how long the call worked. */
export const hasRunUntimed = ({ call: { status }, ended, measured }: OpenCall): boolean =>
  (status === 'ok' || status === 'error') && ended === undefined && measured === undefined;

/**
 * Whether no result of a call can come; `unknown` if that depends on a status that is not known. Results of copied calls
 * may be in the log that they were copied from.
 */
export function isSettled(
  { call, turn, isSure }: OpenCall,
  { session, turns, lastTurn }: Statuses,
): boolean | 'unknown' {
  if (call.copied) return false;
  // After a damaged line, the last turn may be another one than that which began before.
  const isLast = !isSure && turn === lastTurn;
  const own = turn === undefined || isLast ? 'open' : turns.get(turn);
  const by = own === 'open' ? session : own;
  return by === 'unknown' ? by : by !== 'open';
}

/**
 * The final form of a call: without a result after the end of its turn or session, it has the status `no result`. Before
 * that, it may wait for a person.
 */
export function finalCall(
  { call, askedAt, time = '', isDoubtful }: OpenCall,
  isOver: boolean | 'unknown',
): SessionCall {
  if (call.status !== 'open') return call;
  const isUnknown = isOver === 'unknown' && call.id !== undefined;
  if (isDoubtful || isUnknown) return { ...call, status: 'unknown' };
  // Without an id, a result would not be recognised.
  if (call.id !== undefined && isOver) return { ...call, status: 'no result' };
  const asked_at = askedAt ?? (QUESTIONS.has(call.tool) ? time : undefined);
  return isOver || asked_at === undefined ? call : { ...call, asked_at };
}

/** What a session knows of a call when it is asked. */
interface Asked {
  /** See {@link isSettled}. */
  readonly isOver: boolean | 'unknown';
  /** How long the program worked on its turn may be on a damaged line. */
  readonly isUnmeasured: boolean;
  /** The last time of the session. */
  readonly last: string | undefined;
}

/** A call as the records so far show it, with its times. */
export function settledCall(one: OpenCall, { isOver, isUnmeasured, last }: Asked): SettledCall {
  const { call, turn, isSure, ended, time, isStopped, isDoubtful = false, goneBy = last } = one;
  // Only the end of a turn says how long the program worked on it. The times of an earlier answer may be others.
  for (const name of CALL_TIMES) delete call[name];
  const isUntimed = (isDoubtful && !isStopped) || isUnmeasured;
  const times = isUntimed ? mostOfCall(one) : timesOfCall(one, turn?.worked_ms);
  // A refused call never ran.
  Object.assign(call, call.status === 'denied' ? defined({ waited_ms: times.waited_ms }) : times);
  const final = finalCall(one, isOver);
  const isLost =
    (ended === undefined && (final.status === 'no result' || final.status === 'unknown')) ||
    hasRunUntimed(one);
  const isUnknown = isUntimed || isLost || call.at_most_ms !== undefined;
  return {
    call: final,
    ...(isSure && { turn }),
    time: ended ?? time,
    began: time,
    unknown: isUnknown ? intervalBetween(time, isLost ? goneBy : ended) : undefined,
    isShared: isUnknown && !isUntimed && one.most === undefined && !isLost,
    worked: workedIn(call, ended ?? time),
  };
}
