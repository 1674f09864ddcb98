import type { JsonValue } from '../../../base/json/value.ts';
import { parseInstant } from '../../../base/time/instant.ts';
import { excerptOf } from '../../kit/excerpt.ts';
import { ActiveCalls } from './active-calls.ts';
import { Earliest } from './earliest.ts';
import { intervalBetween } from './intervals.ts';
import type { Gap } from './missing-parents.ts';
import { MissingResults } from './missing-results.ts';
import { lineOfResult } from './outcome.ts';
import { isSearchWithoutMatch, isSilent } from './search-without-match.ts';
import type { Moment, ResultStatus, SessionCall, SessionTurn, TurnStatus } from './session.ts';
import {
  finalCall,
  hasRunUntimed,
  isSettled,
  isWaiting,
  type OpenCall,
  QUESTIONS,
  type SettledCall,
  settledCall,
} from './settled-call.ts';
import type { SessionStory } from './story.ts';
import type { SessionWaits } from './waits.ts';

/** A call at its start. */
export interface NewCall {
  /** Links it to its result. */
  readonly id: string | undefined;
  readonly tool: string;
  /** Shortened, except in the story. */
  readonly input: string;
  /** The whole input, as stored. */
  readonly given: JsonValue | undefined;
  readonly model?: string | undefined;
  readonly agent?: string | undefined;
  /** It worked at least until then. */
  readonly until?: string | undefined;
}

export interface CallResult {
  readonly status: ResultStatus;
  /** Of a command. The status already takes it into account. */
  readonly exitCode?: number | undefined;
  /** The output; for a failure, the error. */
  readonly text?: string | undefined;
  /** Whether a person had to answer or allow it, so that the time until the result was spent waiting. */
  readonly byPerson?: boolean | undefined;
}

/** Facts about a call that come from another record than its result, and are more accurate. */
export interface Correction {
  readonly status?: ResultStatus | undefined;
  readonly exitCode?: number | undefined;
  /** How long the work took. Used if it comes before the result, or if the log has no times. */
  readonly durationMs?: number | undefined;
}

function between(start: string | undefined, end: string | undefined): number | undefined {
  const interval = intervalBetween(start, end);
  return interval && interval.to - interval.from;
}

/** A search that found nothing did not fail. */
function acceptNoMatch({ call, isSilent }: OpenCall): void {
  if (call.status === 'error' && isSearchWithoutMatch(call.input, call.exit_code, isSilent))
    call.status = 'ok';
}

/** The calls of a session and their results. */
export class SessionCalls {
  readonly #calls: OpenCall[] = [];
  /** The calls that wait for a result, in order: some models number the calls of each answer. */
  readonly #open = new Map<string, OpenCall[]>();
  readonly #byId = new Map<string, OpenCall>();
  /** The calls that are neither stopped nor doubtful. */
  readonly #active = new ActiveCalls<OpenCall>();
  /** The calls that were stopped and are not doubtful. */
  #stopped: OpenCall[] = [];
  /** The calls that wait for a result, by their time: all, and those without a turn. */
  readonly #waiting = new Earliest<OpenCall>(isWaiting);
  readonly #waitingOutside = new Earliest<OpenCall>(isWaiting);
  /** The calls of the current turn. */
  #ofTurn: OpenCall[] = [];
  readonly #missing = new MissingResults();
  /** The calls of which nothing says yet that the program went on without their result, in order. */
  #current: OpenCall[] = [];
  readonly #early = new Map<string, { readonly result: CallResult; readonly at: Moment }>();
  readonly #waits: SessionWaits;
  readonly #story: SessionStory | undefined;
  /** No result came since the last damaged line, which may have that of a call right after it: several writers race. */
  #isFresh = false;
  /** The line of the last result, answer or compaction: a call after it is not one of the same answer as calls before it. */
  #answerEnd = 0;

  constructor(waits: SessionWaits, story: SessionStory | undefined) {
    this.#waits = waits;
    this.#story = story;
  }

  call(
    { id, tool, input, given, model, agent, until }: NewCall,
    { turn, isSure, isCopy }: Pick<OpenCall, 'turn' | 'isSure'> & { readonly isCopy: boolean },
    { line, time }: Moment,
  ): void {
    const call: SessionCall = {
      line,
      ...(id !== undefined && { id }),
      tool,
      input: excerptOf(input),
      ...(model !== undefined && { model }),
      ...(agent !== undefined && { agent }),
      ...(isCopy && { copied: true }),
      status: 'open',
    };
    this.#story?.call(call, { input, given, time });
    const open: OpenCall = {
      call,
      turn,
      isSure,
      time,
      ended: undefined,
      least: between(time, until),
      gaps: this.#missing.count,
    };
    if (this.#isFresh) open.isDoubtful = true;
    this.#wentOn(time, this.#answerEnd);
    this.#calls.push(open);
    if (id === undefined) return;
    this.#wait(open);
    // The id is used again, so the result of a call before a damaged line was on that line.
    const waiting = this.#open.get(id) ?? [];
    if (waiting.some(({ isDoubtful }) => isDoubtful)) {
      for (const one of waiting) if (one.isDoubtful) one.isReplaced = true;
      this.#open.set(id, waiting.filter(({ isDoubtful }) => !isDoubtful).concat(open));
    } else if (waiting.length > 0) waiting.push(open);
    else this.#open.set(id, [open]);
    this.#byId.set(id, open);
    this.#current.push(open);
    const early = this.#early.get(id);
    this.#early.delete(id);
    if (early) this.result(id, early.result, early.at);
  }

  /** Adds the result of a call, and returns the turn that worked on the call until then. */
  result(id: string, result: CallResult, at: Moment): SessionTurn | undefined {
    this.#isFresh = false;
    this.#answerEnd = at.line;
    const [found, ...waiting] = this.#open.get(id) ?? [];
    if (found === undefined) {
      // With several writers, a result may come before its call.
      if (!this.#byId.has(id)) this.#early.set(id, { result, at });
      return undefined;
    }
    if (waiting.length > 0) this.#open.set(id, waiting);
    else this.#open.delete(id);
    const { call, turn, time, isStopped } = found;
    const { status, exitCode, text, byPerson = false } = result;
    if (text !== undefined) this.#story?.output(call, text, at);
    if (exitCode !== undefined) call.exit_code = exitCode;
    // A tool may succeed although another record says that the command it ran failed.
    const failed = exitCode === undefined && call.exit_code !== undefined && call.exit_code !== 0;
    call.status = failed && status === 'ok' ? 'error' : status;
    found.isSilent = isSilent(text);
    acceptNoMatch(found);
    call.result_line = at.line;
    if (!isStopped) {
      found.ended = at.time;
      found.took = between(time, at.time);
    }
    // If another record says when a person was asked, that wait is known.
    if ((byPerson && found.waited === undefined) || QUESTIONS.has(call.tool))
      this.asked(id, turn, time, at.time);
    if (call.status !== 'ok' && text !== undefined && text.trim() !== '')
      call.error = lineOfResult(call.status, text);
    return isStopped ? undefined : turn;
  }

  /** Another turn begins: a damaged line before it has no result of its calls. */
  begins(): void {
    this.#isFresh = false;
  }

  /**
   * A damaged line may have the results of calls. `current`: the turn that the program works on; undefined if it is not known.
   * Returns since when one of them waits for its result.
   */
  lost(current: SessionTurn | undefined): number | undefined {
    this.#isFresh = true;
    const stopped = this.#stopped.filter(({ call }) => call.status === 'open');
    this.#stopped = [];
    const active =
      current === undefined
        ? this.#active.takeAll()
        : [...this.#active.take(current), ...this.#active.take(undefined)];
    for (const open of [...stopped, ...active]) open.isDoubtful = true;
    if (current === undefined) return this.#waiting.least();
    let since = this.#waitingOutside.least();
    for (const open of this.#ofTurn) {
      const time = open.turn === current && isWaiting(open) ? parseInstant(open.time ?? '') : undefined;
      if (time !== undefined) since = Math.min(time, since ?? time);
    }
    return since;
  }

  /** Keeps a call that has an id, and so may get a result. */
  #wait(open: OpenCall): void {
    if (!open.isDoubtful) this.#active.add(open);
    if (this.#ofTurn.at(-1)?.turn !== open.turn) this.#ofTurn = [];
    this.#ofTurn.push(open);
    const time = parseInstant(open.time ?? '');
    if (time === undefined) return;
    this.#waiting.add(open, time);
    if (open.turn === undefined) this.#waitingOutside.add(open, time);
  }

  /** A record is missing, which may have been the result of a call. `turn`: that which the program works on. */
  gap(gap: Gap, turn: SessionTurn | undefined): void {
    this.#missing.add(gap, turn);
  }

  /** The line of a call. */
  lineOf(id: string | undefined): number | undefined {
    return id === undefined ? undefined : this.#byId.get(id)?.call.line;
  }

  /**
   * The work on a turn stopped. Its calls without a result, from this line on, worked until then, if the program did not go on
   * without them: then the log lacks their results.
   */
  stopped(turn: SessionTurn | undefined, { line, time }: Moment): void {
    if (turn === undefined) return;
    for (const open of this.#active.take(turn, line)) {
      if (open.goneBy !== undefined) continue;
      this.#stop(open, time);
      open.took = between(open.time, time);
    }
  }

  #stop(open: OpenCall, time: string | undefined): void {
    open.isStopped = true;
    open.ended = time;
    this.#stopped.push(open);
  }

  /** The program went on at this time. It is not known until when its calls without a result worked, if no result follows. */
  wentOn({ line, time }: Moment): void {
    this.#answerEnd = line;
    this.#wentOn(time, line);
  }

  /** The calls after this line are not of the same answer as those before it. */
  answerEnds(line: number): void {
    this.#answerEnd = line;
  }

  #wentOn(time: string | undefined, before: number): void {
    if (time === undefined || this.#current.length === 0) return;
    const after = this.#current.findIndex(({ call }) => call.line >= before);
    for (const open of this.#current.splice(0, after === -1 ? Infinity : after)) {
      if (this.#open.get(open.call.id ?? '')?.includes(open) || hasRunUntimed(open)) open.goneBy = time;
    }
  }

  /** The program was started again at this time. Its calls without a result had been stopped before. */
  restarted(time: string | undefined): void {
    for (const open of this.#active.takeAll()) {
      this.#stop(open, time);
      open.most = between(open.time, time);
    }
  }

  /** Corrects a call whose result exists or will follow. */
  correct(id: string, { status, exitCode, durationMs }: Correction): void {
    const found = this.#byId.get(id);
    // An interruption is certain. The exit code of a killed process adds nothing to it.
    if (found === undefined || found.call.status === 'interrupted') return;
    const { call } = found;
    if (exitCode !== undefined) call.exit_code = exitCode;
    if (found.took === undefined) found.measured ??= durationMs;
    if (status === undefined || call.status === 'open' || status === call.status) return;
    call.status = status;
    acceptNoMatch(found);
    if (call.status === 'ok') delete call.error;
  }

  /** A person is asked about a call. */
  asks(id: string, time: string | undefined): void {
    const found = this.#byId.get(id);
    if (found === undefined) return;
    found.askedAt = time ?? '';
    // It had no result so far.
    found.gaps = this.#missing.count;
    if (!found.isDoubtful) return;
    delete found.isDoubtful;
    if (found.isStopped) this.#stopped.push(found);
    else this.#active.add(found);
  }

  /** A person was asked about a call at one time and answered at another. `current`: the turn if the call is unknown. */
  asked(
    id: string,
    current: SessionTurn | undefined,
    asked: string | undefined,
    answered: string | undefined,
  ): void {
    const found = this.#byId.get(id);
    if (found) found.askedAt = undefined;
    const waited = this.#waits.asked(found ? found.turn : current, asked, answered);
    if (found && waited !== undefined) found.waited = (found.waited ?? 0) + waited;
  }

  /**
   * The calls so far, in a session and turns with these statuses, and the time of the last word about each. `isUnmeasured`: how
   * long the program worked on a turn may be on a damaged line, so nobody knows which part of its calls a person took. `last`: the
   * last time of the session.
   */
  all(
    session: TurnStatus,
    turns: ReadonlyMap<SessionTurn, TurnStatus>,
    isUnmeasured: (turn: SessionTurn | undefined) => boolean,
    last?: string,
  ): SettledCall[] {
    const mayBeMissing = this.#missing.askedOf();
    const known = { session, turns, lastTurn: [...turns.keys()].at(-1) };
    return this.#calls.map((one) =>
      settledCall(one, {
        isOver: mayBeMissing(one) ? 'unknown' : isSettled(one, known),
        isUnmeasured: isUnmeasured(one.turn),
        last,
      }),
    );
  }

  /**
   * The calls without a result, as {@link all} returns them if no record is missing: a reader of shortened records does not
   * know which records these are.
   */
  open(session: TurnStatus, turns: ReadonlyMap<SessionTurn, TurnStatus>): SessionCall[] {
    const known = { session, turns, lastTurn: [...turns.keys()].at(-1) };
    return this.#calls
      .filter(({ call }) => call.status === 'open')
      .map((one) => finalCall(one, isSettled(one, known)));
  }
}
