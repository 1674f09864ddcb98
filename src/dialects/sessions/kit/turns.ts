import { parseInstant } from '../../../base/time/instant.ts';
import { excerptOf } from '../../kit/excerpt.ts';
import type { Gap } from './missing-parents.ts';
import type { Moment, SessionTurn, TurnStatus } from './session.ts';

const isUntouched = ({ status, calls, answer }: SessionTurn): boolean =>
  status === 'open' && calls === 0 && answer === undefined;

/** What damaged lines leave uncertain about a turn: what follows them may belong to another one. */
interface TurnDamage {
  /** The number of these lines. */
  lines: number;
  /** How long the turn lasted before the first of them, in milliseconds. */
  readonly lasted: number | undefined;
  /** Its status before the first of them. */
  readonly status: TurnStatus;
  /** Whether a record after the last of them says what the status is. */
  isStated: boolean;
}

/** A missing record of a turn, which may have been its end, or the prompt of another one. */
interface TurnGap {
  readonly gap: Gap;
  /** The status of the turn before it. */
  readonly status: TurnStatus;
  /** Whether a later record says what the status is. */
  isStated: boolean;
}

/** The turns of a session: from a prompt to the last answer to it. */
export class SessionTurns {
  readonly #turns: SessionTurn[] = [];
  /** When the current turn started. */
  #began: number | undefined;
  /** When the one before it ended, as far as its records show. */
  #endBefore: number | undefined;
  /** A turn that was announced and whose prompt has not come. `time`: when it began, if that is certain. */
  #announced: { readonly time: string | undefined } | undefined;
  /** Turns that made a call after their last answer, which is therefore not their final one. */
  readonly #atWork = new Set<SessionTurn>();
  /** Turns whose prompt was sent while the program worked. */
  readonly #queued = new Set<SessionTurn>();
  /** Turns that are answered together with the next one. */
  readonly #joined = new Set<SessionTurn>();
  readonly #damage = new Map<SessionTurn, TurnDamage>();
  readonly #gaps = new Map<SessionTurn, TurnGap>();
  /** All records that a turn lacks. */
  readonly #missing = new Map<SessionTurn, Set<Gap>>();

  /** All turns, in the order of their prompts. */
  get all(): readonly SessionTurn[] {
    return this.#turns;
  }

  /** The turn that the next record belongs to; undefined before the first one and between two. */
  get current(): SessionTurn | undefined {
    return this.#announced ? undefined : this.#turns.at(-1);
  }

  /** When the last turn ended, as far as its records show; undefined without times. In milliseconds since 1970. */
  get end(): number | undefined {
    const { duration_ms: took } = this.#turns.at(-1) ?? {};
    return this.#began === undefined || took === undefined ? undefined : this.#began + took;
  }

  /** When a turn began whose prompt has not come, in milliseconds since 1970. */
  get announced(): number | undefined {
    return parseInstant(this.#announced?.time ?? '');
  }

  /** Whether the next record belongs to the current turn for certain, because no damaged line is before it. */
  get isSure(): boolean {
    const { current } = this;
    return current !== undefined && !this.#damage.has(current);
  }

  /** Whether it is known if the program still works on the current turn. */
  get isStated(): boolean {
    const { current } = this;
    return current !== undefined && this.#damage.get(current)?.isStated !== false;
  }

  /** Whether the calls of an earlier turn may still get their results: the current prompt was sent while the program worked. */
  get isQueued(): boolean {
    return this.current !== undefined && this.#queued.has(this.current);
  }

  /** A damaged line, which belongs to the last turn or is the beginning of another one. `from`: its work is known until then. */
  lost(from: number | undefined): void {
    if (this.#announced) this.#announced = { time: undefined };
    const turn = this.#turns.at(-1);
    if (turn === undefined) return;
    const known = this.#damage.get(turn);
    if (known) {
      known.lines += 1;
      known.isStated = false;
      return;
    }
    const { status, duration_ms: took } = turn;
    const most = from === undefined || this.#began === undefined ? Infinity : Math.max(0, from - this.#began);
    const lasted = took === undefined ? undefined : Math.min(took, most);
    this.#damage.set(turn, { lines: 1, lasted, status, isStated: false });
  }

  /**
   * A message of this turn, by its number from 1, is missing after the time `from`. It may have been a prompt, so what follows may
   * belong to another turn.
   */
  missing(number: number, from: number | undefined): void {
    const turn = this.#turns[number - 1];
    // It may have been the answer, if nothing else says how the turn ended.
    if (turn?.status === 'open')
      this.#gaps.set(turn, { gap: { id: '', isFilled: false }, status: 'open', isStated: false });
    const [began, took] = [parseInstant(turn?.time ?? ''), turn?.duration_ms];
    if (turn === undefined || from === undefined || began === undefined || took === undefined) return;
    const lasted = Math.min(this.#damage.get(turn)?.lasted ?? took, Math.max(0, from - began));
    this.#damage.set(turn, {
      lines: 0,
      status: turn.status,
      isStated: true,
      ...this.#damage.get(turn),
      lasted,
    });
  }

  /** A record of the current turn is missing before the next one. */
  gap(gap: Gap): void {
    const { current } = this;
    if (current === undefined) return;
    const missing = this.#missing.get(current) ?? new Set();
    this.#missing.set(current, missing.add(gap));
    const known = this.#gapOf(current);
    if (known) known.isStated = false;
    else this.#gaps.set(current, { gap, status: current.status, isStated: false });
  }

  /** Whether the record that says how the current turn ended may be missing. */
  get isUnsaid(): boolean {
    const { current } = this;
    return current !== undefined && this.#gapOf(current)?.isStated === false;
  }

  #gapOf(turn: SessionTurn): TurnGap | undefined {
    const found = this.#gaps.get(turn);
    return found?.gap.isFilled === false ? found : undefined;
  }

  /** The number of records of a turn that later ones name and that the log does not have. */
  missingOf(turn: SessionTurn): number {
    return [...(this.#missing.get(turn) ?? [])].filter(({ isFilled }) => !isFilled).length;
  }

  /** The damaged lines of a turn, and how long it lasted before them; undefined if it has none. */
  damageOf(turn: SessionTurn): Pick<TurnDamage, 'lines' | 'lasted'> | undefined {
    return this.#damage.get(turn);
  }

  /**
   * Another turn begins at this time. Ends the current one, unless nothing has happened in it: the prompt of the next one may
   * already be there.
   */
  next(time: string | undefined): void {
    const turn = this.current;
    if (turn && isUntouched(turn) && !this.#atWork.has(turn)) return;
    if (turn?.status === 'open' && this.isStated) turn.status = 'interrupted';
    this.#announced = { time };
  }

  /**
   * `isQueued`: it was sent while the program worked, and is answered together with a queued prompt right before it. `isCopy`: it was
   * copied from another session. Returns the turn of the prompt before it, if that is answered with it.
   */
  prompt(
    text: string,
    { line, time }: Moment,
    { isQueued = false, isCopy = false }: { readonly isQueued?: boolean; readonly isCopy?: boolean } = {},
  ): SessionTurn | undefined {
    const { current } = this;
    const joined = isQueued && this.isQueued && this.isSure && current && isUntouched(current);
    if (joined) {
      this.#joined.add(current);
      // Nobody worked on it alone.
      delete current.duration_ms;
    }
    const [asked, announced] = [parseInstant(time ?? ''), this.announced];
    const isLater = announced !== undefined && asked !== undefined && announced <= asked;
    const since = isLater ? this.#announced?.time : time;
    const started = since === undefined ? {} : { time: since };
    this.#announced = undefined;
    this.#endBefore = this.end;
    this.#began = isLater ? announced : asked;
    const turn: SessionTurn = {
      line,
      ...started,
      prompt: excerptOf(text),
      calls: 0,
      failed: 0,
      status: 'open',
      ...(isCopy && { copied: true }),
    };
    if (isQueued) this.#queued.add(turn);
    this.#turns.push(turn);
    return joined ? current : undefined;
  }

  /** The session itself works on the turn: if all of it was copied so far, its times and calls begin here. */
  goesOn({ time }: Moment): void {
    const turn = this.#goOn();
    if (!turn?.copied) return;
    delete turn.copied;
    delete turn.duration_ms;
    turn.calls = 0;
    const damage = this.#damage.get(turn);
    if (damage) this.#damage.set(turn, { ...damage, lasted: 0 });
    this.#began = parseInstant(time ?? '');
    if (time === undefined) delete turn.time;
    else turn.time = time;
  }

  /** Sets the last answer of the turn. `text` is an excerpt. */
  answer(text: string, { time }: Moment): void {
    const turn = this.#goOn();
    if (turn === undefined) return;
    turn.answer = text;
    this.#atWork.delete(turn);
    this.#lastsUntil(parseInstant(time ?? ''));
  }

  /** Counts a call and returns its turn, which lasts at least until then. */
  called({ time }: Moment): SessionTurn | undefined {
    const turn = this.#goOn();
    if (turn === undefined) return undefined;
    if (this.isSure) turn.calls += 1;
    this.#atWork.add(turn);
    const gap = this.#gaps.get(turn);
    if (gap && turn.status === 'open') gap.isStated = true;
    this.#lastsUntil(parseInstant(time ?? ''));
    return turn;
  }

  /** The work on the current turn stopped, which therefore lasted until then. */
  stopped(time: string | undefined): void {
    this.#lastsUntil(parseInstant(time ?? ''));
  }

  /** A call of the turn worked until then, perhaps after the turn had its answer. */
  calledUntil(turn: SessionTurn, time: string | undefined): void {
    const [from, to] = [parseInstant(turn.time ?? ''), parseInstant(time ?? '')];
    // What the program measured does not include it.
    if (from === undefined || to === undefined || to < from || turn.worked_ms !== undefined) return;
    turn.duration_ms = Math.max(to - from, turn.duration_ms ?? 0);
  }

  /** The current turn took this long until now, as the program measured it: it may have begun before its records. */
  tookUntil(instant: number, ms: number): void {
    const [{ current: turn }, began] = [this, this.#began];
    if (turn === undefined || !this.isSure || began === undefined) return;
    const from = Math.max(instant - ms, this.#endBefore ?? -Infinity);
    if (from < began) {
      this.#began = from;
      turn.time = new Date(from).toISOString();
      if (turn.duration_ms !== undefined) turn.duration_ms += began - from;
    }
    this.#lastsUntil(instant);
  }

  /** The current turn, which was copied, took this long, as the program measured it. */
  copyTook(ms: number): void {
    const { current: turn } = this;
    if (turn?.copied && this.isSure) turn.duration_ms = ms;
  }

  /** Extends an open turn to this time. Records after its end, such as leaving the program hours later, do not. */
  reaches(instant: number): void {
    if (this.current?.status === 'open' && this.isStated) this.#lastsUntil(instant);
  }

  /** Sets the status of the current turn. */
  currentIs(status: TurnStatus): void {
    const turn = this.current;
    if (turn === undefined) return;
    turn.status = status;
    const gap = this.#gaps.get(turn);
    if (gap) gap.isStated = true;
    const damage = this.#damage.get(turn);
    if (damage) damage.isStated = true;
  }

  /** The program worked this long on the current turn. */
  worked(ms: number): void {
    const turn = this.current;
    if (turn && this.isSure) turn.worked_ms = ms;
  }

  /** The user took back the last `count` turns. */
  rollBack(count: number): void {
    const left = this.#turns.filter((turn) => turn.rolled_back === undefined);
    for (const turn of count > 0 ? left.slice(-count) : []) turn.rolled_back = true;
  }

  /** Marks the turns at these places, from 0, as taken back, and all others as not. */
  takenBack(places: ReadonlySet<number>): void {
    for (const [place, turn] of this.#turns.entries())
      if (places.has(place)) turn.rolled_back = true;
      else delete turn.rolled_back;
  }

  /** The statuses of the turns if the current one had this status. A turn with another one after it is not open. */
  statuses(status: TurnStatus): ReadonlyMap<SessionTurn, TurnStatus> {
    const [current, last] = [this.current, this.#turns.at(-1)];
    const statusOf = (turn: SessionTurn): TurnStatus => {
      const damage = this.#damage.get(turn);
      // It may have ended before the line, and what follows be another turn.
      const gap = this.#gapOf(turn);
      const isOther = [damage, gap].some(
        (lost) => lost && lost.status !== 'open' && lost.status !== turn.status,
      );
      // After an interruption, the program does not go on by itself.
      if (damage?.isStated === false) return damage.status === 'interrupted' ? damage.status : 'unknown';
      if (isOther) return 'unknown';
      if (turn === current) return status;
      if (turn === last || turn.status !== 'open') return turn.status;
      if (gap?.isStated === false) return 'unknown';
      if (turn.answer === undefined) turn.is_unanswered = true;
      return turn.answer === undefined || this.#atWork.has(turn) ? 'interrupted' : 'done';
    };
    for (const turn of this.#turns) if (turn.is_unanswered) delete turn.is_unanswered;
    const statuses = new Map(this.#turns.map((turn) => [turn, statusOf(turn)]));
    // From the last one, so that a row of joined turns has the status of its end.
    for (const [place, turn] of [...this.#turns.entries()].reverse()) {
      const next = this.#turns[place + 1];
      if (next === undefined || !this.#joined.has(turn)) continue;
      statuses.set(turn, statuses.get(next) ?? next.status);
      if (turn.is_unanswered && !next.is_unanswered) delete turn.is_unanswered;
    }
    return statuses;
  }

  /** The turn of an answer or call. Without a new prompt, it continues the previous turn. */
  #goOn(): SessionTurn | undefined {
    this.#announced = undefined;
    return this.current;
  }

  /** Extends the current turn at least to this time. */
  #lastsUntil(instant: number | undefined): void {
    const [turn, began] = [this.current, this.#began];
    if (turn && instant !== undefined && began !== undefined && instant >= began)
      turn.duration_ms = Math.max(instant - began, turn.duration_ms ?? 0);
  }
}
