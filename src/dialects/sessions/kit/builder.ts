import { parseInstant } from '../../../base/time/instant.ts';
import { limitReport, messageOfKind, repeatsError } from '../../kit/error-text.ts';
import { excerptOf, firstLine } from '../../kit/excerpt.ts';
import { inputTokens, type Tokens } from '../../kit/tokens.ts';
import { type CallResult, type Correction, type NewCall, SessionCalls } from './calls.ts';
import { SessionClock } from './clock.ts';
import { SessionFacts } from './facts.ts';
import type { Gap } from './missing-parents.ts';
import type {
  Moment,
  SessionDocument,
  SessionOutline,
  SessionProblem,
  TurnStatus,
  UsageEntry,
} from './session.ts';
import { SessionSoFar } from './session-so-far.ts';
import type { SessionStory } from './story.ts';
import { SessionTurns } from './turns.ts';
import { UnknownTime } from './unknown-time.ts';
import { SessionUsage, UNSURE } from './usage.ts';
import { SessionWaits } from './waits.ts';

/** At most this many problems are kept: the last ones, because they explain the end. */
const MOST_PROBLEMS = 20;

/** Builds a session from what a dialect's reader extracts from its records, in log order. */
export class SessionBuilder {
  readonly #clock = new SessionClock();
  readonly #turns = new SessionTurns();
  readonly #calls: SessionCalls;
  readonly #gaps = new Set<Gap>();
  readonly #waits = new SessionWaits();
  /** The line of the last compaction. */
  #compacted = 0;
  readonly #problems: SessionProblem[] = [];
  /** An error after which the agent did nothing yet. */
  #error: string | undefined;
  #outcome: { readonly text: string; readonly line: number } | undefined;
  #answer: string | undefined;
  #compactions = 0;
  #status: TurnStatus = 'open';
  readonly #unknown = new UnknownTime();
  readonly #isMeasured: boolean;

  /** What the session used, and what the log lacks of that. */
  readonly usage = new SessionUsage(() => this.turn);
  /** What is known of the session as a whole. */
  readonly facts = new SessionFacts();
  /** Collects texts, if requested by the constructor's argument. */
  readonly story: SessionStory | undefined;

  /** `isMeasured`: the program may write at the end of a turn how long it worked on it. */
  constructor(story?: SessionStory, isMeasured = false) {
    this.story = story;
    this.#isMeasured = isMeasured;
    this.#calls = new SessionCalls(this.#waits, story);
  }

  /** Extends the session and its current turn to the time of a record. A copied record is not of the time of the session. */
  moment(at: Moment): void {
    const isCopy = this.facts.isCopy(at);
    const instant = isCopy ? parseInstant(at.time ?? '') : this.#clock.reaches(at.time);
    if (instant === undefined) return;
    if (!isCopy) this.#unknown.reached(instant);
    this.#turns.reaches(instant);
  }

  /** A line is damaged: its record, which may have been any, is not known. */
  lost(): void {
    const { current, end, announced, isQueued, isSure } = this.#turns;
    const { last } = this.#clock;
    this.#error = undefined;
    const waiting = this.#calls.lost(isSure && !isQueued ? current : undefined);
    // What was copied was not in the time of the session.
    const times = current?.copied ? [last] : [last, end, announced, waiting];
    const from = times.filter((time) => time !== undefined);
    const known = from.length === 0 ? undefined : Math.min(...from);
    this.#unknown.lost(known, last);
    this.#turns.lost(known);
  }

  /** A record is missing before the next one, which has this time. It may have been any. */
  gap(gap: Gap, time: string | undefined): void {
    this.#unknown.gap(gap, this.#clock.last, parseInstant(time ?? ''));
    this.gapAside(gap);
    this.#error = undefined;
    this.#turns.gap(gap);
  }

  /** A record of a subagent is missing before the next one. */
  gapAside(gap: Gap): void {
    this.#gaps.add(gap);
    this.#calls.gap(gap, this.#turns.current);
  }

  /** The session has a head that was written at this time. */
  headAt(time: string | undefined): void {
    this.#clock.headAt(time);
  }

  /** Starts another turn. Its prompt may come before or after this. */
  turnBegins({ time }: Moment): void {
    this.#turns.next(time);
  }

  /** The current turn took this long until now, with all waits, as the program measured it. */
  tookUntil(ms: number | undefined, { line, time }: Moment): void {
    if (ms !== undefined && this.facts.isCopy({ line })) return this.#turns.copyTook(ms);
    const instant = parseInstant(time ?? '');
    const { first } = this.#clock;
    if (ms === undefined || instant === undefined || first === undefined) return;
    this.#turns.tookUntil(instant, Math.min(ms, instant - first));
  }

  /** `isQueued`: it was sent while the program worked, and is answered together with a queued prompt right before it. */
  prompt(text: string, { line, time }: Moment, isQueued = false): void {
    this.#error = undefined;
    // The prompt may have been on the damaged line too: some programs write it twice.
    this.#calls.begins();
    if (!isQueued) this.#calls.wentOn({ line, time });
    this.#unknown.begins(parseInstant(time ?? '') ?? this.#clock.last);
    const how = { isQueued, isCopy: this.facts.isCopy({ line }) };
    const joined = this.#turns.prompt(text, { line, time }, how);
    if (joined) this.story?.divider('answered with the next prompt', '', { line: joined.line, time });
    this.story?.turn(text, { line, time });
  }

  answer(text: string, { line, time }: Moment): void {
    if (text.trim() === '') return;
    this.#turnIsOwn({ line, time });
    this.#outcome = { text: excerptOf(text), line };
    this.#answer = text;
    this.story?.say('answer', text, { line, time });
    this.#worked(true);
    this.#turns.answer(this.#outcome.text, { line, time });
    this.#calls.wentOn({ line, time });
  }

  /** Between these times something worked that the log does not time, perhaps only for a part of it. */
  untold(since: string | undefined, until: string | undefined): void {
    this.#unknown.untold(since, until);
  }

  /** A message of a turn, by its number from 1, is missing, which was written between these times. */
  missing(turn: number, since: string | undefined, until: string | undefined): void {
    this.untold(since, until);
    this.#turns.missing(turn, parseInstant(since ?? ''));
  }

  /** The program worked on the current turn until now. */
  #worked(byModel: boolean): void {
    this.#error = undefined;
    if (this.#turns.current) this.#unknown.worked(this.#clock.last, byModel);
  }

  /** The status of the session so far. */
  get status(): TurnStatus {
    return this.#known(this.#status);
  }

  /** What the program did after the last word about the status may be on a damaged line, or in a missing record. */
  #known(status: TurnStatus): TurnStatus {
    const isUnsaid = this.#turns.isUnsaid && (status === 'open' || status === 'interrupted');
    return this.#unknown.isStated && !isUnsaid ? status : 'unknown';
  }

  /** Sets the status of the session and of its current turn. */
  turnIs(status: TurnStatus): void {
    this.#status = status;
    this.#unknown.stated(this.#clock.last);
    this.#turns.currentIs(status);
  }

  /** The program measured how long it worked on the current turn. */
  worked(ms: number | undefined): void {
    if (ms !== undefined && ms >= 0) this.#turns.worked(ms);
  }

  /** The user took back the last `count` turns. */
  rollBack(count: number): void {
    this.#turns.rollBack(count);
  }

  /** Marks the turns at these places, from 0, as taken back, and all others as not. */
  takenBack(places: ReadonlySet<number>): void {
    this.#turns.takenBack(places);
  }

  call(call: NewCall, at: Moment): void {
    this.moment(at);
    this.#turnIsOwn(at);
    const turn = this.#turns.called(at);
    this.#worked(true);
    const isCopy = this.facts.isCopy(at);
    this.#calls.call(call, { turn, isSure: this.#turns.isSure, isCopy }, at);
  }

  /** The session went on with a turn of which the beginning was copied. */
  #turnIsOwn(at: Moment): void {
    if (!this.facts.isCopy(at)) this.#turns.goesOn(at);
  }

  /** Adds the result of a call. A result without a call is ignored. */
  result(id: string | undefined, result: CallResult, at: Moment): void {
    if (id === undefined) return;
    this.moment(at);
    if (this.#unknown.isFound && this.#calls.lineOf(id) === undefined) this.#unknown.orphan(this.#clock.last);
    const turn = this.#calls.result(id, result, at);
    if (turn === undefined) return;
    this.#turns.calledUntil(turn, at.time);
    if (turn === this.#turns.current) this.#worked(false);
  }

  /**
   * The program was started again at this time. If it had been killed, the time until then is not that of the turn and of
   * the calls without a result.
   */
  restarted(time: string | undefined): void {
    this.ended();
    this.#calls.restarted(time);
  }

  /** The program ended, and a turn that was open was interrupted. */
  ended(): void {
    if (this.status === 'open') this.turnIs('interrupted');
  }

  /** Corrects a call whose result exists or will follow. */
  correct(id: string, correction: Correction): void {
    this.#calls.correct(id, correction);
  }

  /** A person is asked about a call, and has not answered. */
  asks(id: string, time: string | undefined): void {
    this.#calls.asks(id, time);
  }

  /** A person was asked about a call at one time and answered at another. */
  asked(id: string, asked: string | undefined, answered: string | undefined): void {
    this.#calls.asked(id, this.#turns.current, asked, answered);
  }

  /** Whether a call is in the log, so far. */
  hasCall(id: string | undefined): boolean {
    return this.#calls.lineOf(id) !== undefined;
  }

  /** Notes a file that was written. */
  file(path: string, at: Moment, call?: string): void {
    this.facts.file(path, this.#calls.lineOf(call) ?? at.line);
  }

  /** The number of the current turn; 0 before the first, {@link UNSURE} if a damaged line may have begun another one. */
  get turn(): number {
    const { all } = this.#turns;
    const last = all.at(-1);
    return last && this.#turns.damageOf(last) ? UNSURE : all.length;
  }

  /** Keeps how much a request of the main agent contained. The last one with the same key counts. */
  request(key: string, tokens: Tokens, at: Moment): void {
    this.story?.request(key, inputTokens(tokens), at);
  }

  compaction(at: Moment): void {
    if (!this.facts.isCopy(at)) this.#compactions += 1;
    this.#compacted = at.line;
    this.#calls.answerEnds(at.line);
    this.story?.divider('compaction', '', at);
  }

  /** A compaction ended now. It took this long as the program measured it, else since the start of a turn that has no prompt. */
  compactedFor(ms: number | undefined, { line, time }: Moment): void {
    const [to, first] = [parseInstant(time ?? ''), this.#clock.first];
    if (to === undefined || first === undefined || this.facts.isCopy({ line })) return;
    const began = ms === undefined ? this.#turns.announced : to - ms;
    const from = began === undefined ? to : Math.max(first, began);
    if (from < to) this.#waits.compacted({ from, to });
  }

  /** The work on the current turn stopped at this time, and with it the calls that have no result. */
  stopped(time: string | undefined): void {
    this.#turns.stopped(time);
    // After an answer or a compaction, no call from before it was running.
    const from = Math.max(this.#outcome?.line ?? 0, this.#compacted);
    this.#calls.stopped(this.#turns.current, { line: from, time });
  }

  /**
   * The turn or the session ended in an error. If the record of the end does not say why, or repeats the error before it, after
   * which nothing happened, that error is the reason. `otherwise`: what is known without any reason.
   */
  failed(kind: string, why: string | undefined, otherwise: string, at: Moment): void {
    if (!repeatsError(why, this.#error)) this.problem(kind, why ?? otherwise, at);
  }

  problem(kind: string, text: string, { line, time }: Moment): void {
    if (kind === 'error') this.#error = text;
    if (!this.facts.isCopy({ line }))
      this.#problems.push({ kind, text: firstLine(messageOfKind(kind, text)), line });
    if (kind === 'interrupted') this.stopped(time);
    this.story?.divider(kind, limitReport(text) ?? text, { line, time }, kind !== 'interrupted');
    if (this.#problems.length > MOST_PROBLEMS) this.#problems.shift();
  }

  /** The last answer as a whole; a {@link document} has an excerpt of it. */
  get lastAnswer(): string | undefined {
    return this.#answer;
  }

  /** Answers and calls for statistics. `owner` makes keys unique; `status` is as in {@link document}. */
  entries(owner?: string, status?: TurnStatus): UsageEntry[] {
    return this.#soFar(status).entries(owner);
  }

  /** The {@link entries} that are not calls. */
  answers(owner?: string): UsageEntry[] {
    return this.#soFar().answers(owner);
  }

  /** What a list shows of the session so far; it is found faster than the {@link document}. */
  outline(last?: TurnStatus): SessionOutline {
    return this.#soFar(last).outline();
  }

  /** The session so far, to which more may be added. `last` replaces the status of the last turn. */
  document(last?: TurnStatus): SessionDocument {
    return this.#soFar(last).document();
  }

  #soFar(last = this.#status): SessionSoFar {
    return new SessionSoFar(
      {
        clock: this.#clock,
        turns: this.#turns,
        calls: this.#calls,
        usage: this.usage,
        gaps: this.#gaps,
        waits: this.#waits,
        unknown: this.#unknown,
        facts: this.facts,
        problems: this.#problems,
        outcome: this.#outcome,
        compactions: this.#compactions,
        isMeasured: this.#isMeasured,
      },
      this.#known(last),
    );
  }
}
