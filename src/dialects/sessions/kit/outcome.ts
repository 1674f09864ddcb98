import type { SpanStatus } from '../../kit/account.ts';
import { errorText } from '../../kit/error-text.ts';
import { firstLine } from '../../kit/excerpt.ts';
import type { Tone } from '../../kit/state-view.ts';
import { tellingLine } from '../../kit/telling-line.ts';
import { isSilent } from './search-without-match.ts';
import { type CallStatus, callStatusInWords, type ResultStatus, toneOfTurn } from './session.ts';

/** How a call, a turn or an event ended; `unknown`: its end may be on a damaged line, or missing. */
export type Outcome = SpanStatus | 'unknown';

/**
 * The outcome of a call, for every command. It is `veto` if a person, a rule or a limit refused or stopped it, so that it did
 * not fail by itself.
 */
export const OUTCOME_OF_CALL = {
  ok: 'ok',
  error: 'error',
  denied: 'veto',
  interrupted: 'veto',
  'no result': 'error',
  open: 'open',
  unknown: 'unknown',
} as const satisfies Readonly<Record<CallStatus, Outcome>>;

/** Why a call did not succeed, in one line of its result; for a call that succeeded, the first line. */
export function lineOfResult(status: ResultStatus, text: string): string {
  if (status === 'ok') return firstLine(text);
  // What a call printed before it was stopped is not the reason. A person who refuses a call says why.
  return status === 'error' ? tellingLine(text) : firstLine(errorText(text));
}

/** How a call ended according to the record of its result. */
export interface EndOfResult {
  readonly status: ResultStatus;
  /** The outcome in words. */
  readonly reason: string;
  /** Of a command. The status takes it into account; only with the call it is known to be a search that found nothing. */
  readonly exitCode?: number;
  /** Of a command: whether it has no output, see {@link isSilent}. */
  readonly silent?: boolean;
}

export const endOfResult = (status: ResultStatus, text: string, exitCode?: number): EndOfResult => ({
  status,
  reason: lineOfResult(status, text),
  ...(exitCode !== undefined && { exitCode, silent: isSilent(text) }),
});

/** How a call ended and why, in one line. The exit code of a command without output says all: a search may have found nothing. */
export const describedResult = (status: ResultStatus, text: string, exitCode?: number): string =>
  status === 'error' && exitCode !== undefined && isSilent(text)
    ? `exit ${exitCode}`
    : `${callStatusInWords(status)} ${lineOfResult(status, text)}`.trimEnd();

/** The outcome of a turn with this status. */
export function outcomeOfTurn(status: string | undefined): Outcome {
  if (status === 'open' || status === 'unknown') return status;
  const tone = status === undefined ? undefined : toneOfTurn(status);
  return tone === 'bad' ? 'error' : tone === 'doubtful' ? 'veto' : 'ok';
}

/** The outcome of a record that reports a problem of this kind, see {@link SessionProblem}. */
export const outcomeOfProblem = (kind: string): SpanStatus => (kind === 'interrupted' ? 'veto' : 'error');

const TONES: Readonly<Record<Outcome, Tone>> = {
  ok: 'good',
  error: 'bad',
  veto: 'doubtful',
  open: 'doubtful',
  unknown: 'doubtful',
};

/** What an outcome means to a reader. */
export const toneOfOutcome = (outcome: Outcome): Tone => TONES[outcome];
